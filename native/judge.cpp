#include "judge.hpp"

#include <numeric>

namespace rankscope {

void JudgmentCollector::begin(std::string_view query) {
  if (query_ >= 0 && same_bytes(queries_[query_], query)) return;
  bool fresh;
  query_ = queries_.number(query, fresh);
  if (!fresh) grouped_ = false;
}

void JudgmentCollector::add(std::string_view item, double grade) {
  rows_.push_back({query_, static_cast<std::uint32_t>(item.size()), static_cast<std::int64_t>(ids_.size()), grade});
  ids_.insert(ids_.end(), item.begin(), item.end());
}

// A stable counting sort by query.
void JudgmentCollector::group() {
  std::vector<std::int64_t> next(static_cast<std::size_t>(queries_.size()) + 1, 0);
  for (const Row& row : rows_) ++next[row.query + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<Row> sorted(rows_.size());
  for (const Row& row : rows_) sorted[next[row.query]++] = row;
  rows_.swap(sorted);
}

JudgmentColumns JudgmentCollector::finish(const Place& place) {
  if (!grouped_) group();
  JudgmentColumns out;
  out.row_offsets.assign(1, 0);
  out.item_offsets.assign(1, 0);
  out.item_data.reserve(ids_.size());
  out.grades.reserve(rows_.size());
  out.item_offsets.reserve(rows_.size() + 1);
  std::size_t row = 0;
  for (std::int32_t query = 0; query < queries_.size(); ++query) {
    row = judge_query(row, query, place, out);
    out.row_offsets.push_back(static_cast<std::int64_t>(out.grades.size()));
  }
  out.query_data = std::move(queries_.data());
  out.query_offsets = std::move(queries_.offsets());
  return out;
}

// Appends the distinct items of a query whose rows begin at `begin`, and says where they end.
std::size_t JudgmentCollector::judge_query(std::size_t begin, std::int32_t query, const Place& place,
                                           JudgmentColumns& out) {
  std::size_t end = begin;
  while (end < rows_.size() && rows_[end].query == query) ++end;
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
      problem.with("query", queries_[query]).with("item", item).with("first", grade).with("second", rows_[row].grade);
      place(problem, queries_[query], item, slots_[i].number + 1, static_cast<std::int64_t>(row - begin) + 1);
      throw problem;
    }
  }
  out.merged += static_cast<std::int64_t>((end - begin) - (out.grades.size() - first));
  return end;
}

JudgmentColumns judge_text(const Source& source) {
  JudgmentCollector collector;
  TextPieces pieces(source, false);
  Block block;
  std::int64_t rows = 0;
  try {
    for (std::int64_t begin, end; pieces.next(begin, end);) {
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
