// Judgments: rows in any order to queries, each with its distinct items and their grades.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "columns.hpp"
#include "match.hpp"
#include "read.hpp"
#include "watch.hpp"

namespace rankscope {

// The columns of rankscope.data.Judgments.
struct JudgmentColumns {
  std::vector<char> query_data, item_data;
  std::vector<std::int64_t> query_offsets, row_offsets, item_offsets;
  std::vector<double> grades;
  std::int64_t merged = 0;  // rows that repeat a judgment
};

class JudgmentCollector {
 public:
  // A query without any item is a query all the same.
  void begin(std::string_view query);
  void add(std::string_view item, double grade);
  // Adds to a problem where a query's item stands, given the two rows among those of its query (1 is the first).
  using Place = std::function<void(Problem&, std::string_view query, std::string_view item, std::int64_t first,
                                   std::int64_t second)>;
  JudgmentColumns finish(const Place& place);

 private:
  struct Row {
    std::int32_t query;
    std::uint32_t length;
    std::int64_t begin;  // of the id in ids_
    double grade;
  };
  std::string_view id(const Row& row) const { return {ids_.data() + row.begin, row.length}; }
  std::string_view query(std::int64_t q) const {
    return {query_data_.data() + query_offsets_[q], static_cast<std::size_t>(query_offsets_[q + 1] - query_offsets_[q])};
  }
  void group();
  std::size_t judge_query(std::size_t begin, std::int32_t q, const Place& place, JudgmentColumns& out);

  // A query is added whenever it is not that of the row before; those that come back are found at the end.
  std::vector<char> query_data_;
  std::vector<std::int64_t> query_offsets_{0};
  std::int32_t current_ = -1;
  std::vector<char> ids_;
  std::vector<Row> rows_;
  std::vector<Slot> slots_;  // the items of the query at hand
};

JudgmentColumns judge_text(const Source& source, const Watch& watch);
JudgmentColumns judge_table(const Table& table);

}  // namespace rankscope
