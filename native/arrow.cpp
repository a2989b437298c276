#include "arrow.hpp"

#include <stdexcept>

namespace rankscope {

namespace {

struct Schema {
  ArrowSchema schema{};
  explicit Schema(ArrowArrayStream* stream) {
    if (stream->get_schema(stream, &schema) != 0) {
      const char* error = stream->get_last_error(stream);
      throw std::runtime_error(error != nullptr ? error : "the Arrow stream has no schema");
    }
  }
  ~Schema() {
    if (schema.release != nullptr) schema.release(&schema);
  }
  Schema(const Schema&) = delete;
  Schema& operator=(const Schema&) = delete;
};

// A type that cannot be used, in one word that needs no knowledge of Arrow.
std::string_view describe(const ArrowSchema& schema) {
  if (schema.dictionary != nullptr) return "category";
  switch (schema.format[0]) {
    case 'b': return "bool";
    case 'e': return "half float";
    case 'f':
    case 'g': return "float";
    case 'd': return "decimal";
    case 't': return "date or time";
    case 'n': return "null";
    case 'u':
    case 'U':
    case 'z':
    case 'Z':
    case 'v': return "text";
    case '+': return "nested";
    default: return "other";
  }
}

[[noreturn]] void unsupported(const ArrowSchema& schema) {
  throw Problem("column-type")
      .with("header", std::string_view(schema.name != nullptr ? schema.name : ""))
      .with("found", describe(schema));
}

bool one_letter(const ArrowSchema& schema) { return schema.format[0] != '\0' && schema.format[1] == '\0'; }

IdColumn::Kind integer_kind(const ArrowSchema& schema) {
  using Kind = IdColumn::Kind;
  if (one_letter(schema)) {
    switch (schema.format[0]) {
      case 'c': return Kind::i8;
      case 'C': return Kind::u8;
      case 's': return Kind::i16;
      case 'S': return Kind::u16;
      case 'i': return Kind::i32;
      case 'I': return Kind::u32;
      case 'l': return Kind::i64;
      case 'L': return Kind::u64;
      default: break;
    }
  }
  unsupported(schema);
}

NumberColumn::Kind number_kind(const ArrowSchema& schema) {
  using Kind = NumberColumn::Kind;
  if (one_letter(schema) && schema.dictionary == nullptr) {
    switch (schema.format[0]) {
      case 'f': return Kind::f32;
      case 'g': return Kind::f64;
      case 'c': return Kind::i8;
      case 'C': return Kind::u8;
      case 's': return Kind::i16;
      case 'S': return Kind::u16;
      case 'i': return Kind::i32;
      case 'I': return Kind::u32;
      case 'l': return Kind::i64;
      case 'L': return Kind::u64;
      default: break;
    }
  }
  unsupported(schema);
}

bool is_text(const ArrowSchema& schema) {
  const std::string_view format = schema.format;
  return format == "u" || format == "z" || format == "U" || format == "Z" || format == "vu" || format == "vz";
}

// The first row of a batch that has no value in a column, or -1.
std::int64_t first_null(const ArrowArray& batch, const ArrowArray& column) {
  if (column.null_count == 0 || column.n_buffers == 0 || column.buffers[0] == nullptr) return -1;
  const auto* valid = static_cast<const unsigned char*>(column.buffers[0]);
  for (std::int64_t row = 0; row < batch.length; ++row) {
    const std::int64_t bit = row + column.offset + batch.offset;
    if ((valid[bit >> 3] >> (bit & 7) & 1) == 0) return row;
  }
  return -1;
}

}  // namespace

std::vector<std::string> arrow_names(ArrowArrayStream* stream) {
  const Schema schema(stream);
  std::vector<std::string> names;
  for (std::int64_t i = 0; i < schema.schema.n_children; ++i) names.emplace_back(schema.schema.children[i]->name);
  return names;
}

void ArrowTable::Release::operator()(ArrowArray* array) const {
  if (array->release != nullptr) array->release(array);
  delete array;
}

IdColumn ArrowTable::id_column(const ArrowSchema& schema, const ArrowArray& array) {
  IdColumn column;
  column.offset = array.offset;
  if (schema.dictionary != nullptr) {
    column.kind = integer_kind(schema);
    column.values = array.buffers[1];
    dictionaries_.push_back(std::make_unique<IdColumn>(id_column(*schema.dictionary, *array.dictionary)));
    column.dictionary = dictionaries_.back().get();
    column.dictionary_size = array.dictionary->length;
    return column;
  }
  const std::string_view format = schema.format;
  if (format == "u" || format == "z" || format == "U" || format == "Z") {
    column.kind = format == "u" || format == "z" ? IdColumn::Kind::text32 : IdColumn::Kind::text64;
    column.values = array.buffers[1];
    column.data = static_cast<const char*>(array.buffers[2]);
  } else if (format == "vu" || format == "vz") {
    column.kind = IdColumn::Kind::view;
    column.values = array.buffers[1];
    column.buffers = array.buffers + 2;
  } else {
    column.kind = integer_kind(schema);
    column.values = array.buffers[1];
  }
  return column;
}

ArrowTable::ArrowTable(ArrowArrayStream* stream, const std::vector<std::int64_t>& columns, const char* value_name) {
  const Schema schema(stream);
  if (columns.size() != 3) throw std::out_of_range("three columns are needed");
  for (const std::int64_t column : columns) {
    if (column < 0 || column >= schema.schema.n_children) throw std::out_of_range("no such column");
  }
  for (int i = 0; i < 3; ++i) {
    const ArrowSchema& type = *schema.schema.children[columns[i]];
    if (i == 2) {
      number_kind(type);
    } else if (type.dictionary != nullptr) {
      if (!is_text(*type.dictionary)) unsupported(type);
    } else if (!is_text(type)) {
      integer_kind(type);
    }
  }
  const char* const fields[] = {"query id", "item id", value_name};
  for (std::int64_t rows = 0;;) {
    std::unique_ptr<ArrowArray, Release> array(new ArrowArray{});
    if (stream->get_next(stream, array.get()) != 0) {
      const char* error = stream->get_last_error(stream);
      throw std::runtime_error(error != nullptr ? error : "the Arrow stream broke off");
    }
    if (array->release == nullptr) break;
    const auto child = [&](int i) -> const ArrowArray& { return *array->children[columns[i]]; };
    const auto type = [&](int i) -> const ArrowSchema& { return *schema.schema.children[columns[i]]; };
    int null_field = -1;
    std::int64_t null_row = array->length;
    for (int i = 0; i < 3; ++i) {
      const std::int64_t row = first_null(*array, child(i));
      if (row >= 0 && row < null_row) {
        null_row = row;
        null_field = i;
      }
    }
    if (null_field >= 0) {
      throw Problem("null").with("field", std::string_view(fields[null_field])).with("row", rows + null_row + 1);
    }
    Batch batch{rows, array->length, id_column(type(0), child(0)), id_column(type(1), child(1)),
                NumberColumn{number_kind(type(2)), child(2).buffers[1], child(2).offset}};
    batch.query.offset += array->offset;
    batch.item.offset += array->offset;
    batch.value.offset += array->offset;
    rows += batch.rows;
    table_.batches.push_back(batch);
    arrays_.push_back(std::move(array));
  }
}

}  // namespace rankscope
