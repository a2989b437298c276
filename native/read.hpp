// Bytes to rows: sources, lines, fields and numbers of TREC text.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "problem.hpp"

#if !defined(RANKSCOPE_NO_SIMD) && (defined(__SSE2__) || defined(_M_X64))
#define RANKSCOPE_SSE2 1
#include <emmintrin.h>
#endif

namespace rankscope {

// Input that can be read anywhere, by many threads at once: memory, or a file by its descriptor.
class Source {
 public:
  static Source memory(const char* data, std::size_t size);
  static Source file(int descriptor);

  std::int64_t size() const { return size_; }
  // Fills `into`; a file that has become shorter is a problem, never a crash.
  void read(std::int64_t offset, char* into, std::size_t count) const;

 private:
  const char* data_ = nullptr;
  int descriptor_ = -1;
  std::int64_t size_ = 0;
};

// A piece of a source, ended by a newline and by room for wide loads past its end.
class Block {
 public:
  void load(const Source& source, std::int64_t begin, std::int64_t end);
  const char* begin() const { return bytes_.data(); }
  const char* end() const { return bytes_.data() + size_; }
  std::int64_t offset() const { return offset_; }

 private:
  static constexpr std::size_t kRoom = 64;
  std::vector<char> bytes_;
  std::size_t size_ = 0;
  std::int64_t offset_ = 0;
};

enum class Number { ok, not_a_number, not_finite, overflow };

// [+-]digits[.digits][e[+-]digits] and nothing else; underflow is 0. The nearest double, whatever the locale.
Number parse_number(std::string_view text, double& value);

// Whole numbers up to 2^53 are exact in a double: a grade must be one that can be told from its neighbours.
inline bool is_exact(double grade) { return std::fabs(grade) <= 9007199254740992.0; }

constexpr int kMaxFields = 6;
constexpr std::int64_t kMaxLine = 1 << 20;

struct Fields {
  int count;  // may be larger than kMaxFields; the rest is not kept
  const char* begin[kMaxFields];
  const char* end[kMaxFields];
  const char* next;  // where the next line begins

  std::string_view operator[](int i) const {
    return {begin[i], static_cast<std::size_t>(end[i] - begin[i])};
  }
};

inline bool is_blank(unsigned char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Lines of any length; `line` must lie in a Block.
void split_long_line(const char* line, const char* end, Fields& fields);

#ifdef RANKSCOPE_SSE2
// One bit per byte of 64: which are blank, which are newlines.
inline void classify(const char* p, std::uint64_t& blank, std::uint64_t& newline) {
  blank = newline = 0;
  for (int i = 0; i < 4; ++i) {
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p) + i);
    const __m128i shifted = _mm_sub_epi8(v, _mm_set1_epi8('\t'));
    const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(shifted, _mm_set1_epi8(4)), shifted);
    const __m128i space = _mm_cmpeq_epi8(v, _mm_set1_epi8(' '));
    const auto bits = [&](__m128i mask) {
      return static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(mask))) << (16 * i);
    };
    blank |= bits(_mm_or_si128(control, space));
    newline |= bits(_mm_cmpeq_epi8(v, _mm_set1_epi8('\n')));
  }
}
#endif

inline void split_line(const char* line, const char* end, Fields& fields) {
#ifdef RANKSCOPE_SSE2
  std::uint64_t blank, newline;
  classify(line, blank, newline);
  if (newline != 0) {
    const int length = __builtin_ctzll(newline);
    const std::uint64_t ink = ~blank & ((std::uint64_t{1} << length) - 1);
    std::uint64_t starts = ink & ~(ink << 1);
    std::uint64_t stops = ~ink & (ink << 1);
    int count = 0;
    for (; starts != 0; starts &= starts - 1, stops &= stops - 1, ++count) {
      if (count < kMaxFields) {
        fields.begin[count] = line + __builtin_ctzll(starts);
        fields.end[count] = line + __builtin_ctzll(stops);
      }
    }
    fields.count = count;
    fields.next = line + length + 1;
    return;
  }
#endif
  split_long_line(line, end, fields);
}

// What the columns of a text mean.
struct Layout {
  int columns;
  int query, item, value;
  const char* value_name;  // "score" or "grade"
  const char* words;
};
extern const Layout kRunLayout;
extern const Layout kJudgmentsLayout;

// The value of a row, or a Problem that says which field of which line is wrong.
double row_value(const Fields& fields, const Layout& layout, const Block& block, const char* line);
[[noreturn]] void line_too_long(const Block& block, const char* line);
[[noreturn]] void wrong_columns(const Fields& fields, const Layout& layout, const Block& block, const char* line);

// Calls row(query, item, value) for each data line of a block.
template <class Row>
void each_row(const Block& block, const Layout& layout, Row&& row) {
  const char* line = block.begin();
  const char* const end = block.end();
  if (block.offset() == 0 && end - line >= 3 && std::string_view(line, 3) == "\xEF\xBB\xBF") line += 3;
  Fields fields;
  for (; line < end; line = fields.next) {
    split_line(line, end, fields);
    if (fields.next - line > kMaxLine + 1) line_too_long(block, line);
    if (fields.count == 0 || *line == '#') continue;
    if (fields.count != layout.columns) wrong_columns(fields, layout, block, line);
    row(fields[layout.query], fields[layout.item], row_value(fields, layout, block, line));
  }
}

// Hands out the pieces of a text, each ended where a row of another query begins (or, when queries are
// scattered, at the end of any line).
class TextPieces {
 public:
  TextPieces(const Source& source, bool whole_queries) : source_(source), whole_queries_(whole_queries) {}

  bool next(std::int64_t& begin, std::int64_t& end);

 private:
  std::int64_t boundary_after(std::int64_t offset) const;

  const Source& source_;
  bool whole_queries_;
  std::int64_t cursor_ = 0;
};

// Turns the place of a problem into a line number, and tells a bad first line from a later one.
void locate(Problem& problem, const Source& source, const Layout& layout);
// Adds "lines 3 and 9" to a problem: where a query's item stands for the first and the second time; in
// judgments, the second with another grade.
void place_in_text(Problem& problem, const Source& source, const Layout& layout, std::string_view query,
                   std::string_view item);
std::string places(const char* unit, std::int64_t first, std::int64_t second);

}  // namespace rankscope
