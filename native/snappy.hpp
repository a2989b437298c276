// Snappy, the compression that Parquet files mostly have: literals, and copies of what came before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace rankscope {

// The size of what `in` holds decompressed, or -1; `in` moves on to the data.
inline std::int64_t snappy_size(const unsigned char*& in, const unsigned char* end) {
  std::uint64_t size = 0;
  for (int shift = 0; shift < 35 && in < end; shift += 7) {
    const unsigned char byte = *in++;
    size |= std::uint64_t{byte & 127u} << shift;
    if (byte < 128) return static_cast<std::int64_t>(size);
  }
  return -1;
}

// Decompresses all, or as much as fills `wanted` bytes (and perhaps a little more); false if the data is broken.
// Both sides must have room for 32 bytes past their ends, and `out` holds `size` bytes.
inline bool snappy_decompress(const unsigned char* in, const unsigned char* end, char* out, std::size_t size,
                              std::size_t wanted) {
  std::size_t done = 0;
  while (done < wanted && in < end) {
    const unsigned tag = *in++;
    std::size_t length = (tag >> 2) + 1, back;
    switch (tag & 3) {
      case 0: {
        if (length > 60) {
          const unsigned extra = static_cast<unsigned>(length) - 60;
          if (static_cast<std::size_t>(end - in) < extra) return false;
          std::uint32_t longer = 0;
          std::memcpy(&longer, in, 4);  // there is room behind the end
          in += extra;
          length = std::size_t{longer & (0xFFFFFFFFu >> (32 - 8 * extra))} + 1;
        }
        if (static_cast<std::size_t>(end - in) < length || size - done < length) return false;
        if (length <= 16) {
          std::memcpy(out + done, in, 16);
        } else {
          std::memcpy(out + done, in, length);
        }
        in += length;
        done += length;
        continue;
      }
      case 1:
        if (in == end) return false;
        length = (tag >> 2 & 7) + 4;
        back = (tag & 0xE0u) << 3 | *in++;
        break;
      case 2: {
        if (end - in < 2) return false;
        std::uint16_t offset;
        std::memcpy(&offset, in, 2);
        back = offset;
        in += 2;
        break;
      }
      default: {
        if (end - in < 4) return false;
        std::uint32_t offset;
        std::memcpy(&offset, in, 4);
        back = offset;
        in += 4;
      }
    }
    if (back == 0 || back > done || size - done < length) return false;
    char* const to = out + done;
    const char* const from = to - back;
    if (length <= 16 && back >= 16) {
      std::memcpy(to, from, 16);
    } else if (length <= 16 && back >= 8) {
      std::memcpy(to, from, 8);
      std::memcpy(to + 8, from + 8, 8);
    } else if (back >= length) {
      std::memcpy(to, from, length);
    } else {
      for (std::size_t i = 0; i < length; ++i) to[i] = from[i];
    }
    done += length;
  }
  return wanted <= done || (in == end && done == size);
}

}  // namespace rankscope
