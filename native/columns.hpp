// Rows in memory: columns of ids and numbers, in any number of batches.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "match.hpp"
#include "problem.hpp"

namespace rankscope {

// A column of ids: texts in one of Arrow's layouts, whole numbers, or a dictionary of either.
struct IdColumn {
  enum class Kind { text32, text64, view, i8, i16, i32, i64, u8, u16, u32, u64 };

  Kind kind = Kind::text64;
  const void* values = nullptr;   // offsets, views or numbers; the codes of a dictionary
  const char* data = nullptr;     // the texts' bytes
  const void* const* buffers = nullptr;  // the views' bytes
  std::int64_t offset = 0;        // Arrow arrays may begin inside their buffers
  const IdColumn* dictionary = nullptr;
  std::int64_t dictionary_size = 0;

  bool is_text() const { return kind == Kind::text32 || kind == Kind::text64 || kind == Kind::view; }
  bool integers() const { return dictionary != nullptr ? dictionary->integers() : !is_text(); }

  // The id of a row; a whole number is written into `arena`.
  std::string_view at(std::int64_t row, Arena& arena) const {
    row += offset;
    if (dictionary != nullptr) return dictionary->at(code(row), arena);
    switch (kind) {
      case Kind::text32: return text<std::int32_t>(row);
      case Kind::text64: return text<std::int64_t>(row);
      case Kind::view: return view(row);
      case Kind::u64: return arena.write(static_cast<const std::uint64_t*>(values)[row]);
      default: return arena.write(number(row));
    }
  }

  // Asks for the memory of rows ahead: the texts of a large dictionary lie anywhere, each of them a wait. Always
  // inline, because GCC takes away calls of functions that do nothing but this.
  __attribute__((always_inline)) void expect(std::int64_t row, std::int64_t end) const {
    if (dictionary == nullptr) return;
    if (row + 2 * kAhead < end) dictionary->fetch_place(number(row + 2 * kAhead + offset), dictionary_size);
    if (row + kAhead < end) dictionary->fetch_text(number(row + kAhead + offset), dictionary_size);
  }

  // Whether two rows of this column certainly have the same id: the cheap test for a query that goes on.
  bool same(std::int64_t a, std::int64_t b, Arena& arena) const {
    if (dictionary == nullptr && is_text()) return same_bytes(at(a, arena), at(b, arena));
    return kind == Kind::u64 ? static_cast<const std::uint64_t*>(values)[a + offset] ==
                                   static_cast<const std::uint64_t*>(values)[b + offset]
                             : number(a + offset) == number(b + offset);
  }

 private:
  static constexpr std::int64_t kAhead = 16;

  __attribute__((always_inline)) void fetch_place(std::int64_t row, std::int64_t size) const {
    if (row < 0 || row >= size) return;
    const std::int64_t width = kind == Kind::text32 ? 4 : kind == Kind::text64 ? 8 : 16;
    __builtin_prefetch(static_cast<const char*>(values) + width * (row + offset));
  }
  __attribute__((always_inline)) void fetch_text(std::int64_t row, std::int64_t size) const {
    if (row < 0 || row >= size) return;
    if (kind == Kind::text32) __builtin_prefetch(text<std::int32_t>(row + offset).data());
    if (kind == Kind::text64) __builtin_prefetch(text<std::int64_t>(row + offset).data());
  }

  template <class Offset>
  std::string_view text(std::int64_t row) const {
    const auto* offsets = static_cast<const Offset*>(values);
    return {data + offsets[row], static_cast<std::size_t>(offsets[row + 1] - offsets[row])};
  }

  std::string_view view(std::int64_t row) const {
    const char* entry = static_cast<const char*>(values) + 16 * row;
    std::int32_t length, buffer, start;
    std::memcpy(&length, entry, 4);
    if (length <= 12) return {entry + 4, static_cast<std::size_t>(length)};
    std::memcpy(&buffer, entry + 8, 4);
    std::memcpy(&start, entry + 12, 4);
    return {static_cast<const char*>(buffers[buffer]) + start, static_cast<std::size_t>(length)};
  }

  std::int64_t number(std::int64_t row) const {
    switch (kind) {
      case Kind::i8: return static_cast<const std::int8_t*>(values)[row];
      case Kind::i16: return static_cast<const std::int16_t*>(values)[row];
      case Kind::i32: return static_cast<const std::int32_t*>(values)[row];
      case Kind::u8: return static_cast<const std::uint8_t*>(values)[row];
      case Kind::u16: return static_cast<const std::uint16_t*>(values)[row];
      case Kind::u32: return static_cast<const std::uint32_t*>(values)[row];
      default: return static_cast<const std::int64_t*>(values)[row];
    }
  }

  std::int64_t code(std::int64_t row) const {
    const std::int64_t found = number(row);
    if (found < 0 || found >= dictionary_size) {
      throw Problem("null").with("field", std::string_view("an id")).with("row", row - offset + 1);
    }
    return found;
  }
};

struct NumberColumn {
  enum class Kind { f32, f64, i8, i16, i32, i64, u8, u16, u32, u64 };
  Kind kind = Kind::f64;
  const void* values = nullptr;
  std::int64_t offset = 0;

  double at(std::int64_t row) const {
    row += offset;
    switch (kind) {
      case Kind::f32: return static_cast<double>(static_cast<const float*>(values)[row]);
      case Kind::i8: return static_cast<double>(static_cast<const std::int8_t*>(values)[row]);
      case Kind::i16: return static_cast<double>(static_cast<const std::int16_t*>(values)[row]);
      case Kind::i32: return static_cast<double>(static_cast<const std::int32_t*>(values)[row]);
      case Kind::i64: return static_cast<double>(static_cast<const std::int64_t*>(values)[row]);
      case Kind::u8: return static_cast<double>(static_cast<const std::uint8_t*>(values)[row]);
      case Kind::u16: return static_cast<double>(static_cast<const std::uint16_t*>(values)[row]);
      case Kind::u32: return static_cast<double>(static_cast<const std::uint32_t*>(values)[row]);
      case Kind::u64: return static_cast<double>(static_cast<const std::uint64_t*>(values)[row]);
      default: return static_cast<const double*>(values)[row];
    }
  }
};

struct Batch {
  std::int64_t begin = 0;  // its first row among those of all batches
  std::int64_t rows = 0;
  IdColumn query, item;
  NumberColumn value;
};

struct Table {
  std::vector<Batch> batches;

  std::int64_t rows() const { return batches.empty() ? 0 : batches.back().begin + batches.back().rows; }
  bool integer_queries() const { return !batches.empty() && batches.front().query.integers(); }
  bool integer_items() const { return !batches.empty() && batches.front().item.integers(); }

  std::string_view query(std::int64_t row, Arena& arena) const;
  // Adds "rows 3 and 9" to a problem: where a query's item stands for the first and the second time; if the problem
  // is one of grades, the second with another grade.
  void place(Problem& problem, std::string_view query, std::string_view item) const;

  // Calls visit(query, item, value) for rows begin..end; ids stay valid until `arena` is cleared.
  template <class Visit>
  void each_row(std::int64_t begin, std::int64_t end, const char* value_name, Arena& arena, Visit&& visit) const {
    for (const Batch& batch : batches) {
      const std::int64_t first = std::max<std::int64_t>(begin - batch.begin, 0);
      const std::int64_t last = std::min(end - batch.begin, batch.rows);
      std::string_view query;
      for (std::int64_t i = first; i < last; ++i) {
        batch.item.expect(i, last);
        if (i == first || !batch.query.same(i - 1, i, arena)) query = batch.query.at(i, arena);
        const double value = batch.value.at(i);
        if (!(value - value == 0)) not_finite(value_name, value, batch.begin + i);
        visit(query, batch.item.at(i, arena), value);
      }
    }
  }

 private:
  [[noreturn]] static void not_finite(const char* field, double value, std::int64_t row);
};

// Hands out ranges of rows, each ended where another query begins (or anywhere when queries are scattered).
class TablePieces {
 public:
  TablePieces(const Table& table, bool whole_queries) : table_(table), whole_queries_(whole_queries) {}
  bool next(std::int64_t& begin, std::int64_t& end);

 private:
  const Table& table_;
  bool whole_queries_;
  std::int64_t cursor_ = 0;
  Arena arena_;
};

}  // namespace rankscope
