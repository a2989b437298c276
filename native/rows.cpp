#include "rows.hpp"

#include <stdexcept>

namespace rankscope {

namespace {

template <const Layout& layout>
RowColumns list(const Source& source, const Watch& watch) {
  RowColumns columns;
  TextPieces pieces(source, false);
  Block block;
  try {
    for (std::int64_t begin, end; pieces.next(begin, end);) {
      watch(begin, source.size());
      block.load(source, begin, end);
      each_row<layout>(block, [&](std::string_view query, std::string_view item, double value) {
        columns.add(query, item, layout.kind == Value::rank ? -value : value);
      });
    }
  } catch (Problem& problem) {
    locate(problem, source, layout, [&] { watch(0, source.size()); });
    throw;
  }
  if (columns.values.empty()) throw Problem("no-rows").with("layout", std::string_view(layout.words));
  return columns;
}

}  // namespace

RowColumns list_text(const Source& source, std::string_view layout, const Watch& watch) {
  if (layout == "run") return list<kRunLayout>(source, watch);
  if (layout == "scores") return list<kScoresLayout>(source, watch);
  if (layout == "ranks") return list<kRanksLayout>(source, watch);
  if (layout == "judgments") return list<kJudgmentsLayout>(source, watch);
  if (layout == "grades") return list<kGradesLayout>(source, watch);
  throw std::invalid_argument("no such layout");
}

RowColumns list_table(const Table& table, bool grades) {
  RowColumns columns;
  Arena arena;
  table.each_row(0, table.rows(), grades ? "grade" : "score", arena,
                 [&](std::string_view query, std::string_view item, double value) {
                   if (grades && !is_exact(value)) {
                     throw Problem("grade-too-large")
                         .with("text", value)
                         .with("row", static_cast<std::int64_t>(columns.values.size()) + 1);
                   }
                   columns.add(query, item, value);
                 });
  if (columns.values.empty()) {
    throw Problem("no-rows-in-memory").with("kind", std::string_view(grades ? "judgments" : "a run"));
  }
  return columns;
}

}  // namespace rankscope
