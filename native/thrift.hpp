// Thrift's compact protocol, as far as Parquet's metadata needs it.
#pragma once

#include <cstdint>
#include <string_view>

#include "stored.hpp"

namespace rankscope {

class Thrift {
 public:
  enum Type : unsigned { kTrue = 1, kFalse = 2, kByte = 3, kDouble = 7, kBinary = 8, kList = 9, kSet = 10, kMap = 11, kStruct = 12 };

  explicit Thrift(std::string_view bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  const char* at() const { return at_; }

  // Calls read(number, type) for each field of a structure, which reads the value or says false to skip it.
  template <class Read>
  void fields(Read&& read) {
    const Level level(*this);
    for (std::int64_t number = 0;;) {
      const unsigned head = byte();
      if (head == 0) return;
      number = head >> 4 != 0 ? number + (head >> 4) : integer();
      const unsigned type = head & 15;
      if (!read(number, type)) skip(type);
    }
  }
  // Calls read(type) for each element of a list.
  template <class Read>
  void list(Read&& read) {
    const unsigned head = byte();
    std::uint64_t size = head >> 4;
    if (size == 15) size = varint();
    require(size <= static_cast<std::uint64_t>(end_ - at_));
    for (; size > 0; --size) read(head & 15);
  }
  std::int64_t integer() {
    const std::uint64_t coded = varint();
    return static_cast<std::int64_t>(coded >> 1) ^ -static_cast<std::int64_t>(coded & 1);
  }
  std::string_view binary() {
    const std::uint64_t size = varint();
    require(size <= static_cast<std::uint64_t>(end_ - at_));
    at_ += size;
    return {at_ - size, static_cast<std::size_t>(size)};
  }
  void skip(unsigned type) {
    switch (type) {
      case kTrue:
      case kFalse: return;
      case kByte: byte(); return;
      case kDouble: move(8); return;
      case kBinary: binary(); return;
      case kList:
      case kSet: {
        const Level level(*this);
        // A boolean is a byte of its own in a list.
        list([this](unsigned element) { skip(element == kTrue || element == kFalse ? unsigned{kByte} : element); });
        return;
      }
      case kStruct: fields([](std::int64_t, unsigned) { return false; }); return;
      case kMap: throw Foreign{};  // Parquet's metadata has none
      default: require(type >= 4 && type <= 6); varint(); return;
    }
  }

 private:
  struct Level {  // structures in structures, of which no honest file has many
    explicit Level(Thrift& thrift) : thrift_(thrift) { require(++thrift_.depth_ < 32); }
    ~Level() { --thrift_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    Thrift& thrift_;
  };

  unsigned byte() {
    require(at_ < end_);
    return static_cast<unsigned char>(*at_++);
  }
  void move(std::int64_t bytes) {
    require(bytes <= end_ - at_);
    at_ += bytes;
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const unsigned part = byte();
      value |= std::uint64_t{part & 127} << shift;
      if (part < 128) return value;
    }
    throw Foreign{};
  }

  const char *at_, *end_;
  int depth_ = 0;
};

}  // namespace rankscope
