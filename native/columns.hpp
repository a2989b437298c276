// Rows in memory: columns of ids and numbers, in any number of batches.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "match.hpp"
#include "problem.hpp"
#include "watch.hpp"

namespace rankscope {

// A number of a column, which need not lie where the machine would put it: pages of files begin anywhere.
template <class T>
T load(const void* values, std::int64_t row) {
  T value;
  std::memcpy(&value, static_cast<const char*>(values) + row * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
  return value;
}

// A column of ids: texts in one of Arrow's layouts, whole numbers, or a dictionary of either.
struct IdColumn {
  enum class Kind { text32, text64, view, prefixed, i8, i16, i32, i64, u8, u16, u32, u64 };

  Kind kind = Kind::text64;
  const void* values = nullptr;   // offsets, views or numbers; starts of texts behind their lengths; a dictionary's codes
  const char* data = nullptr;     // the texts' bytes
  const void* const* buffers = nullptr;  // the views' bytes
  std::int64_t offset = 0;        // Arrow arrays may begin inside their buffers
  const IdColumn* dictionary = nullptr;
  std::int64_t dictionary_size = 0;

  bool is_text() const { return kind <= Kind::prefixed; }
  bool integers() const { return dictionary != nullptr ? dictionary->integers() : !is_text(); }

  // The id of a row; a whole number is written into `arena`.
  std::string_view at(std::int64_t row, Arena& arena) const {
    row += offset;
    if (dictionary != nullptr) return dictionary->at(code(row), arena);
    switch (kind) {
      case Kind::text32: return text<std::int32_t>(row);
      case Kind::text64: return text<std::int64_t>(row);
      case Kind::view: return view(row);
      case Kind::prefixed: return prefixed(row);
      case Kind::u64: return arena.write(load<std::uint64_t>(values, row));
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

  // The first row after `row`, before `end`, that has another id than its neighbour. A dictionary may have an id
  // twice, so that what is told apart here may still be the same.
  std::int64_t run_end(std::int64_t row, std::int64_t end) const;

  // Calls use(at) with a function that gives the id of a row: one for each of the usual layouts, so that what
  // loops over rows asks for the layout once.
  template <class Use>
  void with_ids(Arena& arena, Use&& use) const {
    if (dictionary == nullptr && kind == Kind::text32) {
      use([this](std::int64_t row) { return text<std::int32_t>(row + offset); });
    } else if (dictionary == nullptr && kind == Kind::text64) {
      use([this](std::int64_t row) { return text<std::int64_t>(row + offset); });
    } else if (dictionary == nullptr && kind == Kind::i64) {
      use([this, &arena](std::int64_t row) { return arena.write(number(row + offset)); });
    } else if (dictionary == nullptr && kind == Kind::prefixed) {
      use([this](std::int64_t row) { return prefixed(row + offset); });
    } else {
      use([this, &arena](std::int64_t row) { return at(row, arena); });
    }
  }

 private:
  static constexpr std::int64_t kAhead = 16;

  __attribute__((always_inline)) void fetch_place(std::int64_t row, std::int64_t size) const {
    if (row < 0 || row >= size) return;
    const std::int64_t width = kind == Kind::view ? 16 : kind == Kind::text64 ? 8 : 4;
    __builtin_prefetch(static_cast<const char*>(values) + width * (row + offset));
  }
  __attribute__((always_inline)) void fetch_text(std::int64_t row, std::int64_t size) const {
    if (row < 0 || row >= size) return;
    if (kind == Kind::text32) __builtin_prefetch(text<std::int32_t>(row + offset).data());
    if (kind == Kind::text64) __builtin_prefetch(text<std::int64_t>(row + offset).data());
    if (kind == Kind::prefixed) __builtin_prefetch(data + static_cast<const std::int32_t*>(values)[row + offset] - 4);
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

  std::string_view prefixed(std::int64_t row) const {
    const char* const start = data + load<std::int32_t>(values, row);
    std::uint32_t length;
    std::memcpy(&length, start - 4, 4);
    return {start, length};
  }

  std::int64_t number(std::int64_t row) const {
    switch (kind) {
      case Kind::i8: return load<std::int8_t>(values, row);
      case Kind::i16: return load<std::int16_t>(values, row);
      case Kind::i32: return load<std::int32_t>(values, row);
      case Kind::u8: return load<std::uint8_t>(values, row);
      case Kind::u16: return load<std::uint16_t>(values, row);
      case Kind::u32: return load<std::uint32_t>(values, row);
      default: return load<std::int64_t>(values, row);
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
      case Kind::f32: return static_cast<double>(load<float>(values, row));
      case Kind::i8: return static_cast<double>(load<std::int8_t>(values, row));
      case Kind::i16: return static_cast<double>(load<std::int16_t>(values, row));
      case Kind::i32: return static_cast<double>(load<std::int32_t>(values, row));
      case Kind::i64: return static_cast<double>(load<std::int64_t>(values, row));
      case Kind::u8: return static_cast<double>(load<std::uint8_t>(values, row));
      case Kind::u16: return static_cast<double>(load<std::uint16_t>(values, row));
      case Kind::u32: return static_cast<double>(load<std::uint32_t>(values, row));
      case Kind::u64: return static_cast<double>(load<std::uint64_t>(values, row));
      default: return load<double>(values, row);
    }
  }

  // As IdColumn::with_ids.
  template <class Use>
  void with_numbers(Use&& use) const {
    if (kind == Kind::f64) {
      use([this](std::int64_t row) { return load<double>(values, row + offset); });
    } else {
      use([this](std::int64_t row) { return at(row); });
    }
  }
};

struct Batch {
  std::int64_t begin = 0;  // its first row among those of all batches
  std::int64_t rows = 0;
  IdColumn query, item;
  NumberColumn value;

  // Calls visit(query, item, value) for rows first..last of the batch.
  template <class Visit>
  void each_row(std::int64_t first, std::int64_t last, const char* value_name, Arena& arena, Visit&& visit) const {
    item.with_ids(arena, [&](auto item_at) {
      value.with_numbers([&](auto value_at) {
        for (std::int64_t i = first; i < last;) {
          const std::string_view id = query.at(i, arena);
          for (const std::int64_t stop = query.run_end(i, last); i < stop; ++i) {
            item.expect(i, last);
            const double number = value_at(i);
            if (!(number - number == 0)) not_finite(value_name, number, begin + i);
            visit(id, item_at(i), number);
          }
        }
      });
    });
  }

 private:
  [[noreturn]] static void not_finite(const char* field, double value, std::int64_t row);
};

// Looks among rows for the first two with a query's item; if the problem is one of grades, for two that differ.
class Places {
 public:
  Places(const Problem& problem, std::string_view query, std::string_view item)
      : query_(query), item_(item), grades_(std::string_view(problem.code()) == "conflicting-grades") {}
  void see(std::string_view query, std::string_view item, double value);
  // Adds "rows 3 and 9" to the problem.
  void tell(Problem& problem) const;

 private:
  std::string_view query_, item_;
  bool grades_;
  std::int64_t row_ = 0, first_ = 0, second_ = 0;
  double first_value_ = 0;
};

struct Table {
  std::vector<Batch> batches;

  std::int64_t rows() const { return batches.empty() ? 0 : batches.back().begin + batches.back().rows; }
  bool integer_queries() const { return !batches.empty() && batches.front().query.integers(); }
  bool integer_items() const { return !batches.empty() && batches.front().item.integers(); }

  // The batch that a row is in.
  const Batch& batch_of(std::int64_t row) const;
  // Adds to a problem where a query's item stands for the first and the second time.
  void place(Problem& problem, std::string_view query, std::string_view item) const;

  // Calls visit(query, item, value) for rows begin..end; ids stay valid until `arena` is cleared.
  template <class Visit>
  void each_row(std::int64_t begin, std::int64_t end, const char* value_name, Arena& arena, Visit&& visit) const {
    for (const Batch& batch : batches) {
      const std::int64_t first = std::max<std::int64_t>(begin - batch.begin, 0);
      const std::int64_t last = std::min(end - batch.begin, batch.rows);
      if (first < last) batch.each_row(first, last, value_name, arena, visit);
    }
  }
};

// Hands out ranges of rows, each ended where another query begins (or anywhere when queries are scattered).
class TablePieces {
 public:
  TablePieces(const Table& table, bool whole_queries, Look look = nullptr)
      : table_(table), whole_queries_(whole_queries), look_(std::move(look)) {}
  bool next(std::int64_t& begin, std::int64_t& end);

 private:
  std::int64_t end_of_query(std::int64_t row);

  const Table& table_;
  bool whole_queries_;
  Look look_;
  std::int64_t cursor_ = 0;
  Arena arena_;
};

}  // namespace rankscope
