#include "judge.hpp"

#include <numeric>

namespace rankscope {

void JudgmentCollector::begin(std::string_view text) {
  if (current_ >= 0 && same_bytes(query(current_), text)) return;
  ++current_;
  query_data_.insert(query_data_.end(), text.begin(), text.end());
  query_offsets_.push_back(static_cast<std::int64_t>(query_data_.size()));
}

void JudgmentCollector::add(std::string_view item, double grade) {
  rows_.push_back({current_, static_cast<std::uint32_t>(item.size()), static_cast<std::int64_t>(ids_.size()), grade});
  ids_.insert(ids_.end(), item.begin(), item.end());
}

// Makes one query of those that came in several pieces: a stable counting sort of the rows.
void JudgmentCollector::group() {
  const auto pieces = static_cast<std::int64_t>(query_offsets_.size()) - 1;
  const Numbering numbers({query_data_.data(), query_offsets_.data(), pieces});
  if (numbers.distinct()) return;
  std::vector<char> data;
  std::vector<std::int64_t> offsets{0};
  for (std::int64_t piece = 0; piece < pieces; ++piece) {
    if (numbers[piece] + 1 < static_cast<std::int64_t>(offsets.size())) continue;
    const std::string_view text = query(piece);
    data.insert(data.end(), text.begin(), text.end());
    offsets.push_back(static_cast<std::int64_t>(data.size()));
  }
  query_data_.swap(data);
  query_offsets_.swap(offsets);
  std::vector<std::int64_t> next(static_cast<std::size_t>(numbers.size()) + 1, 0);
  for (Row& row : rows_) ++next[(row.query = numbers[row.query]) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<Row> sorted(rows_.size());
  for (const Row& row : rows_) sorted[next[row.query]++] = row;
  rows_.swap(sorted);
}

JudgmentColumns JudgmentCollector::finish(const Place& place) {
  group();
  JudgmentColumns out;
  out.row_offsets.assign(1, 0);
  out.item_offsets.assign(1, 0);
  out.item_data.reserve(ids_.size());
  out.grades.reserve(rows_.size());
  out.item_offsets.reserve(rows_.size() + 1);
  std::size_t row = 0;
  const auto queries = static_cast<std::int32_t>(query_offsets_.size() - 1);
  for (std::int32_t q = 0; q < queries; ++q) {
    row = judge_query(row, q, place, out);
    out.row_offsets.push_back(static_cast<std::int64_t>(out.grades.size()));
  }
  out.query_data = std::move(query_data_);
  out.query_offsets = std::move(query_offsets_);
  return out;
}

// Appends the distinct items of a query whose rows begin at `begin`, and says where they end.
std::size_t JudgmentCollector::judge_query(std::size_t begin, std::int32_t q, const Place& place,
                                           JudgmentColumns& out) {
  std::size_t end = begin;
  while (end < rows_.size() && rows_[end].query == q) ++end;
  const std::size_t first = out.grades.size();
  slots_.assign(slots_for(end - begin), Slot{});
  const std::uint64_t mask = slots_.size() - 1;
  for (std::size_t row = begin; row < end; ++row) {
    const std::string_view item = id(rows_[row]);
    const std::uint64_t hash = hash_of(item);
    // A slot holds the number of the row among those of its query.
    std::uint64_t i = hash & mask;
    while (slots_[i].number >= 0 &&
           !(slots_[i].tag == tag_of(hash) && same_bytes(id(rows_[begin + slots_[i].number]), item))) {
      i = (i + 1) & mask;
    }
    if (slots_[i].number < 0) {
      slots_[i] = {tag_of(hash), static_cast<std::int32_t>(row - begin)};
      out.item_data.insert(out.item_data.end(), item.begin(), item.end());
      out.item_offsets.push_back(static_cast<std::int64_t>(out.item_data.size()));
      out.grades.push_back(rows_[row].grade);
      continue;
    }
    const double grade = rows_[begin + slots_[i].number].grade;
    if (grade != rows_[row].grade) {
      Problem problem("conflicting-grades");
      problem.with("query", query(q)).with("item", item).with("first", grade).with("second", rows_[row].grade);
      place(problem, query(q), item, slots_[i].number + 1, static_cast<std::int64_t>(row - begin) + 1);
      throw problem;
    }
  }
  out.merged += static_cast<std::int64_t>((end - begin) - (out.grades.size() - first));
  return end;
}

JudgmentColumns judge_text(const Source& source, const Watch& watch) {
  JudgmentCollector collector;
  TextPieces pieces(source, false);
  Block block;
  std::int64_t rows = 0;
  try {
    for (std::int64_t begin, end; pieces.next(begin, end);) {
      watch(begin, source.size());
      block.load(source, begin, end);
      each_row(block, kJudgmentsLayout, [&](std::string_view query, std::string_view item, double grade) {
        ++rows;
        collector.begin(query);
        collector.add(item, grade);
      });
    }
  } catch (Problem& problem) {
    locate(problem, source, kJudgmentsLayout);
    throw;
  }
  if (rows == 0) throw Problem("no-rows").with("layout", std::string_view(kJudgmentsLayout.words));
  return collector.finish([&](Problem& problem, std::string_view query, std::string_view item, auto, auto) {
    place_in_text(problem, source, kJudgmentsLayout, query, item);
  });
}

JudgmentColumns judge_table(const Table& table) {
  JudgmentCollector collector;
  Arena arena;
  std::int64_t row = 0;
  table.each_row(0, table.rows(), "grade", arena, [&](std::string_view query, std::string_view item, double grade) {
    ++row;
    if (!is_exact(grade)) throw Problem("grade-too-large").with("text", grade).with("row", row);
    collector.begin(query);
    collector.add(item, grade);
  });
  if (table.rows() == 0) {
    throw Problem("no-rows-in-memory").with("kind", std::string_view("judgments"));
  }
  return collector.finish([&](Problem& problem, std::string_view query, std::string_view item, auto, auto) {
    table.place(problem, query, item);
  });
}

}  // namespace rankscope
