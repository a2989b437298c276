// Ids to numbers: the judged queries, and the judged items of each, ready to be looked up.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace rankscope {

namespace detail {
inline std::uint64_t load8(const char* p) {
  std::uint64_t v;
  std::memcpy(&v, p, 8);
  return v;
}
inline std::uint64_t load4(const char* p) {
  std::uint32_t v;
  std::memcpy(&v, p, 4);
  return v;
}
inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
#ifdef __SIZEOF_INT128__
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
#else
  std::uint64_t h = (a ^ (b << 32 | b >> 32)) * 0x9E3779B97F4A7C15u;
  h = (h ^ (h >> 32)) * (b | 1);
  return h ^ (h >> 29);
#endif
}

// Writes a number below 10^8 to memory with room for 8 bytes and returns how many digits it has: the halves of its
// eight digits are halved until each has a byte of its own, all at once, and leading zeros are shifted out.
inline std::size_t write_digits(std::uint64_t number, char* place) {
  std::uint64_t lanes = number / 10000 | number % 10000 << 32;
  const std::uint64_t hundreds = lanes * 10486 >> 20 & 0x0000007F0000007Fu;
  lanes = hundreds | (lanes - hundreds * 100) << 16;
  const std::uint64_t tens = lanes * 103 >> 10 & 0x000F000F000F000Fu;
  lanes = tens | (lanes - tens * 10) << 8;
  const int zeros = __builtin_ctzll(lanes | std::uint64_t{1} << 56) / 8;
  const std::uint64_t digits = (lanes + 0x3030303030303030u) >> 8 * zeros;
  std::memcpy(place, &digits, 8);
  return static_cast<std::size_t>(8 - zeros);
}
}  // namespace detail

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the core is written for little-endian machines");

// A 64-bit hash of short texts. It decides where an id is looked for, never whether two ids are equal.
inline std::uint64_t hash_of(std::string_view text) {
  using namespace detail;
  constexpr std::uint64_t k0 = 0x9E3779B97F4A7C15u, k1 = 0xD1B54A32D192ED03u;
  const char* p = text.data();
  std::size_t n = text.size();
  std::uint64_t seed = k0 ^ n;
  for (; n > 16; p += 16, n -= 16) seed = mix(load8(p) ^ k1, load8(p + 8) ^ seed);
  std::uint64_t a = 0, b = 0;
  if (n >= 8) {
    a = load8(p);
    b = load8(p + n - 8);
  } else if (n >= 4) {
    a = load4(p);
    b = load4(p + n - 4);
  } else if (n > 0) {
    const auto at = [p](std::size_t i) { return std::uint64_t{static_cast<unsigned char>(p[i])}; };
    a = at(0) | at(n / 2) << 8 | at(n - 1) << 16;
  }
  return mix(a ^ k1, b ^ seed);
}

// Ids are short: a few loads cost less than a call.
inline bool same_bytes(std::string_view a, std::string_view b) {
  using namespace detail;
  const std::size_t n = a.size();
  if (n != b.size()) return false;
  const char *p = a.data(), *q = b.data();
  if (n > 16) return std::memcmp(p, q, n) == 0;
  if (n >= 8) return load8(p) == load8(q) && load8(p + n - 8) == load8(q + n - 8);
  if (n >= 4) return load4(p) == load4(q) && load4(p + n - 4) == load4(q + n - 4);
  return n == 0 || (p[0] == q[0] && p[n / 2] == q[n / 2] && p[n - 1] == q[n - 1]);
}

// A column of texts in Arrow's layout.
struct Texts {
  const char* data = nullptr;
  const std::int64_t* offsets = nullptr;
  std::int64_t size = 0;

  std::string_view operator[](std::int64_t i) const {
    return {data + offsets[i], static_cast<std::size_t>(offsets[i + 1] - offsets[i])};
  }
};

// Open addressing: a slot holds the upper half of an id's hash and its number; -1 is an empty slot.
struct Slot {
  std::uint32_t tag;
  std::int32_t number = -1;
};
inline std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }
// At least twice as many slots as ids, a power of two.
std::uint64_t slots_for(std::uint64_t ids);

// Numbers of texts, in the order of their first appearance, of a column that is there as a whole.
class Numbering {
 public:
  explicit Numbering(const Texts& texts);
  // Whether no text comes twice; then a text's number is its place.
  bool distinct() const { return distinct_ == texts_.size; }
  std::int64_t size() const { return distinct_; }
  std::int32_t operator[](std::int64_t place) const { return numbers_[place]; }

  // A table to look the texts up in; slots hold the place of a first appearance.
  std::vector<Slot>& slots() { return slots_; }

 private:
  Texts texts_;
  std::vector<Slot> slots_;
  std::vector<std::int32_t> numbers_;
  std::int64_t distinct_ = 0;
};

class Index {
 public:
  // The columns must outlive the index. `rows` has one more entry than there are queries.
  Index(Texts queries, const std::int64_t* rows, Texts items);

  std::int64_t queries() const { return queries_.size; }
  std::string_view query(std::int32_t q) const { return queries_[q]; }
  const Texts& items() const { return items_; }

  // The number of a query, or -1. Runs often have the queries in the judgments' order, so a good guess is the one
  // after the query before.
  std::int32_t find_query(std::string_view id, std::int32_t guess = -1) const {
    if (guess >= 0 && guess < queries_.size && same_bytes(queries_[guess], id)) return guess;
    return find(query_slots_.data(), query_mask_, hash_of(id), id, queries_, 0);
  }

  // One query's judged items.
  class Items {
   public:
    Items() = default;
    // The item's index among the query's judged items, or -1.
    std::int32_t find(std::string_view id, std::uint64_t hash) const {
      return Index::find(slots_, mask_, hash, id, *texts_, first_row_);
    }

   private:
    friend class Index;
    const Slot* slots_ = nullptr;
    std::uint64_t mask_ = 0;
    const Texts* texts_ = nullptr;
    std::int64_t first_row_ = 0;
  };
  Items items_of(std::int32_t q) const;

 private:
  static std::int32_t find(const Slot* slots, std::uint64_t mask, std::uint64_t hash, std::string_view id,
                           const Texts& texts, std::int64_t first) {
    for (std::uint64_t i = hash & mask;; i = (i + 1) & mask) {
      const Slot slot = slots[i];
      if (slot.number < 0) return -1;
      if (slot.tag == tag_of(hash) && same_bytes(texts[first + slot.number], id)) return slot.number;
    }
  }

  Texts queries_;
  Texts items_;
  const std::int64_t* rows_;
  std::vector<Slot> query_slots_;
  std::uint64_t query_mask_;
  std::vector<Slot> item_slots_;
  std::vector<std::uint64_t> item_slots_begin_;
};

// Numbers for ids in the order of their first appearance.
class Dictionary {
 public:
  explicit Dictionary(std::int64_t expected = 0);
  // The id's number; `fresh` says whether it was met for the first time. The text is copied.
  std::int32_t number(std::string_view id, bool& fresh);
  std::int32_t number(std::string_view id) {
    bool fresh;
    return number(id, fresh);
  }
  std::int64_t size() const { return static_cast<std::int64_t>(offsets_.size()) - 1; }
  std::string_view operator[](std::int64_t i) const {
    return {data_.data() + offsets_[i], static_cast<std::size_t>(offsets_[i + 1] - offsets_[i])};
  }
  std::vector<char>& data() { return data_; }
  std::vector<std::int64_t>& offsets() { return offsets_; }

 private:
  void grow();

  std::vector<Slot> slots_;
  std::vector<char> data_;
  std::vector<std::int64_t> offsets_{0};
};

// Memory for bytes that must stay where they are.
class Arena {
 public:
  std::string_view keep(std::string_view text) {
    if (text.size() > left_) refill(text.size());
    char* const place = next_;
    std::memcpy(place, text.data(), text.size());
    next_ += text.size();
    left_ -= text.size();
    return {place, text.size()};
  }
  // The digits of a whole number.
  template <class Integer>
  std::string_view write(Integer number) {
    constexpr std::size_t kMost = 24;
    if (kMost > left_) refill(kMost);
    char* const place = next_;
    if (number >= 0 && static_cast<std::uint64_t>(number) < 100000000) {
      next_ = place + detail::write_digits(static_cast<std::uint64_t>(number), place);
    } else {
      next_ = std::to_chars(place, place + kMost, number).ptr;
    }
    left_ -= static_cast<std::size_t>(next_ - place);
    return {place, static_cast<std::size_t>(next_ - place)};
  }
  // Forgets everything, and keeps the memory for the next round.
  void clear();

 private:
  void refill(std::size_t needed);

  struct Piece {
    std::unique_ptr<char[]> bytes;
    std::size_t size;
  };
  std::vector<Piece> pieces_;
  std::size_t used_ = 0;
  char* next_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace rankscope
