// What aligning gives: the rows of whole queries, put together in the order of the judgments.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "match.hpp"
#include "rank.hpp"

namespace rankscope {

// The columns of rankscope.align.tables, and what else was met.
struct Aligned {
  std::vector<std::int64_t> offsets, retrieved, tied_rows;
  std::vector<std::uint8_t> in_run;
  std::vector<std::int32_t> item, rank, group_first, group_size, position;
  std::vector<double> score;
  // Only when dense.
  std::vector<char> dictionary_data;
  std::vector<std::int64_t> dictionary_offsets;

  std::int64_t rows = 0;
  std::int64_t extra_queries = 0;
  std::vector<std::string> extra_examples;
  std::int64_t dropped_duplicates = 0;
};

// Puts rows of whole queries into the judgments' order.
void assemble(const Index& index, const Options& options, const std::vector<const Rows*>& parts, Aligned& out);
void count_extra(const Dictionary& extra, Aligned& out);

// Rows that arrive one by one from a caller that has its own loop (a mapping of Python's).
class Collector {
 public:
  Collector(const Index& index, const Options& options);

  // Starts a query, which may come only once; false if it has no judgments, and so neither rows nor an end.
  bool begin(std::string_view query);
  // The id must stay where it is until the query ends.
  void add(std::string_view item, double score) { ranking_.add(item, score); }
  void end();
  // `rows`: how many there were, those of queries without judgments included.
  Aligned finish(std::int64_t rows);

 private:
  const Index& index_;
  const Options options_;
  Ranking ranking_;
  Rows out_;
  Dictionary extra_;
};

}  // namespace rankscope
