#include <cstring>
#include <limits>

#include "parquet.hpp"
#include "stored.hpp"
#include "thrift.hpp"

namespace rankscope {

namespace {

constexpr std::string_view kMagic("PAR1", 4);
constexpr std::int64_t kMostBytes = (std::int64_t{1} << 31) - 1;  // of a page
constexpr std::int64_t kMostValues = 1 << 26;                       // of a page: a run of equals takes few bytes
constexpr std::int64_t kMostRows = std::numeric_limits<std::int64_t>::max() / 64;

std::string metadata_of(const Source& source) {
  char tail[8];
  require(source.size() >= 12);
  source.read(source.size() - 8, tail, sizeof tail);
  std::uint32_t size;
  std::memcpy(&size, tail, sizeof size);
  require(std::string_view(tail + 4, 4) == kMagic && size <= source.size() - 12);
  std::string bytes(size, '\0');
  source.read(source.size() - 8 - size, bytes.data(), bytes.size());
  return bytes;
}

// An element of the schema: a column, or a node with children.
struct Element {
  ParquetColumn column;
  std::int64_t children = 0;
  std::int64_t repetition = 0;
};

bool is_plain(std::int64_t converted) { return converted == 0 || (converted >= 11 && converted <= 18); }

Element element_of(Thrift& thrift) {
  Element element;
  ParquetColumn& column = element.column;
  std::int64_t type = -1;
  thrift.fields([&](std::int64_t number, unsigned kind) {
    switch (number) {
      case 1: type = thrift.integer(); return true;
      case 3: element.repetition = thrift.integer(); return true;
      case 4: column.name = thrift.binary(); return true;
      case 5: element.children = thrift.integer(); return true;
      case 6: {
        const std::int64_t converted = thrift.integer();  // UTF8, and whole numbers with and without a sign
        column.plain = column.plain && is_plain(converted);
        column.is_unsigned = converted >= 11 && converted <= 14;
        return true;
      }
      case 10:
        require(kind == Thrift::kStruct);
        thrift.fields([&](std::int64_t logical, unsigned) {
          column.plain = column.plain && (logical == 1 || logical == 10);  // a string, an integer
          return false;
        });
        return true;
      default: return false;
    }
  });
  if (element.children == 0) {
    require(type >= 0 && type <= 7);
    column.physical = static_cast<ParquetColumn::Physical>(type);
    column.optional = element.repetition == 1;
    column.plain = column.plain && element.repetition < 2;
  }
  return element;
}

// What a column chunk says of itself.
struct ChunkPlace {
  std::int64_t codec = -1, values = 0, size = 0, data = -1, dictionary = -1;
};

ChunkPlace chunk_of(Thrift& thrift) {
  ChunkPlace chunk;
  thrift.fields([&](std::int64_t number, unsigned kind) {
    require(number != 1 && number != 8 && number != 9);  // in another file, or encrypted
    if (number != 3) return false;
    require(kind == Thrift::kStruct);
    thrift.fields([&](std::int64_t field, unsigned) {
      switch (field) {
        case 4: chunk.codec = thrift.integer(); return true;
        case 5: chunk.values = thrift.integer(); return true;
        case 7: chunk.size = thrift.integer(); return true;
        case 9: chunk.data = thrift.integer(); return true;
        case 11: chunk.dictionary = thrift.integer(); return true;
        default: return false;
      }
    });
    return true;
  });
  return chunk;
}

struct Header {
  std::int64_t type = -1, size = -1, stored = -1, values = -1, encoding = -1;
  std::int64_t levels = 0, nulls = 0, bytes = 0;  // the last: of the header itself
  bool compressed = true;
};

void read_page_facts(Thrift& thrift, Header& header, bool second_version) {
  thrift.fields([&](std::int64_t number, unsigned kind) {
    if (number == 1) {
      header.values = thrift.integer();
    } else if (number == (second_version ? 4 : 2)) {
      header.encoding = thrift.integer();
    } else if (second_version && number == 2) {
      header.nulls = thrift.integer();
    } else if (second_version && (number == 5 || number == 6)) {
      const std::int64_t bytes = thrift.integer();
      require(bytes >= 0 && bytes <= kMostBytes);
      header.levels += bytes;
    } else if (second_version && number == 7) {
      header.compressed = kind == Thrift::kTrue;
    } else {
      return false;
    }
    return true;
  });
}

Header header_of(std::string_view bytes) {
  Thrift thrift(bytes);
  Header header;
  thrift.fields([&](std::int64_t number, unsigned) {
    switch (number) {
      case 1: header.type = thrift.integer(); return true;
      case 2: header.size = thrift.integer(); return true;
      case 3: header.stored = thrift.integer(); return true;
      case 5:
      case 7: read_page_facts(thrift, header, false); return true;
      case 8: read_page_facts(thrift, header, true); return true;
      default: return false;
    }
  });
  header.bytes = thrift.at() - bytes.data();
  return header;
}

// The header of a page that begins here; most are short, but they may hold the smallest and largest value.
Header header_at(const Source& source, std::int64_t place, std::int64_t end) {
  for (std::int64_t room : {256, 1 << 16}) {
    std::string bytes(static_cast<std::size_t>(std::min(room, end - place)), '\0');
    source.read(place, bytes.data(), bytes.size());
    try {
      return header_of(bytes);
    } catch (const Foreign&) {
      if (room > 256 || static_cast<std::int64_t>(bytes.size()) < room) throw;
    }
  }
  throw Foreign{};
}

enum PageType { kData = 0, kDictionary = 2, kDataSecond = 3 };
enum Encoding { kPlain = 0, kPlainDictionary = 2, kRleDictionary = 8 };
enum Codec { kUncompressed = 0, kSnappy = 1 };

ParquetChunk pages_of(const Source& source, const ChunkPlace& chunk, std::int64_t rows) {
  require(chunk.codec == kUncompressed || chunk.codec == kSnappy);
  require(chunk.values == rows);
  const std::int64_t begin = chunk.dictionary > 0 && chunk.dictionary < chunk.data ? chunk.dictionary : chunk.data;
  require(begin >= 4 && chunk.size >= 0 && begin <= source.size() && chunk.size <= source.size() - begin);
  const std::int64_t end = begin + chunk.size;
  ParquetChunk found;
  std::int64_t row = 0;
  for (std::int64_t place = begin; row < rows;) {
    require(place < end);
    const Header header = header_at(source, place, end);
    ParquetPage page;
    page.place = place + header.bytes;
    page.stored = header.stored;
    page.size = header.size;
    page.levels = header.levels;
    page.second_version = header.type == kDataSecond;
    page.compressed = chunk.codec == kSnappy && header.compressed;
    page.first_row = row;
    page.rows = header.values;
    page.dictionary = header.encoding == kRleDictionary || header.encoding == kPlainDictionary;
    require(header.stored >= 0 && header.stored <= end - page.place);
    require(header.size >= 0 && header.size <= kMostBytes && header.values >= 0 && header.values <= kMostValues);
    require(page.levels >= 0 && page.levels <= std::min(page.stored, page.size));
    place = page.place + page.stored;
    if (header.type == kDictionary) {
      require(found.pages.empty() && found.dictionary.rows == 0);
      require(header.encoding == kPlain || header.encoding == kPlainDictionary);
      found.dictionary = page;
      continue;
    }
    require(header.type == kData || header.type == kDataSecond);
    require(page.dictionary || header.encoding == kPlain);
    require(header.nulls == 0 && page.rows <= rows - row);
    if (page.rows > 0) found.pages.push_back(page);
    row += page.rows;
  }
  return found;
}

}  // namespace

std::vector<ParquetColumn> parquet_columns(const Source& source) {
  const std::string bytes = metadata_of(source);
  Thrift thrift(bytes);
  std::vector<ParquetColumn> columns;
  bool root = true;
  thrift.fields([&](std::int64_t number, unsigned kind) {
    if (number != 2) return false;
    require(kind == Thrift::kList);
    thrift.list([&](unsigned) {
      Element element = element_of(thrift);
      require(root || element.children == 0);
      if (!root) columns.push_back(std::move(element.column));
      root = false;
    });
    return true;
  });
  return columns;
}

std::vector<ParquetGroup> parquet_groups(const Source& source, const std::array<std::size_t, 3>& columns) {
  const std::string bytes = metadata_of(source);
  Thrift thrift(bytes);
  std::vector<ParquetGroup> groups;
  std::int64_t total = 0;
  const auto read_group = [&](unsigned) {
    std::vector<ChunkPlace> places;
    ParquetGroup group;
    thrift.fields([&](std::int64_t number, unsigned kind) {
      if (number == 1) {
        require(kind == Thrift::kList);
        thrift.list([&](unsigned) { places.push_back(chunk_of(thrift)); });
      } else if (number == 3) {
        group.rows = thrift.integer();
      } else {
        return false;
      }
      return true;
    });
    require(group.rows >= 0 && group.rows < kMostRows - total);
    group.begin = total;
    total += group.rows;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      require(columns[i] < places.size());
      group.chunks[i] = pages_of(source, places[columns[i]], group.rows);
    }
    if (group.rows > 0) groups.push_back(std::move(group));
  };
  thrift.fields([&](std::int64_t number, unsigned kind) {
    require(number != 8);  // encrypted
    if (number != 4) return false;
    require(kind == Thrift::kList);
    thrift.list(read_group);
    return true;
  });
  return groups;
}

}  // namespace rankscope
