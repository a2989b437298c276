#include "match.hpp"

#include <algorithm>

namespace rankscope {

std::uint64_t slots_for(std::uint64_t ids) {
  std::uint64_t slots = 2;
  while (slots < 2 * ids) slots *= 2;
  return slots;
}

namespace {

void insert(Slot* slots, std::uint64_t mask, std::uint64_t hash, std::int32_t number) {
  std::uint64_t i = hash & mask;
  while (slots[i].number >= 0) i = (i + 1) & mask;
  slots[i].tag = tag_of(hash);
  slots[i].number = number;
}

}  // namespace

Numbering::Numbering(const Texts& texts) : texts_(texts) {
  constexpr std::int64_t kBlock = 16;  // so many slots are asked for before the first is needed
  slots_.resize(slots_for(static_cast<std::uint64_t>(texts.size)));
  numbers_.resize(static_cast<std::size_t>(texts.size));
  const std::uint64_t mask = slots_.size() - 1;
  std::uint64_t hashes[kBlock];
  for (std::int64_t begin = 0; begin < texts.size; begin += kBlock) {
    const std::int64_t count = std::min(kBlock, texts.size - begin);
    for (std::int64_t i = 0; i < count; ++i) {
      hashes[i] = hash_of(texts[begin + i]);
      __builtin_prefetch(&slots_[hashes[i] & mask]);
    }
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t place = begin + i;
      std::uint64_t at = hashes[i] & mask;
      while (slots_[at].number >= 0 &&
             !(slots_[at].tag == tag_of(hashes[i]) && same_bytes(texts[slots_[at].number], texts[place]))) {
        at = (at + 1) & mask;
      }
      if (slots_[at].number < 0) {
        slots_[at] = {tag_of(hashes[i]), static_cast<std::int32_t>(place)};
        numbers_[place] = static_cast<std::int32_t>(distinct_++);
      } else {
        numbers_[place] = numbers_[slots_[at].number];
      }
    }
  }
}

Index::Index(Texts queries, const std::int64_t* rows, Texts items)
    : queries_(queries), items_(items), rows_(rows), query_slots_(std::move(Numbering(queries).slots())) {
  query_mask_ = query_slots_.size() - 1;
  item_slots_begin_.reserve(static_cast<std::size_t>(queries.size) + 1);
  std::uint64_t total = 0;
  for (std::int64_t q = 0; q < queries.size; ++q) {
    item_slots_begin_.push_back(total);
    total += slots_for(static_cast<std::uint64_t>(rows[q + 1] - rows[q]));
  }
  item_slots_begin_.push_back(total);
  item_slots_.resize(total);
  for (std::int64_t q = 0; q < queries.size; ++q) {
    Slot* const slots = item_slots_.data() + item_slots_begin_[q];
    const std::uint64_t mask = item_slots_begin_[q + 1] - item_slots_begin_[q] - 1;
    for (std::int64_t row = rows[q]; row < rows[q + 1]; ++row) {
      insert(slots, mask, hash_of(items[row]), static_cast<std::int32_t>(row - rows[q]));
    }
  }
}

Index::Items Index::items_of(std::int32_t q) const {
  Items found;
  found.slots_ = item_slots_.data() + item_slots_begin_[q];
  found.mask_ = item_slots_begin_[q + 1] - item_slots_begin_[q] - 1;
  found.texts_ = &items_;
  found.first_row_ = rows_[q];
  return found;
}

Dictionary::Dictionary(std::int64_t expected) {
  slots_.resize(slots_for(static_cast<std::uint64_t>(expected) + 8));
}

std::int32_t Dictionary::number(std::string_view id, bool& fresh) {
  const std::uint64_t hash = hash_of(id);
  const std::uint64_t mask = slots_.size() - 1;
  std::uint64_t i = hash & mask;
  for (; slots_[i].number >= 0; i = (i + 1) & mask) {
    if (slots_[i].tag == tag_of(hash) && same_bytes((*this)[slots_[i].number], id)) {
      fresh = false;
      return slots_[i].number;
    }
  }
  const auto number = static_cast<std::int32_t>(size());
  slots_[i].tag = tag_of(hash);
  slots_[i].number = number;
  data_.insert(data_.end(), id.begin(), id.end());
  offsets_.push_back(static_cast<std::int64_t>(data_.size()));
  if (2 * static_cast<std::uint64_t>(size()) > slots_.size()) grow();
  fresh = true;
  return number;
}

void Dictionary::grow() {
  slots_.assign(slots_.size() * 4, Slot{});
  for (std::int64_t i = 0; i < size(); ++i) {
    insert(slots_.data(), slots_.size() - 1, hash_of((*this)[i]), static_cast<std::int32_t>(i));
  }
}

void Arena::refill(std::size_t needed) {
  while (used_ < pieces_.size() && pieces_[used_].size < needed) ++used_;
  if (used_ == pieces_.size()) {
    const std::size_t size = std::max<std::size_t>(needed, std::size_t{1} << 18);
    pieces_.push_back({std::unique_ptr<char[]>(new char[size]), size});
  }
  next_ = pieces_[used_].bytes.get();
  left_ = pieces_[used_].size;
  ++used_;
}

void Arena::clear() {
  used_ = 0;
  next_ = nullptr;
  left_ = 0;
}

}  // namespace rankscope
