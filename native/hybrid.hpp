// Parquet's hybrid of run lengths and packed bits, in which levels and codes are written.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "stored.hpp"

namespace rankscope {

// Numbers of few bits, in runs of equal ones and in packed groups of eight.
class Hybrid {
 public:
  Hybrid(const char* begin, const char* end, unsigned bits) : at_(begin), end_(end), bits_(bits) {
    require(bits <= 32);
  }

  // The next `count` numbers.
  void read(std::int32_t* out, std::int64_t count) {
    while (count > 0) {
      const std::uint64_t head = varint();
      const bool packed = (head & 1) != 0;
      const std::uint64_t size = head >> 1;
      require(size > 0 && size < (std::uint64_t{1} << 31));
      const auto here = std::min<std::int64_t>(count, static_cast<std::int64_t>(packed ? size * 8 : size));
      if (packed) {
        unpack(out, here, size);
      } else {
        std::fill_n(out, here, static_cast<std::int32_t>(repeated()));
      }
      out += here;
      count -= here;
    }
  }

  // Whether the next `count` numbers are all 1, which they mostly are as one run.
  bool all_ones(std::int64_t count) {
    while (count > 0) {
      const std::uint64_t head = varint();
      const std::uint64_t size = head >> 1;
      require(size > 0 && size < (std::uint64_t{1} << 31));
      if ((head & 1) != 0) {
        const auto here = std::min<std::int64_t>(count, static_cast<std::int64_t>(size * 8));
        require(static_cast<std::uint64_t>(end_ - at_) >= size);
        for (std::int64_t i = 0; i < here; ++i) {
          if ((static_cast<unsigned char>(at_[i / 8]) >> (i % 8) & 1) == 0) return false;
        }
        at_ += size;
        count -= here;
      } else {
        if (repeated() != 1) return false;
        count -= static_cast<std::int64_t>(size);
      }
    }
    return true;
  }

 private:
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      require(at_ < end_);
      const auto part = static_cast<unsigned char>(*at_++);
      value |= std::uint64_t{part & 127u} << shift;
      if (part < 128) return value;
    }
    throw Foreign{};
  }
  std::uint32_t repeated() {
    const std::size_t bytes = (bits_ + 7) / 8;
    require(static_cast<std::size_t>(end_ - at_) >= bytes);
    std::uint32_t value = 0;
    std::memcpy(&value, at_, bytes);
    at_ += bytes;
    return value;
  }
  void unpack(std::int32_t* out, std::int64_t count, std::uint64_t groups) {
    const std::uint64_t bytes = groups * bits_;
    // The last group may be cut where no more numbers are needed.
    const std::uint64_t needed = (static_cast<std::uint64_t>(count) * bits_ + 7) / 8;
    require(static_cast<std::uint64_t>(end_ - at_) >= needed);
    const std::uint64_t mask = (std::uint64_t{1} << bits_) - 1;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::uint64_t bit = static_cast<std::uint64_t>(i) * bits_;
      std::uint64_t word;
      std::memcpy(&word, at_ + bit / 8, 8);  // there is room behind the end
      out[i] = static_cast<std::int32_t>(word >> (bit & 7) & mask);
    }
    at_ += std::min<std::uint64_t>(bytes, static_cast<std::uint64_t>(end_ - at_));
  }

  const char *at_, *end_;
  unsigned bits_;
};

}  // namespace rankscope
