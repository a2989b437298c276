// The Arrow C stream interface: tables of any library that exports it, read where they lie.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "columns.hpp"

// The structures that Arrow's C data and C stream interfaces fix.
extern "C" {
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};
struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};
struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};
}

namespace rankscope {

std::vector<std::string> arrow_names(ArrowArrayStream* stream);

// All batches of a stream, held until this object goes.
class ArrowTable {
 public:
  // `columns`: where the query, the item and the value stand.
  ArrowTable(ArrowArrayStream* stream, const std::vector<std::int64_t>& columns, const char* value_name);
  const Table& table() const { return table_; }

 private:
  struct Release {
    void operator()(ArrowArray* array) const;
  };
  IdColumn id_column(const ArrowSchema& schema, const ArrowArray& array);

  std::vector<std::unique_ptr<ArrowArray, Release>> arrays_;
  std::vector<std::unique_ptr<IdColumn>> dictionaries_;
  Table table_;
};

}  // namespace rankscope
