#include "align.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>

#include "runs.hpp"
#include "threads.hpp"

namespace rankscope {

namespace {

constexpr std::int64_t kRowsBetweenLooks = 1 << 16;

// Thrown by a thread in the middle of its work when the work is to stop.
struct Stopped {};

// What one piece of a run gave.
struct Part {
  Rows rows;
  std::vector<std::string> extra;  // queries without judgments, in order of appearance
  std::int64_t count = 0;
  std::optional<Problem> problem;
};

// A row of a query that may go on anywhere in the run.
struct LooseRow {
  std::uint64_t hash;
  double score;
  const char* id;
  std::uint32_t length;
  std::int32_t item;
  std::int32_t query;
};

// Loose rows of neighbouring queries are kept together, so that each lot can be sorted and ranked on its own.
constexpr std::int64_t kLots = 64;

struct LoosePart {
  std::array<std::vector<LooseRow>, kLots> lots;
  Arena ids;
  std::vector<std::string> extra;
  std::int64_t count = 0;
  std::optional<Problem> problem;
};

template <class Parts>
void count_parts(const Parts& parts, Aligned& out) {
  Dictionary extra;
  for (const auto& part : parts) {
    out.rows += part.count;
    for (const std::string& query : part.extra) extra.number(query);
  }
  count_extra(extra, out);
}

template <class Run>
class Aligner {
 public:
  Aligner(const Index& index, const Run& run, const Options& options, const Watch& watch)
      : index_(index), run_(run), options_(options), watch_(watch), threads_(run.threads(options)) {}

  Aligned align() {
    if (std::optional<Aligned> aligned = align_whole_queries()) return std::move(*aligned);
    return align_scattered();
  }

 private:
  // Takes pieces until there are none, or one had a problem: those before it are all taken by then, so the problem
  // that stands first in the run is the one that is found, whatever the number of threads.
  template <class PartOf, class Work>
  void over_pieces(bool whole_queries, std::deque<PartOf>& parts, Work&& work) {
    std::atomic<std::int64_t> done{0};
    std::atomic<bool> failed{false};
    auto pieces = run_.pieces(whole_queries, [&] { look_around(done); });
    std::mutex mutex;
    stop_ = false;
    const auto take_pieces = [&] {
      typename Run::Desk desk;
      Ranking ranking(options_);
      for (std::int64_t begin, end;;) {
        PartOf* part;
        {
          const std::lock_guard<std::mutex> lock(mutex);
          if (stop_ || failed || !pieces.next(begin, end)) return;
          part = &parts.emplace_back();
        }
        try {
          work(begin, end, desk, ranking, *part);
        } catch (Problem& problem) {
          part->problem = std::move(problem);
          failed = true;
        }
        done += end - begin;
        if (threads_ <= 1) watch_(done, run_.size());
      }
    };
    run_on_threads(
        threads_, stop_, [&] { watch_(done, run_.size()); },
        [&] {
          try {
            take_pieces();
          } catch (Stopped) {
          }
        });
    for (PartOf& part : parts) {
      if (!part.problem || stop_) continue;
      run_.locate(*part.problem, [&] { watch_(done, run_.size()); });
      throw *part.problem;
    }
  }

  std::optional<Aligned> align_whole_queries() {
    std::vector<std::atomic<bool>> seen(static_cast<std::size_t>(index_.queries()));
    std::deque<Part> parts;
    scattered_ = false;
    over_pieces(true, parts,
                [&](std::int64_t begin, std::int64_t end, typename Run::Desk& desk, Ranking& ranking, Part& part) {
                  read_piece(begin, end, desk, ranking, seen, part);
                });
    if (scattered_) return std::nullopt;
    Aligned out;
    count_parts(parts, out);
    if (out.rows == 0) throw run_.no_rows();
    std::vector<const Rows*> rows;
    for (const Part& part : parts) {
      if (!part.rows.duplicates.empty()) refuse(part.rows.duplicates.front());
      rows.push_back(&part.rows);
    }
    assemble(index_, options_, rows, out);
    return out;
  }

  void read_piece(std::int64_t begin, std::int64_t end, typename Run::Desk& desk, Ranking& ranking,
                  std::vector<std::atomic<bool>>& seen, Part& part) {
    std::string_view current;
    bool first = true, judged = false;
    std::int32_t last = -1;
    Dictionary extra;
    const Look look = [&] { look_around(begin); };
    run_.each_row(begin, end, desk, look, [&](std::string_view query, std::string_view item, double score) {
      if (++part.count % kRowsBetweenLooks == 0) look_around(begin);
      if (first || !same_bytes(query, current)) {
        if (judged) ranking.finish(part.rows);
        first = false;
        current = query;
        const std::int32_t number = index_.find_query(query, last + 1);
        judged = number >= 0;
        if (judged) {
          last = number;
          if (seen[number].exchange(true)) scattered_ = stop_ = true;
          ranking.begin(number, index_.items_of(number));
        } else {
          bool fresh;
          extra.number(query, fresh);
          if (fresh) part.extra.emplace_back(query);
        }
      }
      if (judged) ranking.add(item, score);
    });
    if (judged) ranking.finish(part.rows);
  }

  // A piece can be as large as its largest query: whoever reads it must hear that it is to stop.
  void look_around(std::int64_t done) {
    if (threads_ <= 1) watch_(done, run_.size());
    if (stop_) throw Stopped{};
  }

  [[noreturn]] void refuse(const Duplicate& duplicate) const {
    Problem problem("duplicate-item");
    problem.with("query", index_.query(duplicate.query)).with("item", std::string_view(duplicate.item));
    run_.place(problem, index_.query(duplicate.query), duplicate.item, [&] { watch_(0, run_.size()); });
    throw problem;
  }

  // Rows of a query stand anywhere: all rows first, by lots of queries; then a counting sort of each lot.
  Aligned align_scattered() {
    std::deque<LoosePart> parts;
    over_pieces(false, parts,
                [&](std::int64_t begin, std::int64_t end, typename Run::Desk& desk, Ranking&, LoosePart& part) {
                  read_loose(begin, end, desk, part);
                });
    Aligned out;
    count_parts(parts, out);
    std::vector<Rows> ranked(kLots);
    std::atomic<std::int64_t> next{0}, done{0};
    stop_ = false;
    run_on_threads(
        threads_, stop_, [&] { watch_(done, kLots); },
        [&] {
          Ranking ranking(options_);
          for (std::int64_t lot; !stop_ && (lot = next++) < kLots; ++done) {
            rank_lot(lot, parts, ranking, ranked[lot]);
            if (threads_ <= 1) watch_(lot, kLots);
          }
        });
    refuse_first(ranked);
    std::vector<const Rows*> rows;
    for (const Rows& part : ranked) rows.push_back(&part);
    assemble(index_, options_, rows, out);
    return out;
  }

  std::int64_t first_query_of(std::int64_t lot) const { return (lot * index_.queries() + kLots - 1) / kLots; }
  std::int64_t lot_of(std::int64_t query) const { return query * kLots / index_.queries(); }

  void read_loose(std::int64_t begin, std::int64_t end, typename Run::Desk& desk, LoosePart& part) {
    std::string_view current;
    std::int32_t number = -1;
    bool first = true;
    Index::Items items;
    std::vector<LooseRow>* lot = nullptr;
    Dictionary extra;
    const Look look = [&] { look_around(begin); };
    run_.each_row(begin, end, desk, look, [&](std::string_view query, std::string_view item, double score) {
      if (++part.count % kRowsBetweenLooks == 0) look_around(begin);
      if (first || !same_bytes(query, current)) {
        first = false;
        current = query;
        number = index_.find_query(query);
        if (number >= 0) {
          items = index_.items_of(number);
          lot = &part.lots[lot_of(number)];
        } else {
          bool fresh;
          extra.number(query, fresh);
          if (fresh) part.extra.emplace_back(query);
        }
      }
      if (number < 0) return;
      const std::uint64_t hash = hash_of(item);
      const std::string_view id = part.ids.keep(item);
      lot->push_back({hash, score, id.data(), static_cast<std::uint32_t>(id.size()), items.find(item, hash), number});
    });
  }

  void rank_lot(std::int64_t lot, std::deque<LoosePart>& parts, Ranking& ranking, Rows& out) {
    const std::int64_t first = first_query_of(lot);
    const auto queries = static_cast<std::size_t>(first_query_of(lot + 1) - first);
    std::vector<std::int64_t> begins(queries + 1, 0);
    for (const LoosePart& part : parts) {
      for (const LooseRow& row : part.lots[lot]) ++begins[row.query - first + 1];
    }
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    std::vector<const LooseRow*> sorted(static_cast<std::size_t>(begins.back()));
    std::vector<std::int64_t> next(begins.begin(), begins.end() - 1);
    for (const LoosePart& part : parts) {
      for (const LooseRow& row : part.lots[lot]) sorted[next[row.query - first]++] = &row;
    }
    for (std::size_t q = 0; q < queries; ++q) {
      if (begins[q] == begins[q + 1]) continue;
      ranking.begin(static_cast<std::int32_t>(first + static_cast<std::int64_t>(q)), {});
      for (std::int64_t i = begins[q]; i < begins[q + 1]; ++i) {
        const LooseRow& row = *sorted[i];
        ranking.add({row.id, row.length}, row.hash, row.score, row.item);
      }
      ranking.finish(out);
    }
    for (LoosePart& part : parts) std::vector<LooseRow>().swap(part.lots[lot]);
  }

  // Refuses the duplicate of the query that appears first in the run.
  void refuse_first(const std::vector<Rows>& ranked) const {
    std::map<std::int32_t, const Duplicate*> by_query;
    for (const Rows& rows : ranked) {
      for (const Duplicate& duplicate : rows.duplicates) by_query[duplicate.query] = &duplicate;
    }
    if (by_query.empty()) return;
    const Look look = [&] { watch_(0, run_.size()); };
    auto pieces = run_.pieces(false, look);
    typename Run::Desk desk;
    for (std::int64_t begin, end; pieces.next(begin, end); look()) {
      run_.each_row(begin, end, desk, look, [&](std::string_view query, std::string_view, double) {
        const auto found = by_query.find(index_.find_query(query));
        if (found != by_query.end()) refuse(*found->second);
      });
    }
  }

  const Index& index_;
  const Run run_;
  const Options options_;
  const Watch& watch_;
  const int threads_;
  std::atomic<bool> stop_{false};
  std::atomic<bool> scattered_{false};
};

}  // namespace

template <const Layout& layout>
static Aligned align_layout(const Index& index, const Source& source, const Options& options, const Watch& watch) {
  const TextRun<layout> run{source, options.ascending};
  return Aligner<TextRun<layout>>(index, run, options, watch).align();
}

Aligned align_text(const Index& index, const Source& source, RunText text, const Options& options,
                   const Watch& watch) {
  switch (text) {
    case RunText::scores: return align_layout<kScoresLayout>(index, source, options, watch);
    case RunText::ranks: return align_layout<kRanksLayout>(index, source, options, watch);
    default: return align_layout<kRunLayout>(index, source, options, watch);
  }
}

Aligned align_table(const Index& index, const Table& table, const Options& options, const Watch& watch) {
  return Aligner<TableRun>(index, TableRun{table}, options, watch).align();
}

Aligned align_stored(const Index& index, const StoredTable& table, const Options& options, const Watch& watch) {
  return Aligner<StoredRun>(index, StoredRun{table}, options, watch).align();
}

}  // namespace rankscope
