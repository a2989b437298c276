// Pairs of items that two columns of numbers put in the same order, in opposite order, or tie; n log n.
#pragma once

#include <cstdint>
#include <vector>

#include "watch.hpp"

namespace rankscope {

// Columns cut into segments: rows offsets[s] to offsets[s + 1] belong to segment s. Pairs are within a segment.
struct Segments {
  const std::int64_t* offsets;
  std::int64_t count;

  std::int64_t begin(std::int64_t s) const { return offsets[s]; }
  std::int64_t size(std::int64_t s) const { return offsets[s + 1] - offsets[s]; }
};

// A segment has at most 2^30 rows, so that its 2^59 pairs, and twice as many, are numbers.
struct PairCounts {
  std::vector<std::int64_t> concordant, discordant;
  std::vector<std::int64_t> tied_x, tied_y, tied_both;  // tied in one only, or in both
};

PairCounts count_pairs(const double* x, const double* y, const Segments& segments, int threads, const Watch& watch);

// For each row, how many later rows of its segment have a smaller value.
std::vector<std::int64_t> smaller_after(const double* values, const Segments& segments, int threads,
                                        const Watch& watch);

// Pairs of a positive and a negative row: twice the number in which the positive one is higher, plus the tied ones.
struct Wins {
  std::vector<std::int64_t> doubled, positives, negatives;
};

Wins mann_whitney(const double* scores, const bool* positive, const Segments& segments, int threads,
                  const Watch& watch);

}  // namespace rankscope
