#include "read.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

namespace rankscope {

namespace {
constexpr std::int64_t kPiece = 1 << 19;    // bytes that a thread takes at a time
constexpr std::int64_t kWindow = 1 << 14;   // bytes looked at to find where a piece may end
constexpr std::size_t kGulp = 1 << 22;      // bytes read between two looks at the world outside
}  // namespace

Source Source::memory(const char* data, std::size_t size) {
  Source source;
  source.data_ = data;
  source.size_ = static_cast<std::int64_t>(size);
  return source;
}

Source Source::file(int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status) != 0) throw Problem("changed");
  Source source;
  source.descriptor_ = descriptor;
  source.size_ = static_cast<std::int64_t>(status.st_size);
  return source;
}

void Source::read(std::int64_t offset, char* into, std::size_t count) const {
  if (offset < 0 || offset + static_cast<std::int64_t>(count) > size_) throw Problem("changed");
  if (data_ != nullptr) {
    std::memcpy(into, data_ + offset, count);
    return;
  }
  while (count > 0) {
    const ssize_t got = pread(descriptor_, into, count, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw Problem("changed");
    into += got;
    offset += got;
    count -= static_cast<std::size_t>(got);
  }
}

void Block::load(const Source& source, std::int64_t begin, std::int64_t end, const Look& look) {
  offset_ = begin;
  size_ = static_cast<std::size_t>(end - begin);
  if (capacity_ < size_ + kRoom) {
    capacity_ = size_ + kRoom;
    bytes_.reset(new char[capacity_]);  // not set to zero, for it is filled at once
  }
  for (std::size_t done = 0; done < size_; done += kGulp) {
    if (look && done > 0) look();
    source.read(begin + static_cast<std::int64_t>(done), bytes_.get() + done, std::min(kGulp, size_ - done));
  }
  std::memset(bytes_.get() + size_, '\n', kRoom);
}

namespace {

bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

bool spells_not_finite(std::string_view text) {
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
  return lower == "nan" || lower == "inf" || lower == "infinity";
}

// Where the first significant digit stands: 123 -> 3, 0.001 -> -2; 0 for a zero.
std::int64_t magnitude(std::string_view digits, std::int64_t exponent) {
  std::int64_t before_point = 0;
  bool point = false, significant = false;
  std::int64_t zeros_after_point = 0;
  for (char c : digits) {
    if (c == '.') {
      point = true;
    } else if (c != '0' || significant) {
      significant = true;
      if (!point) ++before_point;
    } else if (point) {
      ++zeros_after_point;
    }
  }
  if (!significant) return 0;
  return (before_point > 0 ? before_point : -zeros_after_point) + exponent;
}

}  // namespace

Number parse_any_number(std::string_view text, double& value) {
  std::size_t i = 0;
  const bool negative = !text.empty() && text[0] == '-';
  if (negative || (!text.empty() && text[0] == '+')) ++i;
  const std::size_t mantissa = i;
  std::size_t digits = 0;
  for (; i < text.size() && is_digit(text[i]); ++i) ++digits;
  if (i < text.size() && text[i] == '.') {
    for (++i; i < text.size() && is_digit(text[i]); ++i) ++digits;
  }
  const std::size_t mantissa_end = i;
  std::int64_t exponent = 0;
  if (digits > 0 && i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    const bool down = i < text.size() && text[i] == '-';
    if (down || (i < text.size() && text[i] == '+')) ++i;
    const std::size_t first = i;
    for (; i < text.size() && is_digit(text[i]); ++i) {
      if (exponent < 100000000) exponent = exponent * 10 + (text[i] - '0');
    }
    if (i == first) digits = 0;
    if (down) exponent = -exponent;
  }
  if (digits == 0 || i != text.size()) {
    return spells_not_finite(text) ? Number::not_finite : Number::not_a_number;
  }
  const std::string_view unsigned_text = text.substr(mantissa);
  double magnitude_value = 0;
  const auto result =
      std::from_chars(unsigned_text.data(), unsigned_text.data() + unsigned_text.size(), magnitude_value);
  if (result.ec == std::errc::result_out_of_range) {
    if (magnitude(text.substr(mantissa, mantissa_end - mantissa), exponent) > 0) return Number::overflow;
    magnitude_value = 0;
  }
  value = negative ? -magnitude_value : magnitude_value;
  return Number::ok;
}

namespace {

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// The fields of a line, by hand; of too many, the first ones.
struct Fields {
  static constexpr int kMost = 6;
  std::string_view fields[kMost];
  const char* next;

  Fields(const char* line, const char* end) {
    const void* found = std::memchr(line, '\n', static_cast<std::size_t>(end - line));
    const char* const newline = found != nullptr ? static_cast<const char*>(found) : end;
    next = newline + 1;
    if (*line == '#') return;
    for (const char* p = line; p < newline; ++p) {
      const char* const start = p;
      while (p < newline && !is_blank(*p)) ++p;
      if (p == start) continue;
      if (count_ < kMost) fields[count_] = {start, static_cast<std::size_t>(p - start)};
      ++count_;
    }
  }
  int count() const { return count_; }

 private:
  int count_ = 0;
};

[[noreturn]] void fail(Problem problem, const Block& block, const char* line) {
  problem.line_start = block.offset() + (line - block.begin());
  throw problem;
}

}  // namespace

bool split_line(const char* line, const Block& block, const Layout& layout, Row& row) {
  const Fields found(line, block.end());
  row.next = found.next;
  if (found.next - line > kMaxLine + 1) fail(Problem("line-too-long").with("limit", kMaxLine), block, line);
  if (found.count() == 0) return false;
  if (found.count() != layout.columns) {
    fail(Problem("columns")
             .with("found", std::int64_t{found.count()})
             .with("expected", std::int64_t{layout.columns})
             .with("layout", std::string_view(layout.words)),
         block, line);
  }
  row.query = found.fields[layout.query];
  row.item = found.fields[layout.item];
  row.value = found.fields[layout.value];
  return true;
}

void wrong_value(Number number, const Row& row, const Layout& layout, const Block& block, const char* line) {
  const char* code = number == Number::ok           ? (layout.kind == Value::rank ? "rank" : "grade-too-large")
                     : number == Number::overflow   ? "overflow"
                     : number == Number::not_finite ? "not-finite"
                                                    : "number";
  fail(Problem(code)
           .with("field", std::string_view(layout.value_name))
           .with("text", row.value)
           .with("column", std::int64_t{row.value.data() - line + 1}),
       block, line);
}

bool TextPieces::next(std::int64_t& begin, std::int64_t& end) {
  if (cursor_ >= source_.size()) return false;
  begin = cursor_;
  end = boundary_after(cursor_ + kPiece);
  cursor_ = end;
  return true;
}

namespace {

// The query of a data line; empty for a comment or a blank line.
std::string_view query_of(const char* line, const char* newline) {
  if (line < newline && *line == '#') return {};
  while (line < newline && is_blank(*line)) ++line;
  const char* const start = line;
  while (line < newline && !is_blank(*line)) ++line;
  return {start, static_cast<std::size_t>(line - start)};
}

}  // namespace

std::int64_t TextPieces::boundary_after(std::int64_t offset) const {
  std::vector<char> window;
  std::string query;
  bool inside_a_line = true;
  std::int64_t width = kWindow;
  for (std::int64_t from = offset; from < source_.size();) {
    if (look_) look_();
    const std::int64_t available = std::min(width, source_.size() - from);
    window.resize(static_cast<std::size_t>(available));
    source_.read(from, window.data(), window.size());
    const char* line = window.data();
    const char* const end = line + available;
    while (const void* found = std::memchr(line, '\n', static_cast<std::size_t>(end - line))) {
      const char* const newline = static_cast<const char*>(found);
      const std::string_view here = inside_a_line ? std::string_view() : query_of(line, newline);
      if (!here.empty() && !query.empty() && here != query) return from + (line - window.data());
      if (!here.empty()) query = here;
      inside_a_line = false;
      line = newline + 1;
      if (!whole_queries_) return from + (line - window.data());
    }
    if (line != window.data()) {
      from += line - window.data();
      width = kWindow;
    } else if (available == source_.size() - from) {
      break;
    } else if (width > kMaxLine) {
      return from + available;  // in the middle of a line that will be refused
    } else {
      width *= 4;
    }
  }
  return source_.size();
}

namespace {

// Calls visit(line_number, offset, fields) for each line until it returns false.
template <class Visit>
void each_line(const Source& source, const Look& look, Visit&& visit) {
  TextPieces pieces(source, false);
  Block block;
  std::int64_t number = 0;
  for (std::int64_t begin, end; pieces.next(begin, end);) {
    look();
    block.load(source, begin, end);
    for (const char* line = block.first_line(); line < block.end();) {
      const Fields found(line, block.end());
      if (!visit(++number, begin + (line - block.begin()), found)) return;
      line = found.next;
    }
  }
}

}  // namespace

void locate(Problem& problem, const Source& source, const Layout& layout, const Look& look) {
  if (problem.line_start < 0) return;
  std::int64_t line_number = 0;
  bool data_before = false;
  each_line(source, look, [&](std::int64_t number, std::int64_t offset, const Fields& fields) {
    line_number = number;
    if (offset >= problem.line_start) {
      if (std::string_view(problem.code()) == "columns") {
        if (data_before) {
          problem.recode("columns-changed");
        } else if (layout.columns == 6 && fields.count() == 4) {
          problem.recode("looks-like-judgments");
        } else if (layout.columns == 4 && fields.count() == 6) {
          problem.recode("looks-like-run");
        }
      }
      return false;
    }
    data_before = data_before || fields.count() > 0;
    return true;
  });
  problem.with("line", line_number);
}

std::string places(const char* unit, std::int64_t first, std::int64_t second) {
  return std::string(unit) + " " + std::to_string(first) + " and " + std::to_string(second);
}

void place_in_text(Problem& problem, const Source& source, const Layout& layout, std::string_view query,
                   std::string_view item, const Look& look) {
  std::int64_t first = 0, second = 0;
  double first_grade = 0, grade = 0;
  each_line(source, look, [&](std::int64_t number, std::int64_t, const Fields& found) {
    if (found.count() != layout.columns || found.fields[layout.query] != query || found.fields[layout.item] != item) {
      return true;
    }
    parse_number(found.fields[layout.value], grade);
    if (first == 0) {
      first = number;
      first_grade = grade;
    } else if (layout.kind != Value::grade || grade != first_grade) {
      second = number;
    }
    return second == 0;
  });
  problem.with("places", std::string_view(places("lines", first, second))).with("line", second);
}

}  // namespace rankscope
