// Bytes to rows: sources, lines, fields and numbers of TREC text.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "problem.hpp"
#include "watch.hpp"

// Where there is no SSE2, every line takes the way of the long ones.
#ifdef __SSE2__
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
  void load(const Source& source, std::int64_t begin, std::int64_t end, const Look& look = nullptr);
  const char* begin() const { return bytes_.get(); }
  // Behind the byte-order mark, if this is the beginning of a source that has one.
  const char* first_line() const {
    const bool mark = offset_ == 0 && size_ >= 3 && std::string_view(begin(), 3) == "\xEF\xBB\xBF";
    return begin() + (mark ? 3 : 0);
  }
  const char* end() const { return bytes_.get() + size_; }
  std::int64_t offset() const { return offset_; }

 private:
  static constexpr std::size_t kRoom = 64;
  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
  std::int64_t offset_ = 0;
};

enum class Number { ok, not_a_number, not_finite, overflow };

// [+-]digits[.digits][e[+-]digits] and nothing else; underflow is 0. The nearest double, whatever the locale.
Number parse_any_number(std::string_view text, double& value);

// The same; most numbers are short, and for those it is one loop and one division.
inline Number parse_number(std::string_view text, double& value) {
  constexpr int kExactDigits = 15;  // so many digits are exact in a double, and so is 10 to that power
  static constexpr double kPowersOfTen[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                            1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const char* p = text.data();
  const char* const end = p + text.size();
  const bool negative = p < end && *p == '-';
  if (negative) ++p;
  std::uint64_t digits = 0;
  const char* point = nullptr;
  const char* const first = p;
  for (; p < end; ++p) {
    const unsigned digit = static_cast<unsigned char>(*p) - unsigned{'0'};
    if (digit < 10) {
      digits = digits * 10 + digit;
    } else if (*p == '.' && point == nullptr) {
      point = p;
    } else {
      return parse_any_number(text, value);
    }
  }
  const std::ptrdiff_t count = (end - first) - (point != nullptr);
  if (count < 1 || count > kExactDigits) return parse_any_number(text, value);
  const double magnitude =
      static_cast<double>(digits) / kPowersOfTen[point != nullptr ? end - point - 1 : 0];  // rounds once
  value = negative ? -magnitude : magnitude;
  return Number::ok;
}

// Whole numbers up to 2^53 are exact in a double: a grade must be one that can be told from its neighbours.
inline bool is_exact(double grade) { return std::fabs(grade) <= 9007199254740992.0; }

inline bool is_rank(double rank) { return rank >= 1 && is_exact(rank) && std::floor(rank) == rank; }

enum class Value { score, grade, rank };

// What the columns of a text mean.
struct Layout {
  int columns;
  int query, item, value;
  Value kind;
  const char* value_name;
  const char* words;

  bool allows(double number) const {
    return kind == Value::score || (kind == Value::grade ? is_exact(number) : is_rank(number));
  }
};
inline constexpr Layout kRunLayout{6, 0, 2, 4, Value::score, "score", "query Q0 item rank score tag"};
inline constexpr Layout kScoresLayout{3, 0, 1, 2, Value::score, "score", "query item score"};
inline constexpr Layout kRanksLayout{3, 0, 1, 2, Value::rank, "rank", "query item rank"};
inline constexpr Layout kJudgmentsLayout{4, 0, 2, 3, Value::grade, "grade", "query 0 item grade"};
inline constexpr Layout kGradesLayout{3, 0, 1, 2, Value::grade, "grade", "query item grade"};

constexpr std::int64_t kMaxLine = 1 << 20;

// The fields of a row that matter, and where the next line begins.
struct Row {
  std::string_view query, item, value;
  const char* next;
};

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

// The row of a line of less than 64 bytes that has the right number of columns; false for any other line.
template <const Layout& layout>
inline bool split_short_line(const char* line, Row& row) {
  std::uint64_t blank, newline;
  classify(line, blank, newline);
  if (newline == 0 || *line == '#') return false;
  const int length = __builtin_ctzll(newline);
  const std::uint64_t ink = ~blank & ((std::uint64_t{1} << length) - 1);
  std::uint64_t starts[layout.columns + 1], stops[layout.columns];  // with the first i fields taken away
  starts[0] = ink & ~(ink << 1);
  stops[0] = ~ink & (ink << 1);
  for (int i = 0; i < layout.columns; ++i) starts[i + 1] = starts[i] & (starts[i] - 1);
  for (int i = 0; i + 1 < layout.columns; ++i) stops[i + 1] = stops[i] & (stops[i] - 1);
  if (starts[layout.columns - 1] == 0 || starts[layout.columns] != 0) return false;
  const auto field = [&](int i) -> std::string_view {
    const int begin = __builtin_ctzll(starts[i]);
    return {line + begin, static_cast<std::size_t>(__builtin_ctzll(stops[i]) - begin)};
  };
  row = {field(layout.query), field(layout.item), field(layout.value), line + length + 1};
  return true;
}
#endif

// The row of any line; false if it has none (a comment, a blank line). Anything else is a problem.
bool split_line(const char* line, const Block& block, const Layout& layout, Row& row);

[[noreturn]] void wrong_value(Number number, const Row& row, const Layout& layout, const Block& block,
                              const char* line);

// Calls visit(query, item, value) for each row of a block.
template <const Layout& layout, class Visit>
void each_row(const Block& block, Visit&& visit) {
  const char* const end = block.end();
  Row row;
  for (const char* line = block.first_line(); line < end; line = row.next) {
#ifdef RANKSCOPE_SSE2
    const bool split = split_short_line<layout>(line, row);
#else
    constexpr bool split = false;
#endif
    if (!split && !split_line(line, block, layout, row)) continue;
    double value;
    const Number number = parse_number(row.value, value);
    if (number != Number::ok || !layout.allows(value)) wrong_value(number, row, layout, block, line);
    visit(row.query, row.item, value);
  }
}

// Hands out the pieces of a text, each ended where a row of another query begins (or, when queries are
// scattered, at the end of any line).
class TextPieces {
 public:
  TextPieces(const Source& source, bool whole_queries, Look look = nullptr)
      : source_(source), whole_queries_(whole_queries), look_(std::move(look)) {}

  bool next(std::int64_t& begin, std::int64_t& end);

 private:
  std::int64_t boundary_after(std::int64_t offset) const;

  const Source& source_;
  bool whole_queries_;
  Look look_;
  std::int64_t cursor_ = 0;
};

// Turns the place of a problem into a line number, and tells a bad first line from a later one.
void locate(Problem& problem, const Source& source, const Layout& layout, const Look& look);
// Adds "lines 3 and 9" to a problem: where a query's item stands for the first and the second time; in
// judgments, the second with another grade.
void place_in_text(Problem& problem, const Source& source, const Layout& layout, std::string_view query,
                   std::string_view item, const Look& look);
std::string places(const char* unit, std::int64_t first, std::int64_t second);

}  // namespace rankscope
