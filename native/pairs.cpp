#include "pairs.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <utility>

#include "problem.hpp"
#include "sort.hpp"
#include "threads.hpp"

namespace rankscope {

namespace {

constexpr std::int64_t kMostRows = std::int64_t{1} << 30;
constexpr std::int64_t kShare = 1 << 14;     // rows that a thread takes at a time
constexpr std::size_t kFewRows = 24;         // comparing all with all is quickest
constexpr std::size_t kManyRows = 1 << 15;   // enough to be shared by threads

// Memory that is used again, without being cleared. It is one block, for the allocator gives that back to the next call
// where it would return many blocks to the system, and to get them again takes as long as the work itself.
class Workspace {
 public:
  Word* words(std::size_t size) {
    if (size > size_) {
      block_.reset();
      block_.reset(new Word[size]);
      size_ = size;
    }
    return block_.get();
  }

 private:
  std::unique_ptr<Word[]> block_;
  std::size_t size_ = 0;
};

std::int64_t pairs_of(std::int64_t n) { return n * (n - 1) / 2; }

// Pairs of equal neighbours' stretches: all pairs within each.
template <class Same>
std::int64_t tied_pairs(std::size_t n, const Same& same) {
  std::int64_t pairs = 0;
  for (std::size_t i = 0, j; i < n; i = j) {
    for (j = i + 1; j < n && same(j - 1, j);) ++j;
    pairs += pairs_of(static_cast<std::int64_t>(j - i));
  }
  return pairs;
}

// What `task(0)` to `task(count - 1)` do, on so many threads.
template <class Task>
void in_parallel(int threads, std::size_t count, const Task& task) {
  std::atomic<std::size_t> next{0};
  std::atomic<bool> stop{false};
  run_on_threads(std::min(threads, static_cast<int>(count)), stop, [] {}, [&] {
    for (std::size_t i; !stop && (i = next.fetch_add(1)) < count;) task(i);
  });
}

// Ranks that are alike above their lowest `bits`, with room for as many beside them.
struct Stretch {
  std::uint32_t* ranks;
  std::uint32_t* spare;
  std::size_t size;
  int bits;
};

// Splits ranks by their highest bit, their order kept; returns how many pairs that parts the wrong way round.
std::int64_t split(const Stretch& whole, Stretch& lower, Stretch& upper) {
  const int bit = whole.bits - 1;
  std::int64_t found = 0;
  std::size_t low = 0, high = 0;
  for (std::size_t i = 0; i < whole.size; ++i) {
    const std::uint32_t rank = whole.ranks[i], is_high = rank >> bit & 1;
    whole.ranks[low] = whole.spare[high] = rank;  // one of the two is overwritten by the next
    found += static_cast<std::int64_t>(high & (is_high - std::size_t{1}));
    high += is_high;
    low += 1 - is_high;
  }
  lower = {whole.ranks, whole.spare + high, low, bit};
  upper = {whole.spare, whole.ranks + low, high, bit};
  return found;
}

// Pairs in which the earlier rank is the larger one: those that a split parts, and those within its halves.
std::int64_t inversions(const Stretch& whole) {
  if (whole.size <= kFewRows) {
    std::int64_t found = 0;
    for (std::size_t i = 1; i < whole.size; ++i) {
      std::uint32_t larger = 0;
      for (std::size_t j = 0; j < i; ++j) larger += whole.ranks[j] > whole.ranks[i];
      found += larger;
    }
    return found;
  }
  if (whole.bits == 0) return 0;
  Stretch lower, upper;
  const std::int64_t found = split(whole, lower, upper);
  return found + inversions(lower) + inversions(upper);
}

// The same on several threads: the largest stretch is split until there are enough to share.
std::int64_t inversions(const Stretch& whole, int threads) {
  std::vector<Stretch> stretches{whole};
  std::int64_t found = 0;
  const auto smaller = [](const Stretch& a, const Stretch& b) { return a.size < b.size; };
  const auto enough = static_cast<std::size_t>(4 * threads);
  while (threads > 1 && stretches.size() < enough) {
    const auto largest = std::max_element(stretches.begin(), stretches.end(), smaller);
    if (largest->size < kManyRows || largest->bits == 0) break;
    Stretch upper;
    found += split(Stretch(*largest), *largest, upper);
    stretches.push_back(upper);
  }
  std::vector<std::int64_t> inside(stretches.size());
  in_parallel(threads, stretches.size(), [&](std::size_t i) { inside[i] = inversions(stretches[i]); });
  return std::accumulate(inside.begin(), inside.end(), found);
}

// For each row, how many later ranks are smaller. A word has a rank, then a row in its lowest 32 bits.
void count_smaller_after(Word* words, Word* spare, std::size_t n, int bits, std::int64_t* counts) {
  if (n <= 1 || bits == 0) return;
  const int bit = 32 + bits - 1;
  std::size_t low = n, high = n;
  std::int64_t lows = 0;
  for (std::size_t i = n; i-- > 0;) {
    const Word word = words[i], is_high = word >> bit & 1;
    words[low - 1] = spare[high - 1] = word;
    counts[word & 0xffffffff] += lows & -static_cast<std::int64_t>(is_high);
    high -= is_high;
    low -= 1 - is_high;
    lows += 1 - static_cast<std::int64_t>(is_high);
  }
  count_smaller_after(words + low, spare, n - low, bits - 1, counts);
  count_smaller_after(spare + high, words, n - high, bits - 1, counts);
}

// Counts the pairs of one segment after the other.
class PairCounter {
 public:
  explicit PairCounter(int threads) : threads_(threads) {}

  void count(const double* x, const double* y, std::size_t n, PairCounts& out, std::size_t segment) {
    if (n <= kFewRows) {
      compare_all(x, y, n, out, segment);
      return;
    }
    Word* const words = workspace_.words(3 * n + n / 2 + 1);
    auto* const rows = reinterpret_cast<std::uint32_t*>(words + 2 * n);
    std::uint32_t *const ranks = rows + n, *const sequence = rows;  // the rows are done with when the sequence is made
    const Ranks of_y = rank(y, n, words, rows, ranks);
    const auto key_of_x = [x, rows](std::size_t i) { return rising(x[rows[i]]); };
    // In the order of y, so that where x is tied y ascends, and no tied pair is an inversion.
    const Sorted by_x = sort_numbers(words, words + n, n, key_of_x);
    const auto same_x = [&](std::size_t a, std::size_t b) { return by_x.same(a, b, key_of_x); };
    const std::int64_t tied_x = tied_pairs(n, same_x);
    const std::int64_t tied_both = tied_x == 0 || of_y.tied == 0 ? 0 : tied_pairs(n, [&](std::size_t a, std::size_t b) {
      return ranks[by_x.number(a)] == ranks[by_x.number(b)] && same_x(a, b);
    });
    for (std::size_t i = 0; i < n; ++i) {
      sequence[i] = of_y.tied == 0 ? static_cast<std::uint32_t>(by_x.number(i)) : ranks[by_x.number(i)];
    }
    const std::int64_t discordant = inversions({sequence, ranks, n, of_y.bits}, n < kManyRows ? 1 : threads_);
    const std::int64_t all = pairs_of(static_cast<std::int64_t>(n));
    out.concordant[segment] = all - discordant - tied_x - of_y.tied + tied_both;
    out.discordant[segment] = discordant;
    out.tied_x[segment] = tied_x - tied_both;
    out.tied_y[segment] = of_y.tied - tied_both;
    out.tied_both[segment] = tied_both;
  }

  void smaller_after(const double* values, std::size_t n, std::int64_t* counts) {
    if (n < 2) return;
    Word* const words = workspace_.words(3 * n + n / 2 + 1);
    auto* const rows = reinterpret_cast<std::uint32_t*>(words + 2 * n);
    const Ranks ranked = rank(values, n, words, rows, rows + n);
    for (std::size_t i = 0; i < n; ++i) words[rows[i]] = Word{rows[n + i]} << 32 | rows[i];
    count_smaller_after(words, words + n, n, ranked.bits, counts);
  }

 private:
  struct Ranks {
    std::int64_t tied;  // pairs of equal values
    int bits;           // of the highest rank
  };

  static void compare_all(const double* x, const double* y, std::size_t n, PairCounts& out, std::size_t segment) {
    std::int64_t concordant = 0, discordant = 0, tied_x = 0, tied_y = 0, tied_both = 0;
    for (std::size_t i = 1; i < n; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const int of_x = (x[j] < x[i]) - (x[j] > x[i]), of_y = (y[j] < y[i]) - (y[j] > y[i]);
        concordant += of_x * of_y > 0;
        discordant += of_x * of_y < 0;
        tied_x += of_x == 0 && of_y != 0;
        tied_y += of_y == 0 && of_x != 0;
        tied_both += of_x == 0 && of_y == 0;
      }
    }
    out.concordant[segment] = concordant;
    out.discordant[segment] = discordant;
    out.tied_x[segment] = tied_x;
    out.tied_y[segment] = tied_y;
    out.tied_both[segment] = tied_both;
  }

  // The rows in ascending order of the values, and the rank of each, from 0 up and the same for equal values.
  static Ranks rank(const double* values, std::size_t n, Word* words, std::uint32_t* rows, std::uint32_t* ranks) {
    const auto key_of = [values](std::size_t i) { return rising(values[i]); };
    const Sorted sorted = sort_numbers(words, words + n, n, key_of);
    std::uint32_t last = 0;
    for (std::size_t i = 0; i < n; ++i) {
      last += i > 0 && !sorted.same(i - 1, i, key_of);
      rows[i] = static_cast<std::uint32_t>(sorted.number(i));
      ranks[i] = last;
    }
    const auto same = [ranks](std::size_t a, std::size_t b) { return ranks[a] == ranks[b]; };
    return {std::size_t{last} + 1 == n ? 0 : tied_pairs(n, same), width_of(last)};
  }

  const int threads_;
  Workspace workspace_;
};

// Counts the wins of one segment after the other.
class WinCounter {
 public:
  explicit WinCounter(int threads) : threads_(threads) {}

  void count(const double* scores, const bool* positive, std::size_t n, Wins& out, std::size_t segment) {
    const auto positives = static_cast<std::size_t>(std::count(positive, positive + n, true));
    const std::size_t negatives = n - positives;
    out.positives[segment] = static_cast<std::int64_t>(positives);
    out.negatives[segment] = static_cast<std::int64_t>(negatives);
    if (positives == 0 || negatives == 0) return;
    Word* const words = workspace_.words(2 * n + 2);
    const std::size_t sizes[2] = {negatives, positives};
    Word *keys[2] = {words, words + negatives + 1}, *const spares[2] = {words + n + 2, words + n + 2 + negatives};
    part(scores, positive, n, keys);
    in_parallel(n < kManyRows ? 1 : threads_, 2,
                [&](std::size_t i) { keys[i] = sort_keys(keys[i], spares[i], sizes[i]); });
    out.doubled[segment] = doubled_wins(keys[0], negatives, keys[1], positives);
  }

 private:
  // The keys of negative and of positive rows; without a branch, for labels cannot be foretold.
  static void part(const double* scores, const bool* positive, std::size_t n, Word* const keys[2]) {
    std::size_t filled[2] = {0, 0};
    for (std::size_t i = 0; i < n; ++i) {
      const Word key = rising(scores[i]);
      keys[0][filled[0]] = keys[1][filled[1]] = key;  // one of the two is overwritten by the next
      filled[positive[i]] += 1;
    }
  }

  static std::int64_t doubled_wins(const Word* low, std::size_t lows, const Word* high, std::size_t highs) {
    std::size_t below = 0, not_above = 0;
    std::int64_t doubled = 0;
    for (std::size_t i = 0; i < highs; ++i) {
      while (below < lows && low[below] < high[i]) ++below;
      not_above = std::max(not_above, below);
      while (not_above < lows && low[not_above] == high[i]) ++not_above;
      doubled += static_cast<std::int64_t>(below + not_above);
    }
    return doubled;
  }

  const int threads_;
  Workspace workspace_;
};

void check(const Segments& segments) {
  for (std::int64_t s = 0; s < segments.count; ++s) {
    if (segments.size(s) > kMostRows) throw Problem("too-many-rows");
  }
}

// `count(counter, s)` deals with one segment; each thread has a counter of its own. Where there are fewer segments than
// threads, a counter may use several.
template <class Counter, class Count>
void each_segment(const Segments& segments, int threads, const Watch& watch, const Count& count) {
  check(segments);
  const std::int64_t rows = segments.count == 0 ? 0 : segments.offsets[segments.count] - segments.offsets[0];
  std::atomic<std::int64_t> next{0};
  std::atomic<bool> stop{false};
  const std::int64_t share = std::max<std::int64_t>(1, kShare * segments.count / std::max<std::int64_t>(rows, 1));
  const auto workers = static_cast<int>(std::clamp<std::int64_t>((segments.count + share - 1) / share, 1, threads));
  run_on_threads(workers, stop, [&] { watch(next, segments.count); }, [&] {
    Counter counter(threads / workers);
    for (std::int64_t begin; !stop && (begin = next.fetch_add(share)) < segments.count;) {
      for (std::int64_t s = begin; s < std::min(begin + share, segments.count); ++s) count(counter, s);
    }
  });
}

}  // namespace

PairCounts count_pairs(const double* x, const double* y, const Segments& segments, int threads, const Watch& watch) {
  PairCounts out;
  for (auto* column : {&out.concordant, &out.discordant, &out.tied_x, &out.tied_y, &out.tied_both}) {
    column->resize(static_cast<std::size_t>(segments.count));
  }
  each_segment<PairCounter>(segments, threads, watch, [&](PairCounter& counter, std::int64_t s) {
    const std::int64_t begin = segments.begin(s);
    counter.count(x + begin, y + begin, static_cast<std::size_t>(segments.size(s)), out, static_cast<std::size_t>(s));
  });
  return out;
}

std::vector<std::int64_t> smaller_after(const double* values, const Segments& segments, int threads,
                                        const Watch& watch) {
  const std::int64_t rows = segments.offsets[segments.count];
  std::vector<std::int64_t> counts(static_cast<std::size_t>(rows));
  each_segment<PairCounter>(segments, threads, watch, [&](PairCounter& counter, std::int64_t s) {
    const std::int64_t begin = segments.begin(s);
    counter.smaller_after(values + begin, static_cast<std::size_t>(segments.size(s)), counts.data() + begin);
  });
  return counts;
}

Wins mann_whitney(const double* scores, const bool* positive, const Segments& segments, int threads,
                  const Watch& watch) {
  Wins out;
  for (auto* column : {&out.doubled, &out.positives, &out.negatives}) {
    column->resize(static_cast<std::size_t>(segments.count));
  }
  each_segment<WinCounter>(segments, threads, watch, [&](WinCounter& counter, std::int64_t s) {
    const std::int64_t begin = segments.begin(s);
    counter.count(scores + begin, positive + begin, static_cast<std::size_t>(segments.size(s)), out,
                  static_cast<std::size_t>(s));
  });
  return out;
}

}  // namespace rankscope
