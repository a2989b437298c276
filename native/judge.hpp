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

  static JudgmentColumns empty() {
    JudgmentColumns columns;
    for (auto* offsets : {&columns.query_offsets, &columns.row_offsets, &columns.item_offsets}) offsets->assign(1, 0);
    return columns;
  }
  void add_query(std::string_view query) {
    query_data.insert(query_data.end(), query.begin(), query.end());
    query_offsets.push_back(static_cast<std::int64_t>(query_data.size()));
    row_offsets.push_back(row_offsets.back());
  }
  // To the query added last.
  void add_row(std::string_view item, double grade) {
    item_data.insert(item_data.end(), item.begin(), item.end());
    item_offsets.push_back(static_cast<std::int64_t>(item_data.size()));
    grades.push_back(grade);
    ++row_offsets.back();
  }
};

class JudgmentCollector {
 public:
  // A query without any item is a query all the same.
  void begin(std::string_view query);
  void add(std::string_view item, double grade);
  // Makes room for so many times what there is now.
  void expect(double times);

  // Adds to a problem where a query's item stands, given the two rows among those of its query (1 is the first).
  using Place = std::function<void(Problem&, std::string_view query, std::string_view item, std::int64_t first,
                                   std::int64_t second)>;
  JudgmentColumns finish(const Place& place);

 private:
  std::int64_t pieces() const { return static_cast<std::int64_t>(columns_.query_offsets.size()) - 1; }
  std::string_view query(std::int64_t piece) const { return at(columns_.query_data, columns_.query_offsets, piece); }
  std::string_view item(std::int64_t row) const { return at(columns_.item_data, columns_.item_offsets, row); }
  static std::string_view at(const std::vector<char>& data, const std::vector<std::int64_t>& offsets, std::int64_t i) {
    return {data.data() + offsets[i], static_cast<std::size_t>(offsets[i + 1] - offsets[i])};
  }
  void group();
  std::vector<bool> repeated(const Place& place);
  void drop(const std::vector<bool>& rows);

  // The rows as they came. A query is added whenever it is not that of the row before, so it may be there in several
  // pieces; row_offsets has the first row of each.
  JudgmentColumns columns_ = JudgmentColumns::empty();
};

JudgmentColumns judge_text(const Source& source, bool three_columns, const Watch& watch);
JudgmentColumns judge_table(const Table& table);

}  // namespace rankscope
