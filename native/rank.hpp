// One query's rows to ranks, tie groups and duplicates, without sorting what is sorted already.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "match.hpp"

namespace rankscope {

enum class TieOrder { docid, docid_ascending, given };
enum class Duplicates { error, first, best };

struct Options {
  TieOrder tie_order = TieOrder::docid;
  Duplicates duplicates = Duplicates::error;
  std::int64_t depth = 0;  // 0: no limit
  bool float32 = false;
  bool ascending = false;  // the lowest score is the best
  bool dense = false;      // rows for every retrieved item, not only for the judged ones
  int threads = 1;
};

// An item that a ranking has twice, by the positions of its first two rows.
struct Duplicate {
  std::int32_t query;
  std::string item;
  std::int32_t first, second;
};

// Rows of whole queries, in the order in which the queries were finished.
struct Rows {
  struct Query {
    std::int32_t query;
    std::int64_t begin;  // its first row below
    std::int64_t retrieved;
    std::int64_t tied;
  };
  std::vector<Query> queries;
  std::vector<std::int32_t> item, rank, group_first, group_size, position;
  std::vector<double> score;
  // Only when dense: the rows' ids, one after the other.
  std::string ids;
  std::vector<std::uint32_t> id_lengths;

  std::int64_t dropped = 0;
  std::vector<Duplicate> duplicates;  // at most one per query

  std::int64_t count() const { return static_cast<std::int64_t>(rank.size()); }
};

class Ranking {
 public:
  explicit Ranking(const Options& options) : options_(options), bits_(kLeastBits / 64) {}

  void begin(std::int32_t query, const Index::Items& items) {
    query_ = query;
    items_ = items;
  }

  // `id` must stay where it is until finish().
  void add(std::string_view id, double score) {
    const std::uint64_t hash = hash_of(id);
    add(id, hash, score, items_.find(id, hash));
  }
  void add(std::string_view id, std::uint64_t hash, double score, std::int32_t item) {
    if (options_.float32) score = static_cast<double>(static_cast<float>(score));
    // Adding 0.0 makes a zero of -0.0, which must tie with it.
    const Row row{(options_.ascending ? -score : score) + 0.0, id.data(), static_cast<std::uint32_t>(id.size()), item,
                  hash};
    const auto number = static_cast<std::int32_t>(rows_.size());
    if (number > 0) compare(rows_.back(), row);
    if (static_cast<std::size_t>(number) * kBitsPerRow >= bits_.size() * 64) widen_bits();
    std::uint64_t& word = bits_[(hash >> 6) & (bits_.size() - 1)];
    const std::uint64_t bit = std::uint64_t{1} << (hash & 63);
    if (word & bit) suspects_.push_back(number);
    word |= bit;
    if (item >= 0) judged_.push_back(number);
    rows_.push_back(row);
  }

  std::int64_t size() const { return static_cast<std::int64_t>(rows_.size()); }

  // Ranks what was added, appends it to `out`, and is ready for the next query.
  void finish(Rows& out);

 private:
  struct Row {
    double key;  // larger is better
    const char* id;
    std::uint32_t length;
    std::int32_t item;
    std::uint64_t hash;

    std::string_view text() const { return {id, length}; }
  };
  struct Group {
    std::int32_t begin, end;
  };
  struct Entry {
    std::uint64_t key;
    std::int32_t row;
  };

  // Among equal keys.
  bool before(const Row& a, const Row& b) const {
    return options_.tie_order == TieOrder::docid ? b.text() < a.text() : a.text() < b.text();
  }
  // Keeps track of whether the rows come in rank order.
  void compare(const Row& last, const Row& row) {
    if (row.key < last.key) {
      tie_open_ = false;
    } else if (row.key > last.key) {
      tie_open_ = keys_in_order_ = false;
    } else {
      tied_ += tie_open_ ? 1 : 2;
      tie_open_ = true;
      if (options_.tie_order != TieOrder::given && ties_in_order_) ties_in_order_ = before(last, row);
    }
  }
  std::vector<std::int32_t> suspects() const;
  void look_for_duplicates(Rows& out);
  void drop(const std::vector<bool>& dropped);
  void sort();
  void radix_sort();
  void sort_ties();
  void emit(Rows& out) const;
  void emit_row(Rows& out, std::int32_t place, Group group) const;
  void clear();
  void widen_bits();

  static constexpr std::size_t kLeastBits = 1 << 13;
  static constexpr std::size_t kBitsPerRow = 32;
  static constexpr std::size_t kFewRows = 64;
  static constexpr std::size_t kMostRows = 1 << 30;  // looked at when the bits are widened, which is at powers of 4

  const Options options_;
  std::int32_t query_ = -1;
  Index::Items items_;

  std::vector<Row> rows_;
  std::vector<std::int32_t> positions_;  // empty while row i is the i-th as given
  std::vector<std::int32_t> order_;      // empty while the rows are in rank order
  std::vector<std::int32_t> judged_;     // rows with a judgment, as given
  bool keys_in_order_ = true;
  bool ties_in_order_ = true;
  bool tie_open_ = false;
  std::int64_t tied_ = 0;  // right while the keys are in order

  // A bit per hash: a row that finds its bit set may be a duplicate.
  std::vector<std::uint64_t> bits_;
  std::vector<std::int32_t> suspects_;

  std::vector<Entry> entries_, spare_;  // only used to sort
};

}  // namespace rankscope
