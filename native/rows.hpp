// Rows as they are listed, for writing them in another format.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "columns.hpp"
#include "read.hpp"
#include "watch.hpp"

namespace rankscope {

struct RowColumns {
  std::vector<char> query_data, item_data;
  std::vector<std::int64_t> query_offsets{0}, item_offsets{0};
  std::vector<double> values;

  void add(std::string_view query, std::string_view item, double value) {
    query_data.insert(query_data.end(), query.begin(), query.end());
    query_offsets.push_back(static_cast<std::int64_t>(query_data.size()));
    item_data.insert(item_data.end(), item.begin(), item.end());
    item_offsets.push_back(static_cast<std::int64_t>(item_data.size()));
    values.push_back(value);
  }
};

// A rank becomes the score that orders alike: its negative.
RowColumns list_text(const Source& source, std::string_view layout, const Watch& watch);
RowColumns list_table(const Table& table, bool grades);

}  // namespace rankscope
