// Arrow's IPC format, files and streams: columns of the usual types, neither compressed nor nested.
#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <map>
#include <optional>

#include "flat.hpp"
#include "stored.hpp"

namespace rankscope {

namespace {

constexpr std::string_view kFileMagic("ARROW1\0\0", 8);
constexpr std::string_view kStreamMagic("\xFF\xFF\xFF\xFF", 4);

struct Buffer {
  std::int64_t begin = 0, size = 0;  // in the file
};

// What a field of the schema is stored as.
struct Field {
  enum class Shape { none, numbers, text32, text64 };
  Shape shape = Shape::none;  // none: of a type that ids and values do not have
  IdColumn::Kind id = IdColumn::Kind::i64;
  NumberColumn::Kind number = NumberColumn::Kind::f64;
  bool integer = false;
  int buffers = 2;
  std::int64_t dictionary = -1;  // its number; then `shape` is that of its codes, and `words` that of its texts
  Shape words = Shape::none;
  std::string name;

  std::int64_t width() const {
    using Kind = NumberColumn::Kind;
    switch (number) {
      case Kind::i8:
      case Kind::u8: return 1;
      case Kind::i16:
      case Kind::u16: return 2;
      case Kind::f32:
      case Kind::i32:
      case Kind::u32: return 4;
      default: return 8;
    }
  }
};

void set_integer(Field& field, int bits, bool is_signed) {
  using Id = IdColumn::Kind;
  using Number = NumberColumn::Kind;
  const std::map<int, std::array<Id, 2>> ids{
      {8, {Id::u8, Id::i8}}, {16, {Id::u16, Id::i16}}, {32, {Id::u32, Id::i32}}, {64, {Id::u64, Id::i64}}};
  const std::map<int, std::array<Number, 2>> numbers{{8, {Number::u8, Number::i8}},
                                                     {16, {Number::u16, Number::i16}},
                                                     {32, {Number::u32, Number::i32}},
                                                     {64, {Number::u64, Number::i64}}};
  require(ids.count(bits) == 1);
  field.shape = Field::Shape::numbers;
  field.integer = true;
  field.id = ids.at(bits)[is_signed];
  field.number = numbers.at(bits)[is_signed];
}

// The numbers of Arrow's types in its schema.
enum Type : std::uint8_t { kInt = 2, kFloat = 3, kBinary = 4, kUtf8 = 5, kBool = 6, kLargeBinary = 19, kLargeUtf8 = 20 };

Field::Shape text_shape(std::uint8_t type) {
  if (type == kUtf8 || type == kBinary) return Field::Shape::text32;
  return type == kLargeUtf8 || type == kLargeBinary ? Field::Shape::text64 : Field::Shape::none;
}

Field field_of(const Flat& flat) {
  Field field;
  field.name = flat.text(0);
  require(flat.tables(5).empty());
  const auto type = flat.get<std::uint8_t>(2, 0);
  const std::optional<Flat> details = flat.table(3);
  require(details.has_value());
  if (const std::optional<Flat> dictionary = flat.table(4)) {
    field.words = text_shape(type);
    require(field.words != Field::Shape::none);
    field.dictionary = dictionary->get<std::int64_t>(0, 0);
    const std::optional<Flat> codes = dictionary->table(1);
    set_integer(field, codes ? codes->get<std::int32_t>(0, 0) : 32, codes ? codes->get<std::uint8_t>(1, 0) != 0 : true);
    field.integer = false;
  } else if (type == kInt) {
    set_integer(field, details->get<std::int32_t>(0, 0), details->get<std::uint8_t>(1, 0) != 0);
  } else if (type == kFloat) {
    const auto precision = details->get<std::int16_t>(0, 0);
    field.shape = precision == 0 ? Field::Shape::none : Field::Shape::numbers;
    field.number = precision == 1 ? NumberColumn::Kind::f32 : NumberColumn::Kind::f64;
  } else if (text_shape(type) != Field::Shape::none) {
    field.buffers = 3;
    field.shape = text_shape(type);
  } else {
    require(type == kBool);  // of the others, not all have two buffers
  }
  return field;
}

struct Message {
  std::string metadata;
  std::uint8_t kind;
  std::int64_t body, end;  // where its body begins and ends in the file

  Flat header() const {
    const std::optional<Flat> found = Flat(metadata).table(2);
    require(found.has_value());
    return *found;
  }
};
enum Kind : std::uint8_t { kSchema = 1, kDictionaryBatch = 2, kRecordBatch = 3 };

// The message at a place, or none at the end. A file is a stream between two marks.
std::optional<Message> message_at(const Source& source, std::int64_t place) {
  std::int32_t head[2];
  if (place == source.size()) return std::nullopt;
  require(place + 8 <= source.size());
  source.read(place, reinterpret_cast<char*>(head), sizeof head);
  require(head[0] == -1 && head[1] >= 0 && head[1] <= source.size() - place - 8);
  if (head[1] == 0) return std::nullopt;
  Message message{std::string(static_cast<std::size_t>(head[1]), '\0'), 0, place + 8 + head[1], 0};
  source.read(place + 8, message.metadata.data(), message.metadata.size());
  const Flat flat(message.metadata);
  message.kind = flat.get<std::uint8_t>(1, 0);
  const auto size = flat.get<std::int64_t>(3, 0);
  require(size >= 0 && size <= source.size() - message.body);
  message.end = message.body + size;
  return message;
}

std::string_view head_of(const Source& source, std::array<char, 8>& bytes) {
  if (source.size() < static_cast<std::int64_t>(bytes.size())) return {};
  source.read(0, bytes.data(), bytes.size());
  return {bytes.data(), bytes.size()};
}

bool is_file(const Source& source) {
  std::array<char, 8> bytes;
  return head_of(source, bytes) == kFileMagic;
}

std::int64_t first_message(const Source& source) {
  return is_file(source) ? static_cast<std::int64_t>(kFileMagic.size()) : 0;
}

// Where a file's record batches are by what it says at its end.
std::vector<std::int64_t> listed_records(const Source& source) {
  char tail[10];
  require(source.size() > 32);
  source.read(source.size() - 10, tail, sizeof tail);
  std::int32_t size;
  std::memcpy(&size, tail, sizeof size);
  require(std::string_view(tail + 4, 6) == kFileMagic.substr(0, 6) && size > 0 && size <= source.size() - 18);
  std::string footer(static_cast<std::size_t>(size), '\0');
  source.read(source.size() - 10 - size, footer.data(), footer.size());
  return Flat(footer).firsts(3, 24);
}

// The columns of a record batch: their buffers, if no value is missing.
class Record {
 public:
  Record(const Flat& flat, const Message& message)
      : rows_(flat.get<std::int64_t>(0, 0)), body_(message.body), end_(message.end), nodes_(flat.pairs(1)),
        buffers_(flat.pairs(2)) {
    require(!flat.table(3) && rows_ >= 0);
  }
  std::int64_t rows() const { return rows_; }

  // Buffer `which` of a column that begins with buffer `first`, with room for so many bytes.
  Buffer buffer(std::size_t first, int which, std::int64_t least) const {
    const std::size_t place = first + static_cast<std::size_t>(which);
    require(place < buffers_.size());
    const auto [offset, size] = buffers_[place];
    require(offset >= 0 && size >= least && offset <= end_ - body_ && size <= end_ - body_ - offset);
    return {body_ + offset, size};
  }
  void check_complete(std::size_t column) const {
    require(column < nodes_.size() && nodes_[column][0] == rows_ && nodes_[column][1] == 0);
  }

 private:
  std::int64_t rows_, body_, end_;
  std::vector<std::array<std::int64_t, 2>> nodes_, buffers_;
};

// The texts of rows first..last of a column: their ends, counted from the first, and their bytes.
template <class Offset>
IdColumn load_texts(const Source& source, Buffer ends, Buffer bytes, std::int64_t first, std::int64_t last,
                    Blocks& blocks) {
  const auto count = static_cast<std::size_t>(last - first) + 1;
  auto* const offsets = reinterpret_cast<Offset*>(blocks.take(count * sizeof(Offset)));
  source.read(ends.begin + first * static_cast<std::int64_t>(sizeof(Offset)), reinterpret_cast<char*>(offsets),
              count * sizeof(Offset));
  const Offset begin = offsets[0];
  bool sound = begin >= 0 && offsets[count - 1] <= bytes.size;
  for (std::size_t i = 1; i < count; ++i) sound &= offsets[i - 1] <= offsets[i];
  require(sound);
  for (std::size_t i = 0; begin != 0 && i < count; ++i) offsets[i] = static_cast<Offset>(offsets[i] - begin);
  char* const data = blocks.take(static_cast<std::size_t>(offsets[count - 1]));
  source.read(bytes.begin + begin, data, static_cast<std::size_t>(offsets[count - 1]));
  IdColumn column;
  column.kind = sizeof(Offset) == 4 ? IdColumn::Kind::text32 : IdColumn::Kind::text64;
  column.values = offsets;
  column.data = data;
  return column;
}

const char* load_numbers(const Source& source, Buffer numbers, std::int64_t first, std::int64_t last,
                         std::int64_t width, Blocks& blocks) {
  const auto size = static_cast<std::size_t>((last - first) * width);
  char* const data = blocks.take(size);
  source.read(numbers.begin + first * width, data, size);
  return data;
}

struct LoadedDictionary {
  Blocks blocks;
  IdColumn column;
  std::int64_t size = 0;
};

std::vector<Field> fields_of(const Message& message) {
  require(message.kind == kSchema);
  const Flat schema = message.header();
  require(schema.get<std::int16_t>(0, 0) == 0);  // little-endian, as all machines this runs on
  std::vector<Field> fields;
  for (const Flat& flat : schema.tables(1)) fields.push_back(field_of(flat));
  return fields;
}

class IpcTable : public StoredTable {
 public:
  IpcTable(const Source& source, const std::vector<std::int64_t>& columns) : source_(source) {
    std::int64_t place = first_message(source);
    std::optional<Message> message = message_at(source, place);
    require(message.has_value());
    choose(fields_of(*message), columns);
    std::vector<std::int64_t> records;
    for (place = message->end; (message = message_at(source, place)); place = message->end) {
      if (message->kind == kDictionaryBatch) add_dictionary(*message);
      if (message->kind == kRecordBatch) {
        add_record(*message);
        records.push_back(place);
      }
    }
    require(!is_file(source) || records == listed_records(source));
  }

  std::int64_t rows() const override { return rows_; }
  bool integer_queries() const override { return columns_[0].field.integer; }
  bool integer_items() const override { return columns_[1].field.integer; }
  std::int64_t seam(std::int64_t row) const override { return row; }

 protected:
  void add_batches(std::int64_t begin, std::int64_t end, Part part, Desk& desk, const Look& look) const override {
    for (const Stored& stored : batches_) {
      const std::int64_t first = std::max<std::int64_t>(begin - stored.begin, 0);
      const std::int64_t last = std::min(end - stored.begin, stored.rows);
      if (first >= last) continue;
      if (look) look();
      Batch batch;
      batch.begin = stored.begin + first;
      batch.rows = last - first;
      batch.query = ids(stored, 0, first, last, desk);
      if (part == Part::all) {
        batch.item = ids(stored, 1, first, last, desk);
        const Field& field = columns_[2].field;
        batch.value.kind = field.number;
        batch.value.values =
            load_numbers(source_, stored.buffers[2][0], first, last, field.width(), desk.blocks);
      }
      desk.table.batches.push_back(batch);
    }
  }

 private:
  struct Column {
    Field field;
    std::size_t place = 0, first_buffer = 0;
    std::shared_ptr<LoadedDictionary> dictionary;
  };
  struct Stored {
    std::int64_t begin, rows;
    std::array<std::array<Buffer, 2>, 3> buffers;  // numbers; or the ends of texts, and their bytes
  };

  void choose(const std::vector<Field>& fields, const std::vector<std::int64_t>& columns) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      require(columns[i] >= 0 && columns[i] < static_cast<std::int64_t>(fields.size()));
      Column& column = columns_[i];
      column.place = static_cast<std::size_t>(columns[i]);
      column.field = fields[column.place];
      for (std::size_t f = 0; f < column.place; ++f) column.first_buffer += static_cast<std::size_t>(fields[f].buffers);
      const bool number = column.field.shape == Field::Shape::numbers && column.field.dictionary < 0;
      const bool text = column.field.shape == Field::Shape::text32 || column.field.shape == Field::Shape::text64;
      require(i == 2 ? number : text || column.field.integer || column.field.dictionary >= 0);
    }
  }

  void add_record(const Message& message) {
    const Record record(message.header(), message);
    Stored stored{rows_, record.rows(), {}};
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const Column& column = columns_[i];
      require(column.field.dictionary < 0 || column.dictionary != nullptr);
      record.check_complete(column.place);
      stored.buffers[i] = buffers_of(record, column.field, column.first_buffer);
    }
    if (record.rows() > 0) batches_.push_back(stored);
    rows_ += record.rows();
  }

  static std::array<Buffer, 2> buffers_of(const Record& record, const Field& field, std::size_t first) {
    require(record.rows() < std::numeric_limits<std::int64_t>::max() / 16);
    if (field.shape == Field::Shape::numbers) return {record.buffer(first, 1, record.rows() * field.width()), Buffer{}};
    if (record.rows() == 0) return {};
    const std::int64_t width = field.shape == Field::Shape::text32 ? 4 : 8;
    return {record.buffer(first, 1, (record.rows() + 1) * width), record.buffer(first, 2, 0)};
  }

  void add_dictionary(const Message& message) {
    const Flat header = message.header();
    const auto number = header.get<std::int64_t>(0, 0);
    for (std::size_t i = 0; i < 2; ++i) {
      Column& column = columns_[i];
      if (column.field.dictionary != number) continue;
      require(column.dictionary == nullptr && header.get<std::uint8_t>(2, 0) == 0);
      const std::optional<Flat> data = header.table(1);
      require(data.has_value());
      column.dictionary = loaded(Record(*data, message), column);
    }
  }

  std::shared_ptr<LoadedDictionary> loaded(const Record& record, const Column& column) const {
    auto dictionary = std::make_shared<LoadedDictionary>();
    record.check_complete(0);
    dictionary->size = record.rows();
    if (record.rows() == 0) return dictionary;
    Field field;
    field.shape = column.field.words;
    const auto [ends, bytes] = buffers_of(record, field, 0);
    dictionary->column = texts(field.shape, ends, bytes, 0, record.rows(), dictionary->blocks);
    return dictionary;
  }

  IdColumn texts(Field::Shape shape, Buffer ends, Buffer bytes, std::int64_t first, std::int64_t last,
                 Blocks& blocks) const {
    return shape == Field::Shape::text32 ? load_texts<std::int32_t>(source_, ends, bytes, first, last, blocks)
                                         : load_texts<std::int64_t>(source_, ends, bytes, first, last, blocks);
  }

  IdColumn ids(const Stored& stored, int which, std::int64_t first, std::int64_t last, Desk& desk) const {
    const Column& column = columns_[static_cast<std::size_t>(which)];
    const auto& [numbers, bytes] = stored.buffers[static_cast<std::size_t>(which)];
    if (column.field.shape != Field::Shape::numbers) {
      return texts(column.field.shape, numbers, bytes, first, last, desk.blocks);
    }
    IdColumn found;
    found.kind = column.field.id;
    found.values = load_numbers(source_, numbers, first, last, column.field.width(), desk.blocks);
    if (column.dictionary != nullptr) {
      found.dictionary = &column.dictionary->column;
      found.dictionary_size = column.dictionary->size;
    }
    return found;
  }

  const Source& source_;
  std::array<Column, 3> columns_;
  std::vector<Stored> batches_;
  std::int64_t rows_ = 0;
};

}  // namespace

bool is_ipc(const Source& source) {
  std::array<char, 8> bytes;
  const std::string_view head = head_of(source, bytes);
  return head == kFileMagic || head.substr(0, 4) == kStreamMagic;
}

std::vector<std::string> ipc_names(const Source& source) {
  const std::optional<Message> message = message_at(source, first_message(source));
  require(message.has_value());
  std::vector<std::string> names;
  for (Field& field : fields_of(*message)) names.push_back(std::move(field.name));
  return names;
}

std::unique_ptr<StoredTable> open_ipc(const Source& source, const std::vector<std::int64_t>& columns) {
  return std::make_unique<IpcTable>(source, columns);
}

}  // namespace rankscope
