// What the core found wrong: a code and its facts. The words are in rankscope/errors.py.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace rankscope {

class Problem : public std::exception {
 public:
  using Fact = std::variant<std::int64_t, double, std::string>;

  explicit Problem(const char* code) : code_(code) {}

  Problem& with(const char* name, std::int64_t value) & { return put(name, value); }
  Problem& with(const char* name, double value) & { return put(name, value); }
  Problem& with(const char* name, std::string_view value) & { return put(name, std::string(value)); }
  template <class T>
  Problem&& with(const char* name, T value) && { return std::move(with(name, value)); }

  const char* what() const noexcept override { return code_; }
  const char* code() const noexcept { return code_; }
  void recode(const char* code) noexcept { code_ = code; }
  const std::vector<std::pair<const char*, Fact>>& facts() const noexcept { return facts_; }

  // The byte where the offending line begins, until a reader that knows the whole input turns it into a line number.
  std::int64_t line_start = -1;

 private:
  template <class T>
  Problem& put(const char* name, T&& value) {
    facts_.emplace_back(name, std::forward<T>(value));
    return *this;
  }

  const char* code_;
  std::vector<std::pair<const char*, Fact>> facts_;
};

}  // namespace rankscope
