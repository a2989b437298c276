// What a Parquet file says of itself: its columns, and where their pages are.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "columns.hpp"
#include "read.hpp"

namespace rankscope {

struct ParquetColumn {
  enum class Physical { boolean, i32, i64, i96, f32, f64, bytes, fixed };
  std::string name;
  Physical physical = Physical::boolean;
  bool optional = false;
  bool plain = true;       // nothing but text, whole numbers or floats: no date, no decimal
  bool is_unsigned = false;

  bool is_integer() const { return physical == Physical::i32 || physical == Physical::i64; }
  bool is_number() const { return is_integer() || physical == Physical::f32 || physical == Physical::f64; }
  std::int64_t width() const { return physical == Physical::i32 || physical == Physical::f32 ? 4 : 8; }
};

struct ParquetPage {
  std::int64_t first_row = 0, rows = 0;
  std::int64_t place = 0;  // of its data, behind the header
  std::int64_t stored = 0, size = 0;  // bytes in the file, and decompressed
  std::int64_t levels = 0;  // bytes of levels in front of the data, which are not compressed
  bool dictionary = false;  // the values are codes
  bool second_version = false;
  bool compressed = false;
};

// A column of a row group.
struct ParquetChunk {
  ParquetPage dictionary;  // without rows if there is none
  std::vector<ParquetPage> pages;
};

struct ParquetGroup {
  std::int64_t begin = 0, rows = 0;
  std::array<ParquetChunk, 3> chunks;
};

std::vector<ParquetColumn> parquet_columns(const Source& source);
// The row groups, with the pages of three columns.
std::vector<ParquetGroup> parquet_groups(const Source& source, const std::array<std::size_t, 3>& columns);

}  // namespace rankscope
