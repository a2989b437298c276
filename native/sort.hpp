// Columns of numbers in ascending order: a radix sort of as many bits as it takes to tell them apart.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <utility>

namespace rankscope {

using Word = std::uint64_t;

constexpr std::size_t kFewKeys = 512;        // too few for a radix sort
constexpr int kDigit = 12, kMostDigits = 3;  // bits of a digit, and how many are sorted by before comparing

// An integer that rises with the value; adding 0.0 makes a zero of -0.0, which must tie with it.
inline Word rising(double value) {
  const double plain = value + 0.0;
  Word bits;
  std::memcpy(&bits, &plain, sizeof bits);
  return bits >> 63 ? ~bits : bits | Word{1} << 63;
}

inline int width_of(Word bits) { return bits == 0 ? 0 : 64 - __builtin_clzll(bits); }

// Stable, by the bits from `low` to `high`, at most kMostDigits digits of them. Returns where the sorted words are.
inline Word* radix_sort(Word* words, Word* spare, std::size_t n, int low, int high) {
  constexpr std::size_t kBuckets = std::size_t{1} << kDigit;
  std::array<std::array<std::uint32_t, kBuckets>, kMostDigits> counts{};
  const int digits = (high - low + kDigit - 1) / kDigit;
  const auto digit_of = [low, high](Word word, int digit) {
    const int start = low + kDigit * digit;
    return (word >> start) & ((Word{1} << std::min(kDigit, high - start)) - 1);
  };
  for (std::size_t i = 0; i < n; ++i) {
    for (int digit = 0; digit < digits; ++digit) ++counts[digit][digit_of(words[i], digit)];
  }
  for (int digit = 0; digit < digits; ++digit) {
    auto& count = counts[digit];
    if (count[digit_of(words[0], digit)] == n) continue;
    std::uint32_t next = 0;
    for (std::uint32_t& c : count) next += std::exchange(c, next);
    for (std::size_t i = 0; i < n; ++i) spare[count[digit_of(words[i], digit)]++] = words[i];
    std::swap(words, spare);
  }
  return words;
}

// Puts in order what the highest digits left open: stretches that are alike above `low`.
template <class Less>
void sort_stretches(Word* words, std::size_t n, int low, const Less& less) {
  for (std::size_t i = 0, j; i < n; i = j) {
    for (j = i + 1; j < n && words[j] >> low == words[i] >> low;) ++j;
    if (j - i > 1 && !std::is_sorted(words + i, words + j, less)) std::sort(words + i, words + j, less);
  }
}

inline Word* sort_keys(Word* keys, Word* spare, std::size_t n) {
  if (n < kFewKeys) {
    std::sort(keys, keys + n);
    return keys;
  }
  Word varying = 0;
  for (std::size_t i = 0; i < n; ++i) varying |= keys[i] ^ keys[0];
  const int high = width_of(varying), low = std::max(0, high - kMostDigits * kDigit);
  keys = radix_sort(keys, spare, n, low, high);
  if (low > 0) sort_stretches(keys, n, low, std::less<Word>());
  return keys;
}

// The numbers 0 to n - 1 in ascending order of the keys that `key_of` gives them; those of equal keys stay in order.
// Above its number, a word has the highest bits in which the keys differ.
struct Sorted {
  const Word* words;
  int number_bits, dropped;  // dropped: how many bits of the keys did not fit

  std::size_t number(std::size_t i) const { return words[i] & ((Word{1} << number_bits) - 1); }
  template <class KeyOf>
  bool same(std::size_t a, std::size_t b, const KeyOf& key_of) const {
    return words[a] >> number_bits == words[b] >> number_bits &&
           (dropped == 0 || key_of(number(a)) == key_of(number(b)));
  }
};

template <class KeyOf>
Sorted sort_numbers(Word* words, Word* spare, std::size_t n, const KeyOf& key_of) {
  Word varying = 0;
  const Word first = key_of(0);
  for (std::size_t i = 0; i < n; ++i) {
    words[i] = key_of(i);
    varying |= words[i] ^ first;
  }
  const int number_bits = width_of(n - 1), width = width_of(varying);
  const int kept = std::min({width, 64 - number_bits, kMostDigits * kDigit}), dropped = width - kept;
  const Word kept_bits = (Word{1} << kept) - 1;
  for (std::size_t i = 0; i < n; ++i) words[i] = (words[i] >> dropped & kept_bits) << number_bits | i;
  if (std::is_sorted(words, words + n)) {
    // as a true order often is
  } else if (n < kFewKeys) {
    std::sort(words, words + n);
  } else {
    words = radix_sort(words, spare, n, number_bits, number_bits + kept);
  }
  const Sorted sorted{words, number_bits, dropped};
  if (dropped > 0) {
    const Word mask = (Word{1} << number_bits) - 1;
    sort_stretches(words, n, number_bits, [&key_of, mask](Word a, Word b) {
      const Word key_a = key_of(a & mask), key_b = key_of(b & mask);
      return key_a != key_b ? key_a < key_b : a < b;
    });
  }
  return sorted;
}

}  // namespace rankscope
