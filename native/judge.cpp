#include "judge.hpp"

#include <numeric>

namespace rankscope {

void JudgmentCollector::begin(std::string_view text) {
  if (pieces() == 0 || !same_bytes(query(pieces() - 1), text)) columns_.add_query(text);
}

void JudgmentCollector::add(std::string_view item, double grade) { columns_.add_row(item, grade); }

void JudgmentCollector::expect(double times) {
  const auto widen = [times](auto& column) {
    column.reserve(static_cast<std::size_t>(static_cast<double>(column.size()) * times));
  };
  widen(columns_.query_data);
  widen(columns_.query_offsets);
  widen(columns_.row_offsets);
  widen(columns_.item_data);
  widen(columns_.item_offsets);
  widen(columns_.grades);
}

JudgmentColumns JudgmentCollector::finish(const Place& place) {
  group();
  const std::vector<bool> again = repeated(place);
  if (columns_.merged > 0) drop(again);
  return std::move(columns_);
}

// Puts the pieces of each query together, in the order in which the queries first came.
void JudgmentCollector::group() {
  const Numbering numbers({columns_.query_data.data(), columns_.query_offsets.data(), pieces()});
  if (numbers.distinct()) return;
  std::vector<std::int64_t> next(static_cast<std::size_t>(numbers.size()) + 1, 0);
  for (std::int64_t piece = 0; piece < pieces(); ++piece) ++next[numbers[piece] + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::int64_t> order(static_cast<std::size_t>(pieces()));
  for (std::int64_t piece = 0; piece < pieces(); ++piece) order[next[numbers[piece]]++] = piece;
  JudgmentColumns grouped = JudgmentColumns::empty();
  std::int32_t last = -1;
  for (const std::int64_t piece : order) {
    if (numbers[piece] != last) grouped.add_query(query(piece));
    last = numbers[piece];
    for (std::int64_t row = columns_.row_offsets[piece]; row < columns_.row_offsets[piece + 1]; ++row) {
      grouped.add_row(item(row), columns_.grades[row]);
    }
  }
  columns_ = std::move(grouped);
}

// Which rows say once more what an earlier row of their query says; saying something else is a problem.
std::vector<bool> JudgmentCollector::repeated(const Place& place) {
  std::vector<bool> again(columns_.grades.size());
  std::vector<Slot> slots;  // they hold the number of a row among those of its query
  for (std::int64_t q = 0; q < pieces(); ++q) {
    const std::int64_t begin = columns_.row_offsets[q], end = columns_.row_offsets[q + 1];
    slots.assign(slots_for(static_cast<std::uint64_t>(end - begin)), Slot{});
    const std::uint64_t mask = slots.size() - 1;
    for (std::int64_t row = begin; row < end; ++row) {
      const std::uint64_t hash = hash_of(item(row));
      std::uint64_t i = hash & mask;
      while (slots[i].number >= 0 &&
             !(slots[i].tag == tag_of(hash) && same_bytes(item(begin + slots[i].number), item(row)))) {
        i = (i + 1) & mask;
      }
      if (slots[i].number < 0) {
        slots[i] = {tag_of(hash), static_cast<std::int32_t>(row - begin)};
        continue;
      }
      const double first = columns_.grades[begin + slots[i].number], second = columns_.grades[row];
      if (first != second) {
        Problem problem("conflicting-grades");
        problem.with("query", query(q)).with("item", item(row)).with("first", first).with("second", second);
        place(problem, query(q), item(row), slots[i].number + 1, row - begin + 1);
        throw problem;
      }
      again[row] = true;
      ++columns_.merged;
    }
  }
  return again;
}

void JudgmentCollector::drop(const std::vector<bool>& rows) {
  JudgmentColumns kept = JudgmentColumns::empty();
  for (std::int64_t q = 0; q < pieces(); ++q) {
    kept.add_query(query(q));
    for (std::int64_t row = columns_.row_offsets[q]; row < columns_.row_offsets[q + 1]; ++row) {
      if (!rows[row]) kept.add_row(item(row), columns_.grades[row]);
    }
  }
  kept.merged = columns_.merged;
  columns_ = std::move(kept);
}

namespace {

template <const Layout& layout>
JudgmentColumns judge(const Source& source, const Watch& watch) {
  JudgmentCollector collector;
  TextPieces pieces(source, false);
  Block block;
  std::int64_t rows = 0;
  try {
    for (std::int64_t begin, end; pieces.next(begin, end);) {
      watch(begin, source.size());
      block.load(source, begin, end);
      each_row<layout>(block, [&](std::string_view query, std::string_view item, double grade) {
        ++rows;
        collector.begin(query);
        collector.add(item, grade);
      });
      if (begin == 0) collector.expect(1.05 * static_cast<double>(source.size()) / static_cast<double>(end));
    }
  } catch (Problem& problem) {
    locate(problem, source, layout, [&] { watch(0, source.size()); });
    throw;
  }
  if (rows == 0) throw Problem("no-rows").with("layout", std::string_view(layout.words));
  return collector.finish([&](Problem& problem, std::string_view query, std::string_view item, auto, auto) {
    place_in_text(problem, source, layout, query, item, [&] { watch(0, source.size()); });
  });
}

}  // namespace

JudgmentColumns judge_text(const Source& source, bool three_columns, const Watch& watch) {
  return three_columns ? judge<kGradesLayout>(source, watch) : judge<kJudgmentsLayout>(source, watch);
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
