// Runs as the aligner sees them, whatever they are made of.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "columns.hpp"
#include "problem.hpp"
#include "rank.hpp"
#include "read.hpp"
#include "stored.hpp"
#include "watch.hpp"

namespace rankscope {

inline constexpr std::int64_t kBytesWorthAThread = 1 << 20;
inline constexpr std::int64_t kRowsWorthAThread = 1 << 15;

inline int threads_for(const Options& options, std::int64_t work, std::int64_t worth_a_thread) {
  return static_cast<int>(std::clamp<std::int64_t>(work / worth_a_thread, 1, std::max(options.threads, 1)));
}

inline Problem no_rows_in_memory() { return Problem("no-rows-in-memory").with("kind", std::string_view("a run")); }

// Text and tables look the same from here: pieces to take, rows in a piece, and where a duplicate stands.
template <const Layout& layout>
struct TextRun {
  using Pieces = TextPieces;
  struct Desk {  // what a thread needs to read a piece
    Block block;
  };
  const Source& source;
  bool ascending;

  std::int64_t size() const { return source.size(); }
  int threads(const Options& options) const { return threads_for(options, size(), kBytesWorthAThread); }
  Pieces pieces(bool whole_queries, Look look) const { return {source, whole_queries, std::move(look)}; }
  template <class Visit>
  void each_row(std::int64_t begin, std::int64_t end, Desk& desk, const Look& look, Visit&& visit) const {
    desk.block.load(source, begin, end, look);
    if constexpr (layout.kind == Value::rank) {
      const double sign = ascending ? 1 : -1;  // rank 1 is the best, whichever scores are
      rankscope::each_row<layout>(desk.block, [&](std::string_view query, std::string_view item, double rank) {
        visit(query, item, sign * rank);
      });
    } else {
      rankscope::each_row<layout>(desk.block, std::forward<Visit>(visit));
    }
  }
  void locate(Problem& problem, const Look& look) const { rankscope::locate(problem, source, layout, look); }
  void place(Problem& problem, std::string_view query, std::string_view item, const Look& look) const {
    place_in_text(problem, source, layout, query, item, look);
  }
  Problem no_rows() const { return Problem("no-rows").with("layout", std::string_view(layout.words)); }
};

struct TableRun {
  using Pieces = TablePieces;
  struct Desk {
    Arena arena;
  };
  const Table& table;

  std::int64_t size() const { return table.rows(); }
  int threads(const Options& options) const { return threads_for(options, size(), kRowsWorthAThread); }
  Pieces pieces(bool whole_queries, Look look) const { return {table, whole_queries, std::move(look)}; }
  template <class Visit>
  void each_row(std::int64_t begin, std::int64_t end, Desk& desk, const Look&, Visit&& visit) const {
    desk.arena.clear();
    table.each_row(begin, end, "score", desk.arena, std::forward<Visit>(visit));
  }
  void locate(Problem&, const Look&) const {}
  void place(Problem& problem, std::string_view query, std::string_view item, const Look&) const {
    table.place(problem, query, item);
  }
  Problem no_rows() const { return no_rows_in_memory(); }
};

struct StoredRun {
  using Pieces = StoredPieces;
  using Desk = StoredTable::Desk;
  const StoredTable& table;

  std::int64_t size() const { return table.rows(); }
  int threads(const Options& options) const { return threads_for(options, size(), kRowsWorthAThread); }
  Pieces pieces(bool whole_queries, Look look) const { return {table, whole_queries, std::move(look)}; }
  template <class Visit>
  void each_row(std::int64_t begin, std::int64_t end, Desk& desk, const Look& look, Visit&& visit) const {
    table.load(begin, end, StoredTable::Part::all, desk, look);
    desk.table.each_row(begin, end, "score", desk.arena, std::forward<Visit>(visit));
  }
  void locate(Problem&, const Look&) const {}
  void place(Problem& problem, std::string_view query, std::string_view item, const Look& look) const {
    Places found(problem, query, item);
    Desk desk;
    StoredPieces all(table, false, look);
    for (std::int64_t begin, end; all.next(begin, end); look()) {
      each_row(begin, end, desk, look,
               [&](std::string_view q, std::string_view i, double value) { found.see(q, i, value); });
    }
    found.tell(problem);
  }
  Problem no_rows() const { return no_rows_in_memory(); }
};

}  // namespace rankscope
