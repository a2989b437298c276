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
  std::string_view id(const Row& row) const {
    return {ids_.data() + row.begin, row.length};
  }
  void group();
  std::size_t judge_query(std::size_t row, std::int32_t query, const Place& place, JudgmentColumns& out);

  Dictionary queries_;
  std::int32_t query_ = -1;
  bool grouped_ = true;
  std::vector<char> ids_;
  std::vector<Row> rows_;
  std::vector<Slot> slots_;  // the items of the query at hand
};

JudgmentColumns judge_text(const Source& source);
JudgmentColumns judge_table(const Table& table);

}  // namespace rankscope
