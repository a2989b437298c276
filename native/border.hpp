// What crosses the border between Python and the core: columns, options, problems, and the wish to stop.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "align.hpp"
#include "arrow.hpp"
#include "judge.hpp"
#include "rows.hpp"

namespace rankscope {

namespace nb = nanobind;

using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Ints = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Longs = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Bools = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Hands a column to NumPy without copying it.
template <class Element, class T>
nb::object array(std::vector<T>&& values) {
  static_assert(sizeof(Element) == sizeof(T));
  auto* const owned = new std::vector<T>(std::move(values));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, Element, nb::ndim<1>>(owned->data(), {owned->size()}, owner));
}

// A new array and where its values go. NumPy gets its memory, which lies on huge pages where it is large: to touch it for
// the first time costs a fraction of what it costs in a vector.
template <class T>
std::pair<nb::object, T*> new_array(std::size_t size) {
  static_assert(std::is_same_v<T, double> || std::is_same_v<T, std::int32_t>);
  const char* const type = std::is_same_v<T, double> ? "float64" : "int32";
  nb::object made = nb::module_::import_("numpy").attr("empty")(size, type);
  T* const data = nb::cast<nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>>(made).data();
  return {std::move(made), data};
}

nb::str text(const std::string& bytes);

// Every way out of the core for a Problem: the exception that errors.py makes of its code and facts.
[[noreturn]] void raise(const Problem& problem, const std::string& name);

template <class Work>
auto reporting(const std::string& name, Work&& work) {
  try {
    return work();
  } catch (const Problem& problem) {
    raise(problem, name);
  }
}

// None where a file is left to others.
template <class Work>
nb::object or_none(Work&& work) {
  try {
    return work();
  } catch (const Foreign&) {
    return nb::none();
  }
}

// Bytes, or the descriptor of a file.
Source source_of(nb::handle source);

Texts texts_of(const Bytes& data, const Longs& offsets);

// An index together with the arrays it looks into.
class OwnedIndex {
 public:
  OwnedIndex(Bytes query_data, Longs query_offsets, Longs rows, Bytes item_data, Longs item_offsets)
      : query_data_(query_data), query_offsets_(query_offsets), rows_(rows), item_data_(item_data),
        item_offsets_(item_offsets), index_(make()) {}
  const Index& operator*() const { return index_; }

 private:
  Index make() const {
    const Texts queries = texts_of(query_data_, query_offsets_), items = texts_of(item_data_, item_offsets_);
    const std::int64_t* rows = rows_.data();
    bool sound = static_cast<std::int64_t>(rows_.size()) == queries.size + 1 && rows[0] == 0;
    for (std::int64_t q = 0; sound && q < queries.size; ++q) sound = rows[q] <= rows[q + 1];
    if (!sound || rows[queries.size] != items.size) throw nb::value_error("rows do not fit queries and items");
    return {queries, rows, items};
  }

  Bytes query_data_;
  Longs query_offsets_, rows_;
  Bytes item_data_;
  Longs item_offsets_;
  Index index_;
};

Options options_of(const std::string& tie_order, const std::string& duplicates, std::int64_t depth, bool float32,
                   bool ascending, bool dense, int threads);

// Ctrl-C and progress, looked after about ten times a second by the thread that waits.
Watch watch_of(nb::object progress);

nb::dict judgments_dict(JudgmentColumns&& columns, bool integer_queries, bool integer_items);

nb::dict rows_dict(RowColumns&& columns);

RunText run_text(const std::string& layout);

nb::dict aligned_dict(Aligned&& aligned, const Options& options, bool integer_queries, bool integer_items);

// Whole numbers, or the two arrays of a text column; kept alive by `owner`.
IdColumn id_column(nb::handle column, std::int64_t& rows);

Table table_of(nb::handle query, nb::handle item, const Doubles& value);

ArrowArrayStream* stream_of(nb::handle capsule);

// An object that exports an Arrow stream, or the capsule that it exported.
nb::object capsule_of(nb::object source);

}  // namespace rankscope
