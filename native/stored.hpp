// Tables in files, of which any rows can be loaded: what Arrow and Parquet have in common.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "columns.hpp"
#include "problem.hpp"
#include "read.hpp"
#include "watch.hpp"

namespace rankscope {

// Thrown where a file has what is left to others: rare types and encodings, missing values, broken data.
struct Foreign {};

// Throws unless what a file says of itself can be true.
inline void require(bool sound) {
  if (!sound) throw Foreign{};
}

// Blocks of memory that are used again for every piece; each has room for wide loads and stores past its end.
class Blocks {
 public:
  char* take(std::size_t size);
  void reset() { used_ = 0; }

 private:
  struct Memory {
    std::unique_ptr<char[]> bytes;
    std::size_t size = 0;
  };
  std::vector<Memory> all_;
  std::size_t used_ = 0;
};

class StoredTable {
 public:
  // Where a thread has the rows that it works on.
  struct Desk {
    Table table;
    Arena arena;
    Blocks blocks;
    Blocks scratch;
    std::vector<std::shared_ptr<const void>> kept;  // dictionaries that the columns refer to
  };
  enum class Part { queries, all };

  virtual ~StoredTable() = default;
  virtual std::int64_t rows() const = 0;
  virtual bool integer_queries() const = 0;
  virtual bool integer_items() const = 0;
  // A row at or after this one at which it costs little to end a piece.
  virtual std::int64_t seam(std::int64_t row) const = 0;

  // Puts the rows begin..end, or their queries alone, onto the desk.
  void load(std::int64_t begin, std::int64_t end, Part part, Desk& desk, const Look& look) const;

 protected:
  virtual void add_batches(std::int64_t begin, std::int64_t end, Part part, Desk& desk, const Look& look) const = 0;
};

// The names of the columns of a file.
std::vector<std::string> stored_names(const Source& source);
// `columns`: where the query, the item and the value stand. The source must outlive the table.
std::unique_ptr<StoredTable> open_stored(const Source& source, const std::vector<std::int64_t>& columns);

bool is_ipc(const Source& source);
std::vector<std::string> ipc_names(const Source& source);
std::unique_ptr<StoredTable> open_ipc(const Source& source, const std::vector<std::int64_t>& columns);
bool is_parquet(const Source& source);
std::vector<std::string> parquet_names(const Source& source);
std::unique_ptr<StoredTable> open_parquet(const Source& source, const std::vector<std::int64_t>& columns);

// Hands out ranges of rows, each ended where another query begins (or anywhere when queries are scattered).
class StoredPieces {
 public:
  StoredPieces(const StoredTable& table, bool whole_queries, Look look)
      : table_(table), whole_queries_(whole_queries), look_(std::move(look)) {}
  bool next(std::int64_t& begin, std::int64_t& end);

 private:
  std::int64_t end_of_query(std::int64_t row);

  const StoredTable& table_;
  bool whole_queries_;
  Look look_;
  std::int64_t cursor_ = 0;
  StoredTable::Desk desk_;
};

}  // namespace rankscope
