#include "columns.hpp"

#include <algorithm>

#include "read.hpp"

namespace rankscope {

namespace {
constexpr std::int64_t kPiece = 1 << 15;  // rows that a thread takes at a time
}

namespace {

template <class T>
std::int64_t run_of_equals(const void* values, std::int64_t row, std::int64_t end) {
  const T first = load<T>(values, row);
  while (++row < end && load<T>(values, row) == first) continue;
  return row;
}

}  // namespace

std::int64_t IdColumn::run_end(std::int64_t row, std::int64_t end) const {
  if (dictionary == nullptr && is_text()) {
    Arena none;
    std::int64_t next = row + 1;
    with_ids(none, [&](auto id_at) {
      for (const std::string_view first = id_at(row); next < end && same_bytes(id_at(next), first);) ++next;
    });
    return next;
  }
  const auto run = [&](auto example) {
    return run_of_equals<decltype(example)>(values, row + offset, end + offset) - offset;
  };
  switch (kind) {
    case Kind::i8:
    case Kind::u8: return run(std::uint8_t{});
    case Kind::i16:
    case Kind::u16: return run(std::uint16_t{});
    case Kind::i32:
    case Kind::u32: return run(std::uint32_t{});
    default: return run(std::uint64_t{});
  }
}

const Batch& Table::batch_of(std::int64_t row) const {
  const auto after = std::upper_bound(batches.begin(), batches.end(), row,
                                      [](std::int64_t r, const Batch& batch) { return r < batch.begin; });
  return *(after - 1);
}

void Places::see(std::string_view query, std::string_view item, double value) {
  ++row_;
  if (second_ != 0 || query != query_ || item != item_) return;
  if (first_ == 0) {
    first_ = row_;
    first_value_ = value;
  } else if (!grades_ || value != first_value_) {
    second_ = row_;
  }
}

void Places::tell(Problem& problem) const {
  problem.with("places", std::string_view(places("rows", first_, second_)));
}

void Table::place(Problem& problem, std::string_view query, std::string_view item) const {
  Places found(problem, query, item);
  Arena arena;
  each_row(0, rows(), "", arena, [&](std::string_view q, std::string_view i, double value) { found.see(q, i, value); });
  found.tell(problem);
}

void Batch::not_finite(const char* field, double value, std::int64_t row) {
  throw Problem("not-finite").with("field", std::string_view(field)).with("text", value).with("row", row + 1);
}

bool TablePieces::next(std::int64_t& begin, std::int64_t& end) {
  const std::int64_t rows = table_.rows();
  if (cursor_ >= rows) return false;
  begin = cursor_;
  end = std::min(begin + kPiece, rows);
  if (whole_queries_ && end < rows) end = end_of_query(end);
  cursor_ = end;
  return true;
}

// Where the query of the row before this one ends.
std::int64_t TablePieces::end_of_query(std::int64_t row) {
  arena_.clear();
  const Batch& before = table_.batch_of(row - 1);
  const std::string_view query = before.query.at(row - 1 - before.begin, arena_);
  while (row < table_.rows()) {
    const Batch& batch = table_.batch_of(row);
    const std::int64_t first = row - batch.begin;
    if (batch.query.at(first, arena_) != query) break;
    row = batch.begin + batch.query.run_end(first, std::min(first + kPiece, batch.rows));
    if (look_) look_();
  }
  return row;
}

}  // namespace rankscope
