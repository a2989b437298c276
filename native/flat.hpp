// Flatbuffers, in which Arrow files say what they hold.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "stored.hpp"

namespace rankscope {

// A table of a flatbuffer; whatever points outside of it is refused.
class Flat {
 public:
  explicit Flat(std::string_view bytes) : bytes_(bytes) { at_ = read<std::uint32_t>(0); }

  template <class T>
  T get(int field, T otherwise) const {
    const std::size_t place = find(field);
    return place == 0 ? otherwise : read<T>(place);
  }
  std::optional<Flat> table(int field) const {
    const std::size_t place = find(field);
    if (place == 0) return std::nullopt;
    return Flat(bytes_, place + read<std::uint32_t>(place));
  }
  std::string_view text(int field) const {
    const auto [begin, size] = vector(field, 1);
    return bytes_.substr(begin, size);
  }
  std::vector<Flat> tables(int field) const {
    const auto [begin, size] = vector(field, 4);
    std::vector<Flat> found;
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t place = begin + 4 * i;
      found.push_back(Flat(bytes_, place + read<std::uint32_t>(place)));
    }
    return found;
  }
  // The first numbers of structures that are so many bytes wide.
  std::vector<std::int64_t> firsts(int field, std::size_t width) const {
    const auto [begin, size] = vector(field, width);
    std::vector<std::int64_t> found;
    for (std::size_t i = 0; i < size; ++i) found.push_back(read<std::int64_t>(begin + width * i));
    return found;
  }
  // Structures of two whole numbers, as nodes and buffers are.
  std::vector<std::array<std::int64_t, 2>> pairs(int field) const {
    const auto [begin, size] = vector(field, 16);
    std::vector<std::array<std::int64_t, 2>> found;
    for (std::size_t i = 0; i < size; ++i) {
      found.push_back({read<std::int64_t>(begin + 16 * i), read<std::int64_t>(begin + 16 * i + 8)});
    }
    return found;
  }

 private:
  Flat(std::string_view bytes, std::size_t at) : bytes_(bytes), at_(at) {}

  template <class T>
  T read(std::size_t place) const {
    require(place <= bytes_.size() && bytes_.size() - place >= sizeof(T));
    T value;
    std::memcpy(&value, bytes_.data() + place, sizeof value);
    return value;
  }
  std::size_t find(int field) const {
    const auto table = static_cast<std::int64_t>(at_) - read<std::int32_t>(at_);
    require(table >= 0);
    const auto size = read<std::uint16_t>(static_cast<std::size_t>(table));
    const std::size_t entry = 4 + 2 * static_cast<std::size_t>(field);
    if (entry + 2 > size) return 0;
    const auto offset = read<std::uint16_t>(static_cast<std::size_t>(table) + entry);
    return offset == 0 ? 0 : at_ + offset;
  }
  std::pair<std::size_t, std::size_t> vector(int field, std::size_t width) const {
    const std::size_t place = find(field);
    if (place == 0) return {0, 0};
    const std::size_t begin = place + read<std::uint32_t>(place);
    const std::size_t size = read<std::uint32_t>(begin);
    require(size <= (bytes_.size() - begin - 4) / width);
    return {begin + 4, size};
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
};

}  // namespace rankscope
