#include "rank.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

#include "problem.hpp"

namespace rankscope {

void Ranking::widen_bits() {
  if (rows_.size() >= kMostRows) throw Problem("too-many-rows");
  bits_.assign(bits_.size() * 4, 0);
  for (const Row& row : rows_) {
    bits_[(row.hash >> 6) & (bits_.size() - 1)] |= std::uint64_t{1} << (row.hash & 63);
  }
}

void Ranking::finish(Rows& out) {
  if (!suspects_.empty()) look_for_duplicates(out);
  if (!keys_in_order_) {
    sort();
  } else if (!ties_in_order_) {
    order_.resize(rows_.size());
    std::iota(order_.begin(), order_.end(), 0);
  }
  if (!order_.empty() && options_.tie_order != TieOrder::given) sort_ties();
  emit(out);
  clear();
}

// Rows whose hash may be that of another row; a hundred or so in a thousand rows without duplicates.
std::vector<std::int32_t> Ranking::suspects() const {
  constexpr std::size_t kWords = 256;
  std::uint64_t marked[kWords] = {};
  const auto word = [](std::uint64_t hash) { return (hash >> 38) & (kWords - 1); };
  const auto bit = [](std::uint64_t hash) { return std::uint64_t{1} << ((hash >> 32) & 63); };
  for (const std::int32_t s : suspects_) marked[word(rows_[s].hash)] |= bit(rows_[s].hash);
  std::vector<std::int32_t> found;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(rows_.size()); ++i) {
    if (marked[word(rows_[i].hash)] & bit(rows_[i].hash)) found.push_back(i);
  }
  return found;
}

void Ranking::look_for_duplicates(Rows& out) {
  std::vector<std::int32_t> candidates = suspects();
  std::sort(candidates.begin(), candidates.end(), [this](std::int32_t a, std::int32_t b) {
    if (rows_[a].hash != rows_[b].hash) return rows_[a].hash < rows_[b].hash;
    const std::string_view x = rows_[a].text(), y = rows_[b].text();
    return x != y ? x < y : a < b;
  });
  std::vector<bool> dropped;
  Duplicate found{query_, {}, 0, std::numeric_limits<std::int32_t>::max()};
  for (std::size_t i = 0, j; i < candidates.size(); i = j) {
    const std::string_view id = rows_[candidates[i]].text();
    for (j = i + 1; j < candidates.size() && same_bytes(rows_[candidates[j]].text(), id);) ++j;
    if (j == i + 1) continue;
    if (candidates[i + 1] < found.second) {
      found.item = id;
      found.first = candidates[i];
      found.second = candidates[i + 1];
    }
    std::size_t kept = i;
    for (std::size_t c = i + 1; options_.duplicates == Duplicates::best && c < j; ++c) {
      if (rows_[candidates[c]].key > rows_[candidates[kept]].key) kept = c;
    }
    dropped.resize(rows_.size());
    for (std::size_t c = i; c < j; ++c) dropped[candidates[c]] = c != kept;
  }
  if (dropped.empty()) return;
  if (options_.duplicates == Duplicates::error) {
    out.duplicates.push_back(std::move(found));
  } else {
    out.dropped += std::count(dropped.begin(), dropped.end(), true);
    drop(dropped);
  }
}

void Ranking::drop(const std::vector<bool>& dropped) {
  std::vector<Row> rows;
  rows.swap(rows_);
  clear();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (dropped[i]) continue;
    const double key = rows[i].key;
    positions_.push_back(static_cast<std::int32_t>(i));
    add(rows[i].text(), rows[i].hash, options_.ascending ? -key : key, rows[i].item);
  }
}

namespace {

// An integer that falls as the key rises.
std::uint64_t falling(double key) {
  std::uint64_t bits;
  std::memcpy(&bits, &key, sizeof bits);
  const std::uint64_t rising = bits >> 63 ? ~bits : bits | std::uint64_t{1} << 63;
  return ~rising;
}

}  // namespace

void Ranking::sort() {
  const std::size_t n = rows_.size();
  entries_.resize(n);
  for (std::size_t i = 0; i < n; ++i) entries_[i] = {falling(rows_[i].key), static_cast<std::int32_t>(i)};
  if (n <= kFewRows) {
    std::sort(entries_.begin(), entries_.end(),
              [](const Entry& a, const Entry& b) { return a.key != b.key ? a.key < b.key : a.row < b.row; });
  } else {
    radix_sort();
  }
  order_.resize(n);
  for (std::size_t i = 0; i < n; ++i) order_[i] = entries_[i].row;
}

// Stable, a byte at a time; a byte that all keys share costs one look.
void Ranking::radix_sort() {
  const std::size_t n = entries_.size();
  spare_.resize(n);
  std::array<std::array<std::uint32_t, 256>, 8> counts{};
  for (const Entry& entry : entries_) {
    for (int byte = 0; byte < 8; ++byte) ++counts[byte][entry.key >> (8 * byte) & 255];
  }
  for (int byte = 0; byte < 8; ++byte) {
    auto& count = counts[byte];
    if (count[entries_[0].key >> (8 * byte) & 255] == n) continue;
    std::uint32_t next = 0;
    for (std::uint32_t& c : count) next += std::exchange(c, next);
    for (const Entry& entry : entries_) spare_[count[entry.key >> (8 * byte) & 255]++] = entry;
    entries_.swap(spare_);
  }
}

void Ranking::sort_ties() {
  const auto n = static_cast<std::int32_t>(order_.size());
  for (std::int32_t i = 0, j; i < n; i = j) {
    const double key = rows_[order_[i]].key;
    for (j = i + 1; j < n && rows_[order_[j]].key == key;) ++j;
    if (j - i < 2) continue;
    std::sort(order_.begin() + i, order_.begin() + j,
              [this](std::int32_t a, std::int32_t b) { return before(rows_[a], rows_[b]); });
  }
}

void Ranking::emit(Rows& out) const {
  const auto n = static_cast<std::int32_t>(rows_.size());
  const std::int64_t limit = options_.depth > 0 ? options_.depth : n;
  Rows::Query query{query_, out.count(), std::min<std::int64_t>(n, limit), tied_};
  if (order_.empty() && tied_ == 0 && !options_.dense) {
    for (const std::int32_t row : judged_) {
      if (row < limit) emit_row(out, row, {row, row + 1});
    }
  } else {
    query.tied = 0;
    const auto key_at = [this](std::int32_t place) { return rows_[order_.empty() ? place : order_[place]].key; };
    for (std::int32_t i = 0, j; i < n; i = j) {
      for (j = i + 1; j < n && key_at(j) == key_at(i);) ++j;
      if (j - i > 1) query.tied += j - i;
      for (std::int32_t place = i; place < j && i < limit; ++place) {
        const std::int32_t row = order_.empty() ? place : order_[place];
        if (options_.dense || rows_[row].item >= 0) emit_row(out, place, {i, j});
      }
    }
  }
  out.queries.push_back(query);
}

void Ranking::emit_row(Rows& out, std::int32_t place, Group group) const {
  const std::int32_t row = order_.empty() ? place : order_[place];
  const Row& r = rows_[row];
  out.item.push_back(r.item);
  out.rank.push_back(place + 1);
  out.group_first.push_back(group.begin + 1);
  out.group_size.push_back(group.end - group.begin);
  out.score.push_back(options_.ascending ? 0.0 - r.key : r.key);
  out.position.push_back((positions_.empty() ? row : positions_[row]) + 1);
  if (options_.dense) {
    out.ids.append(r.text());
    out.id_lengths.push_back(r.length);
  }
}

void Ranking::clear() {
  // The next query is likely as long as this one: keep as many bits, so that one long query costs the others nothing.
  std::size_t words = kLeastBits / 64;
  while (words * 64 < rows_.size() * kBitsPerRow) words *= 2;
  bits_.resize(words);
  std::fill(bits_.begin(), bits_.end(), 0);
  rows_.clear();
  positions_.clear();
  order_.clear();
  judged_.clear();
  suspects_.clear();
  keys_in_order_ = ties_in_order_ = true;
  tie_open_ = false;
  tied_ = 0;
}

}  // namespace rankscope
