// Python's mappings of query to items, read through the C API without intermediate objects.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>
#include <vector>

#include "align.hpp"
#include "judge.hpp"

namespace rankscope {

class MappingReader {
 public:
  explicit MappingReader(const char* value_name) : value_name_(value_name) {}

  // {query: {item: grade}} or {query: relevant items}
  void judge(nanobind::handle mapping, JudgmentCollector& collector, const Watch& watch);
  // {query: {item: score}} or {query: items, best first}
  Aligned align(nanobind::handle mapping, const Index& index, const Options& options, const Watch& watch);

  bool integer_queries() const { return integer_queries_; }
  bool integer_items() const { return integer_items_; }

 private:
  template <class Query>
  void each_query(nanobind::handle mapping, Query&& query);
  template <class Row>
  void each_item(nanobind::handle inner, std::string_view query, bool ascending, Row&& row);
  double value_of(PyObject* given, std::string_view query, PyObject* item);
  std::string_view item_text(PyObject* key);
  [[noreturn]] void wrong_inner(nanobind::handle inner, std::string_view query) const;
  [[noreturn]] void wrong_value(const char* code, PyObject* given, std::string_view query, PyObject* item);

  bool judging() const { return value_name_[0] == 'g'; }

  const char* value_name_;
  bool integer_queries_ = false;
  bool integer_items_ = false;
  Arena query_ids_, item_ids_;
};

// Ids of a sequence, one after the other; true if any of them is a whole number.
bool encode_ids(nanobind::handle values, const std::string& field, std::vector<char>& data,
                std::vector<std::int64_t>& offsets);

}  // namespace rankscope
