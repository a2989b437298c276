#include "classi.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

namespace rankscope {

namespace {

std::uint64_t bits_of(double value) {
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// Numbers values by the order in which they first appear; an open table that doubles when it is half full.
class Numbering {
 public:
  std::int32_t number(double value) {
    std::size_t slot = home(value);
    while (slots_[slot] >= 0) {
      if (values_[static_cast<std::size_t>(slots_[slot])] == value) return slots_[slot];
      slot = (slot + 1) & (slots_.size() - 1);
    }
    slots_[slot] = static_cast<std::int32_t>(values_.size());
    values_.push_back(value);
    if (2 * values_.size() > slots_.size()) grow();
    return static_cast<std::int32_t>(values_.size()) - 1;
  }
  const std::vector<double>& values() const { return values_; }

 private:
  std::size_t home(double value) const {
    return static_cast<std::size_t>((bits_of(value) * 0x9E3779B97F4A7C15u) >> shift_);
  }
  void grow() {
    --shift_;
    slots_.assign(2 * slots_.size(), -1);
    for (std::size_t number = 0; number < values_.size(); ++number) {
      std::size_t slot = home(values_[number]);
      while (slots_[slot] >= 0) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = static_cast<std::int32_t>(number);
    }
  }

  int shift_ = 64 - 12;
  std::vector<std::int32_t> slots_ = std::vector<std::int32_t>(std::size_t{1} << 12, -1);
  std::vector<double> values_;
};

// Beyond so many values the table leaves the cache, and sorting is the shorter way.
constexpr std::size_t most_numbered = std::size_t{1} << 14;

std::vector<double> levels_by_sorting(const double* values, std::int64_t size, std::int32_t* level) {
  std::vector<std::pair<double, std::int32_t>> ordered(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < ordered.size(); ++i) ordered[i] = {values[i] + 0.0, static_cast<std::int32_t>(i)};
  std::sort(ordered.begin(), ordered.end());
  std::vector<double> distinct;
  for (const auto& [value, row] : ordered) {
    if (distinct.empty() || distinct.back() < value) distinct.push_back(value);
    level[row] = static_cast<std::int32_t>(distinct.size()) - 1;
  }
  return distinct;
}

// A count and a sum that are added at once; a cast between the two types keeps the bits.
using Pair = double __attribute__((vector_size(16)));
using Mask = std::int64_t __attribute__((vector_size(16)));

// How many rows were met at lower levels, and the sum of their distances: a binary tree over the levels, where a node
// has what was met in its left half. One way down answers and adds, without a branch to guess wrong.
class Below {
 public:
  explicit Below(std::int64_t levels) {
    while ((std::int64_t{1} << depth_) < levels) ++depth_;
    nodes_.assign(std::size_t{1} << depth_, Pair{0, 0});
  }
  Pair before_adding(std::int32_t level, double distance) {
    static constexpr Mask turns[2] = {{0, 0}, {-1, -1}};
    const auto path = static_cast<std::size_t>(level) | (std::size_t{1} << depth_);
    const Pair row{1, distance};
    Pair below{0, 0};
    for (int shift = depth_; shift > 0; --shift) {
      Pair& node = nodes_[path >> shift];
      const Mask right = turns[(path >> (shift - 1)) & 1];
      below += reinterpret_cast<Pair>(reinterpret_cast<Mask>(node) & right);
      node += reinterpret_cast<Pair>(reinterpret_cast<Mask>(row) & ~right);
    }
    return below;
  }

 private:
  int depth_ = 0;
  std::vector<Pair> nodes_;
};

}  // namespace

std::vector<double> levels_of(const double* values, std::int64_t size, std::int32_t* level) {
  if (size > std::numeric_limits<std::int32_t>::max()) throw std::length_error("too many values");
  Numbering numbering;
  for (std::int64_t i = 0; i < size; ++i) {
    // Adding 0 makes one value of the two zeros.
    level[i] = numbering.number(values[i] + 0.0);
    if (numbering.values().size() > most_numbered) return levels_by_sorting(values, size, level);
  }
  const std::vector<double>& seen = numbering.values();
  std::vector<std::int32_t> place(seen.size());
  std::vector<double> distinct = levels_by_sorting(seen.data(), static_cast<std::int64_t>(seen.size()), place.data());
  for (std::int64_t i = 0; i < size; ++i) level[i] = place[static_cast<std::size_t>(level[i])];
  return distinct;
}

void later_costs(const std::int32_t* level, const double* distance, std::int64_t rows, const std::int64_t* offsets,
                 std::int64_t queries, bool unit, double* costs) {
  std::int64_t last = 0;
  for (std::int64_t q = 0; q < queries; ++q) {
    const std::int64_t start = offsets[q], stop = offsets[q + 1];
    if (start != last || stop < start || stop > rows) throw std::out_of_range("offsets do not fit the rows");
    last = stop;
    if (start == stop) continue;
    const auto [lowest, highest] = std::minmax_element(level + start, level + stop);
    if (*lowest < 0) throw std::out_of_range("a level is below 0");
    Below below(std::int64_t{*highest} + 1);
    // From the last row on, so that the tree holds what stands behind each.
    for (std::int64_t i = stop; i-- > start;) {
      const Pair behind = below.before_adding(level[i], distance[i]);
      costs[i] = unit ? behind[0] : behind[0] * distance[i] - behind[1];
    }
  }
  if (last != rows) throw std::out_of_range("offsets do not fit the rows");
}

void prefix_curve(const double* cost, const double* worst, std::int64_t size, double* curve) {
  double spent = 0, most = 0;
  for (std::int64_t i = 0; i < size; ++i) {
    spent += cost[i];
    most += worst[i];
    curve[i] = 1 - 2 * (spent / most);
  }
}

}  // namespace rankscope
