#include "stored.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

namespace rankscope {

namespace {
constexpr std::int64_t kPiece = 1 << 16;   // rows that a thread takes at a time, about
constexpr std::int64_t kWindow = 1 << 11;  // rows looked at to find where a query ends
constexpr std::size_t kRoom = 64;
}  // namespace

namespace {

// Asks for large pages: the texts of a dictionary are read in any order, and each small page is a wait of its own.
void widen_pages([[maybe_unused]] char* bytes, [[maybe_unused]] std::size_t size) {
#ifdef MADV_HUGEPAGE
  constexpr std::size_t kPage = 1 << 21;
  const std::size_t skipped = (kPage - reinterpret_cast<std::uintptr_t>(bytes) % kPage) % kPage;
  if (size >= skipped + kPage) madvise(bytes + skipped, (size - skipped) / kPage * kPage, MADV_HUGEPAGE);
#endif
}

}  // namespace

char* Blocks::take(std::size_t size) {
  if (used_ == all_.size()) all_.emplace_back();
  Memory& memory = all_[used_++];
  if (memory.size < size + kRoom) {
    memory.size = size + size / 8 + kRoom;
    memory.bytes.reset(new char[memory.size]);
    widen_pages(memory.bytes.get(), memory.size);
  }
  return memory.bytes.get();
}

void StoredTable::load(std::int64_t begin, std::int64_t end, Part part, Desk& desk, const Look& look) const {
  desk.table.batches.clear();
  desk.arena.clear();
  desk.blocks.reset();
  desk.kept.clear();
  add_batches(begin, end, part, desk, look);
}

std::vector<std::string> stored_names(const Source& source) {
  require(is_ipc(source) || is_parquet(source));
  return is_ipc(source) ? ipc_names(source) : parquet_names(source);
}

std::unique_ptr<StoredTable> open_stored(const Source& source, const std::vector<std::int64_t>& columns) {
  require(columns.size() == 3 && (is_ipc(source) || is_parquet(source)));
  return is_ipc(source) ? open_ipc(source, columns) : open_parquet(source, columns);
}

bool StoredPieces::next(std::int64_t& begin, std::int64_t& end) {
  const std::int64_t rows = table_.rows();
  if (cursor_ >= rows) return false;
  begin = cursor_;
  end = std::min(table_.seam(std::min(begin + kPiece, rows)), rows);
  if (whole_queries_ && end < rows) end = end_of_query(end);
  cursor_ = end;
  return true;
}

// Where the query of the row before this one ends.
std::int64_t StoredPieces::end_of_query(std::int64_t row) {
  std::string query;
  bool known = false;
  for (std::int64_t from = row - 1, width = kWindow; from < table_.rows(); width *= 2) {
    const std::int64_t to = std::min(from + width, table_.rows());
    table_.load(from, to, StoredTable::Part::queries, desk_, look_);
    for (const Batch& batch : desk_.table.batches) {
      for (std::int64_t i = 0; i < batch.rows; i = batch.query.run_end(i, batch.rows)) {
        const std::string_view here = batch.query.at(i, desk_.arena);
        if (known && here != query) return batch.begin + i;
        if (!known) query = here;
        known = true;
      }
    }
    from = to;
    if (look_) look_();
  }
  return table_.rows();
}

}  // namespace rankscope
