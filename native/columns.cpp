#include "columns.hpp"

#include <algorithm>

#include "read.hpp"

namespace rankscope {

namespace {
constexpr std::int64_t kPiece = 1 << 15;  // rows that a thread takes at a time
}

std::string_view Table::query(std::int64_t row, Arena& arena) const {
  const auto after = std::upper_bound(batches.begin(), batches.end(), row,
                                      [](std::int64_t r, const Batch& batch) { return r < batch.begin; });
  const Batch& batch = *(after - 1);
  return batch.query.at(row - batch.begin, arena);
}

void Table::place(Problem& problem, std::string_view query, std::string_view item) const {
  const bool grades = std::string_view(problem.code()) == "conflicting-grades";
  std::int64_t first = 0, second = 0, row = 0;
  double first_value = 0;
  Arena arena;
  each_row(0, rows(), "", arena, [&](std::string_view q, std::string_view i, double value) {
    ++row;
    if (second != 0 || q != query || i != item) return;
    if (first == 0) {
      first = row;
      first_value = value;
    } else if (!grades || value != first_value) {
      second = row;
    }
  });
  problem.with("places", std::string_view(places("rows", first, second)));
}

void Table::not_finite(const char* field, double value, std::int64_t row) {
  throw Problem("not-finite").with("field", std::string_view(field)).with("text", value).with("row", row + 1);
}

bool TablePieces::next(std::int64_t& begin, std::int64_t& end) {
  const std::int64_t rows = table_.rows();
  if (cursor_ >= rows) return false;
  begin = cursor_;
  end = std::min(begin + kPiece, rows);
  if (whole_queries_ && end < rows) {
    arena_.clear();
    const std::string_view query = table_.query(end - 1, arena_);
    while (end < rows && table_.query(end, arena_) == query) ++end;
  }
  cursor_ = end;
  return true;
}

}  // namespace rankscope
