// Parquet, as most of its writers leave it: flat columns, plain or by a dictionary, in snappy or not compressed.
#include "parquet.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>

#include "hybrid.hpp"
#include "snappy.hpp"
#include "stored.hpp"

namespace rankscope {

namespace {

// The data of a page, decompressed, with room for wide loads behind it.
struct Bytes {
  const char* data = nullptr;
  std::int64_t size = 0;
};

// Decompresses a page; of one whose rows matter only up to some point, as much as `share` of it if that may do.
Bytes bytes_of(const Source& source, const ParquetPage& page, double share, Blocks& blocks, Blocks& scratch) {
  const auto stored = static_cast<std::size_t>(page.stored);
  if (!page.compressed) {
    require(page.stored == page.size);
    char* const data = blocks.take(stored);
    source.read(page.place, data, stored);
    return {data, page.size};
  }
  scratch.reset();
  auto* const in = reinterpret_cast<unsigned char*>(scratch.take(stored));
  source.read(page.place, reinterpret_cast<char*>(in), stored);
  // The levels of the second version stand in front, as they are.
  const unsigned char* at = in + page.levels;
  const unsigned char* const end = in + stored;
  const std::int64_t size = page.size - page.levels;
  require(snappy_size(at, end) == size);
  char* const data = blocks.take(static_cast<std::size_t>(page.size));
  std::memcpy(data, in, static_cast<std::size_t>(page.levels));
  const auto wanted = static_cast<std::int64_t>(share * static_cast<double>(size));
  const auto least = static_cast<std::size_t>(std::min(wanted, size));
  require(snappy_decompress(at, end, data + page.levels, static_cast<std::size_t>(size), least));
  return {data, page.levels + static_cast<std::int64_t>(least)};
}

// Where each of `count` texts begins, each behind its length; false if the bytes end before.
bool find_texts(Bytes bytes, std::int64_t count, std::int32_t* starts) {
  const char* const end = bytes.data + bytes.size;
  const char* at = bytes.data;
  for (std::int64_t i = 0; i < count; ++i) {
    if (end - at < 4) return false;
    std::uint32_t length;
    std::memcpy(&length, at, 4);
    at += 4;
    if (length > static_cast<std::uint64_t>(end - at)) return false;
    starts[i] = static_cast<std::int32_t>(at - bytes.data);
    at += length;
  }
  return true;
}

IdColumn::Kind id_kind(const ParquetColumn& column) {
  using Physical = ParquetColumn::Physical;
  using Kind = IdColumn::Kind;
  if (column.physical == Physical::bytes) return Kind::prefixed;
  if (column.physical == Physical::i32) return column.is_unsigned ? Kind::u32 : Kind::i32;
  return column.is_unsigned ? Kind::u64 : Kind::i64;
}

NumberColumn::Kind number_kind(const ParquetColumn& column) {
  using Physical = ParquetColumn::Physical;
  using Kind = NumberColumn::Kind;
  switch (column.physical) {
    case Physical::f32: return Kind::f32;
    case Physical::i32: return column.is_unsigned ? Kind::u32 : Kind::i32;
    case Physical::i64: return column.is_unsigned ? Kind::u64 : Kind::i64;
    default: return Kind::f64;
  }
}

// Some values of a column: texts behind their lengths, or numbers.
struct Values {
  const char* data = nullptr;
  const std::int32_t* starts = nullptr;  // of texts

  IdColumn ids(const ParquetColumn& column) const {
    IdColumn found;
    found.kind = id_kind(column);
    found.values = starts != nullptr ? static_cast<const void*>(starts) : data;
    found.data = data;
    return found;
  }
  NumberColumn numbers(const ParquetColumn& column) const { return {number_kind(column), data, 0}; }
};

// Plain values; false if the bytes, which may be part of a page, end before.
bool plain_values(const ParquetColumn& column, Bytes bytes, std::int64_t count, Blocks& blocks, Values& values) {
  values.data = bytes.data;
  if (column.physical != ParquetColumn::Physical::bytes) return bytes.size / column.width() >= count;
  require(bytes.size < (std::int64_t{1} << 31));
  auto* const starts =
      reinterpret_cast<std::int32_t*>(blocks.take(static_cast<std::size_t>(count) * sizeof(std::int32_t)));
  values.starts = starts;
  return find_texts(bytes, count, starts);
}

// The dictionary of a column in a row group, decoded by whoever needs it first.
class GroupDictionary {
 public:
  const Values& values(const Source& source, const ParquetColumn& column, const ParquetPage& page) {
    std::call_once(decoded_, [&] {
      Blocks scratch;
      const Bytes bytes = bytes_of(source, page, 1, blocks_, scratch);
      require(plain_values(column, bytes, page.rows, blocks_, values_));
      ids = values_.ids(column);
    });
    return values_;
  }
  IdColumn ids;

 private:
  std::once_flag decoded_;
  Blocks blocks_;
  Values values_;
};
using GroupDictionaries = std::array<GroupDictionary, 3>;

// A page as far as it was asked for.
struct LoadedPage {
  std::int64_t begin = 0, end = 0;  // rows of the table
  IdColumn ids;
  NumberColumn numbers;
};

class ParquetTable : public StoredTable {
 public:
  ParquetTable(const Source& source, const std::vector<std::int64_t>& chosen) : source_(source) {
    const std::vector<ParquetColumn> all = parquet_columns(source);
    std::array<std::size_t, 3> places{};
    for (std::size_t i = 0; i < places.size(); ++i) {
      require(chosen[i] >= 0 && chosen[i] < static_cast<std::int64_t>(all.size()));
      places[i] = static_cast<std::size_t>(chosen[i]);
      columns_[i] = all[places[i]];
      const bool text = columns_[i].physical == ParquetColumn::Physical::bytes;
      require(columns_[i].plain && (i == 2 ? columns_[i].is_number() : text || columns_[i].is_integer()));
    }
    groups_ = parquet_groups(source, places);
    dictionaries_.resize(groups_.size());
  }

  std::int64_t rows() const override { return groups_.empty() ? 0 : groups_.back().begin + groups_.back().rows; }
  bool integer_queries() const override { return columns_[0].is_integer(); }
  bool integer_items() const override { return columns_[1].is_integer(); }

  // Pages of items are what costs most, so that none is better decoded twice.
  std::int64_t seam(std::int64_t row) const override {
    if (row >= rows()) return row;
    const ParquetGroup& group = groups_[group_of(row)];
    const ParquetPage& page = *page_of(group.chunks[1], row - group.begin);
    const bool at_its_start = page.first_row == row - group.begin;
    return at_its_start ? row : group.begin + page.first_row + page.rows;
  }

 protected:
  void add_batches(std::int64_t begin, std::int64_t end, Part part, Desk& desk, const Look& look) const override {
    std::size_t g = begin < end ? group_of(begin) : groups_.size();
    for (; g < groups_.size() && groups_[g].begin < end; ++g) {
      const ParquetGroup& group = groups_[g];
      const std::int64_t first = std::max(begin, group.begin), last = std::min(end, group.begin + group.rows);
      const std::shared_ptr<GroupDictionaries> dictionaries = dictionaries_of(g);
      desk.kept.push_back(dictionaries);
      std::array<std::vector<LoadedPage>, 3> pages;
      for (std::size_t i = 0; i < (part == Part::all ? 3 : 1); ++i) {
        pages[i] = load_pages(group, i, first, last, (*dictionaries)[i], desk, look);
      }
      join(pages, first, last, part, desk.table);
    }
  }

 private:
  std::size_t group_of(std::int64_t row) const {
    const auto after = std::upper_bound(groups_.begin(), groups_.end(), row,
                                        [](std::int64_t r, const ParquetGroup& group) { return r < group.begin; });
    return static_cast<std::size_t>(after - groups_.begin()) - 1;
  }
  static std::vector<ParquetPage>::const_iterator page_of(const ParquetChunk& chunk, std::int64_t row) {
    return std::upper_bound(chunk.pages.begin(), chunk.pages.end(), row,
                            [](std::int64_t r, const ParquetPage& page) { return r < page.first_row; }) -
           1;
  }

  // Shared by the threads that are in the same row group, and gone with the last of them.
  std::shared_ptr<GroupDictionaries> dictionaries_of(std::size_t g) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::shared_ptr<GroupDictionaries> found = dictionaries_[g].lock();
    if (found == nullptr) dictionaries_[g] = found = std::make_shared<GroupDictionaries>();
    return found;
  }

  std::vector<LoadedPage> load_pages(const ParquetGroup& group, std::size_t i, std::int64_t begin, std::int64_t end,
                                     GroupDictionary& dictionary, Desk& desk, const Look& look) const {
    std::vector<LoadedPage> loaded;
    const ParquetChunk& chunk = group.chunks[i];
    for (auto page = page_of(chunk, begin - group.begin);
         page != chunk.pages.end() && group.begin + page->first_row < end; ++page) {
      if (look) look();
      const std::int64_t from = group.begin + page->first_row;
      const std::int64_t count = std::min(end - from, page->rows);
      loaded.push_back(load_page(*page, chunk, i, count, dictionary, desk));
      loaded.back().begin = from;
      loaded.back().end = from + count;
    }
    return loaded;
  }

  // The first `count` rows of a page.
  LoadedPage load_page(const ParquetPage& page, const ParquetChunk& chunk, std::size_t i, std::int64_t count,
                       GroupDictionary& dictionary, Desk& desk) const {
    // Few rows are mostly at the front of the page by the same share; a quarter more is to be sure.
    const double share = 1.25 * static_cast<double>(count) / static_cast<double>(page.rows) + 0.01;
    LoadedPage loaded;
    if (!page.dictionary && share < 1) {
      if (decode(page, chunk, i, count, share, dictionary, desk, loaded)) return loaded;
    }
    require(decode(page, chunk, i, count, 1, dictionary, desk, loaded));
    return loaded;
  }

  bool decode(const ParquetPage& page, const ParquetChunk& chunk, std::size_t i, std::int64_t count, double share,
              GroupDictionary& dictionary, Desk& desk, LoadedPage& loaded) const {
    Bytes bytes = bytes_of(source_, page, share, desk.blocks, desk.scratch);
    skip_levels(page, columns_[i], bytes);
    if (!page.dictionary) {
      Values values;
      if (!plain_values(columns_[i], bytes, count, desk.blocks, values)) return false;
      loaded.ids = values.ids(columns_[i]);
      loaded.numbers = values.numbers(columns_[i]);
      return true;
    }
    require(chunk.dictionary.rows > 0 && bytes.size >= 1);
    auto* const codes = reinterpret_cast<std::int32_t*>(
        desk.blocks.take(static_cast<std::size_t>(count) * sizeof(std::int32_t)));
    Hybrid(bytes.data + 1, bytes.data + bytes.size, static_cast<unsigned char>(bytes.data[0])).read(codes, count);
    const Values& words = dictionary.values(source_, columns_[i], chunk.dictionary);
    if (i < 2) {
      loaded.ids.kind = IdColumn::Kind::i32;
      loaded.ids.values = codes;
      loaded.ids.dictionary = &dictionary.ids;
      loaded.ids.dictionary_size = chunk.dictionary.rows;
    } else {
      loaded.numbers = looked_up(words.numbers(columns_[i]), chunk.dictionary.rows, codes, count, desk.blocks);
    }
    return true;
  }

  // A column that may lack values has levels that say which; here it must lack none.
  static void skip_levels(const ParquetPage& page, const ParquetColumn& column, Bytes& bytes) {
    std::int64_t size = page.levels;
    if (!page.second_version && column.optional) {
      require(bytes.size >= 4);
      std::uint32_t levels;
      std::memcpy(&levels, bytes.data, 4);
      require(levels <= bytes.size - 4);
      size = 4 + std::int64_t{levels};
      require(Hybrid(bytes.data + 4, bytes.data + size, 1).all_ones(page.rows));
    }
    bytes.data += size;
    bytes.size -= size;
  }

  static NumberColumn looked_up(const NumberColumn& dictionary, std::int64_t size, const std::int32_t* codes,
                                std::int64_t count, Blocks& blocks) {
    auto* const numbers = reinterpret_cast<double*>(blocks.take(static_cast<std::size_t>(count) * sizeof(double)));
    bool sound = true;
    for (std::int64_t row = 0; row < count; ++row) sound &= codes[row] >= 0 && codes[row] < size;
    require(sound);
    dictionary.with_numbers([&](auto number_at) {
      for (std::int64_t row = 0; row < count; ++row) numbers[row] = number_at(codes[row]);
    });
    return {NumberColumn::Kind::f64, numbers, 0};
  }

  // Cuts the rows wherever a page of some column ends.
  static void join(const std::array<std::vector<LoadedPage>, 3>& pages, std::int64_t begin, std::int64_t end,
                   Part part, Table& table) {
    std::array<std::size_t, 3> at{};
    while (begin < end) {
      std::int64_t stop = end;
      for (std::size_t i = 0; i < (part == Part::all ? 3 : 1); ++i) {
        while (at[i] < pages[i].size() && pages[i][at[i]].end <= begin) ++at[i];
        require(at[i] < pages[i].size());
        stop = std::min(stop, pages[i][at[i]].end);
      }
      Batch batch;
      batch.begin = begin;
      batch.rows = stop - begin;
      const LoadedPage& queries = pages[0][at[0]];
      batch.query = queries.ids;
      batch.query.offset = begin - queries.begin;
      if (part == Part::all) {
        const LoadedPage &items = pages[1][at[1]], &values = pages[2][at[2]];
        batch.item = items.ids;
        batch.item.offset = begin - items.begin;
        batch.value = values.numbers;
        batch.value.offset = begin - values.begin;
      }
      table.batches.push_back(batch);
      begin = stop;
    }
  }

  const Source& source_;
  std::array<ParquetColumn, 3> columns_;
  std::vector<ParquetGroup> groups_;
  mutable std::mutex mutex_;
  mutable std::vector<std::weak_ptr<GroupDictionaries>> dictionaries_;
};

}  // namespace

bool is_parquet(const Source& source) {
  char head[4];
  if (source.size() < 12) return false;
  source.read(0, head, sizeof head);
  return std::string_view(head, 4) == "PAR1";
}

std::vector<std::string> parquet_names(const Source& source) {
  std::vector<std::string> names;
  for (ParquetColumn& column : parquet_columns(source)) names.push_back(std::move(column.name));
  return names;
}

std::unique_ptr<StoredTable> open_parquet(const Source& source, const std::vector<std::int64_t>& columns) {
  return std::make_unique<ParquetTable>(source, columns);
}

}  // namespace rankscope
