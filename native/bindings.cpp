// What Python sees of the core.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <cmath>

#include "align.hpp"
#include "arrow.hpp"
#include "classi.hpp"
#include "judge.hpp"
#include "mapping.hpp"
#include "pairs.hpp"
#include "rows.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace rankscope {

namespace {

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

nb::str text(const std::string& bytes) {
  return nb::steal<nb::str>(PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "surrogateescape"));
}

// Every way out of the core for a Problem: the exception that errors.py makes of its code and facts.
[[noreturn]] void raise(const Problem& problem, const std::string& name) {
  nb::dict facts;
  facts["source"] = text(name);
  for (const auto& [fact, value] : problem.facts()) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
      facts[fact] = *number;
    } else if (const auto* real = std::get_if<double>(&value)) {
      facts[fact] = *real;
    } else {
      facts[fact] = text(std::get<std::string>(value));
    }
  }
  const nb::object error = nb::module_::import_("rankscope.errors").attr("input_error")(problem.code(), **facts);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
  throw nb::python_error();
}

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
Source source_of(nb::handle source) {
  if (PyBytes_Check(source.ptr())) {
    return Source::memory(PyBytes_AS_STRING(source.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(source.ptr())));
  }
  return Source::file(nb::cast<int>(source));
}

Texts texts_of(const Bytes& data, const Longs& offsets) {
  Texts texts{reinterpret_cast<const char*>(data.data()), offsets.data(), static_cast<std::int64_t>(offsets.size()) - 1};
  bool sound = texts.size >= 0 && offsets.data()[0] >= 0;
  for (std::int64_t i = 0; sound && i < texts.size; ++i) sound = texts.offsets[i] <= texts.offsets[i + 1];
  if (!sound || texts.offsets[texts.size] > static_cast<std::int64_t>(data.size())) {
    throw nb::value_error("offsets do not fit their data");
  }
  return texts;
}

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
                   bool ascending, bool dense, int threads) {
  Options options;
  options.tie_order = tie_order == "given"       ? TieOrder::given
                      : tie_order == "docid-asc" ? TieOrder::docid_ascending
                                                 : TieOrder::docid;
  options.duplicates = duplicates == "first"  ? Duplicates::first
                       : duplicates == "best" ? Duplicates::best
                                              : Duplicates::error;
  options.depth = depth;
  options.float32 = float32;
  options.ascending = ascending;
  options.dense = dense;
  options.threads = threads;
  return options;
}

// Ctrl-C and progress, looked after about ten times a second by the thread that waits.
Watch watch_of(nb::object progress) {
  using Clock = std::chrono::steady_clock;
  return [progress, last = Clock::now()](std::int64_t done, std::int64_t total) mutable {
    const auto now = Clock::now();
    if (now - last < std::chrono::milliseconds(80)) return;
    last = now;
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!progress.is_none()) progress(done, total);
  };
}

nb::dict judgments_dict(JudgmentColumns&& columns, bool integer_queries, bool integer_items) {
  nb::dict out;
  out["query_data"] = array<std::uint8_t>(std::move(columns.query_data));
  out["query_offsets"] = array<std::int64_t>(std::move(columns.query_offsets));
  out["row_offsets"] = array<std::int64_t>(std::move(columns.row_offsets));
  out["item_data"] = array<std::uint8_t>(std::move(columns.item_data));
  out["item_offsets"] = array<std::int64_t>(std::move(columns.item_offsets));
  out["grades"] = array<double>(std::move(columns.grades));
  out["merged"] = columns.merged;
  out["integer_queries"] = integer_queries;
  out["integer_items"] = integer_items;
  return out;
}

nb::dict rows_dict(RowColumns&& columns) {
  nb::dict out;
  out["query_data"] = array<std::uint8_t>(std::move(columns.query_data));
  out["query_offsets"] = array<std::int64_t>(std::move(columns.query_offsets));
  out["item_data"] = array<std::uint8_t>(std::move(columns.item_data));
  out["item_offsets"] = array<std::int64_t>(std::move(columns.item_offsets));
  out["values"] = array<double>(std::move(columns.values));
  return out;
}

RunText run_text(const std::string& layout) {
  if (layout == "run") return RunText::trec;
  if (layout == "scores") return RunText::scores;
  if (layout == "ranks") return RunText::ranks;
  throw nb::value_error("no such layout of a run");
}

nb::dict aligned_dict(Aligned&& aligned, const Options& options, bool integer_queries, bool integer_items) {
  nb::dict out;
  out["offsets"] = array<std::int64_t>(std::move(aligned.offsets));
  out["item"] = array<std::int32_t>(std::move(aligned.item));
  out["rank"] = array<std::int32_t>(std::move(aligned.rank));
  out["group_first"] = array<std::int32_t>(std::move(aligned.group_first));
  out["group_size"] = array<std::int32_t>(std::move(aligned.group_size));
  out["score"] = array<double>(std::move(aligned.score));
  out["position"] = array<std::int32_t>(std::move(aligned.position));
  out["retrieved"] = array<std::int64_t>(std::move(aligned.retrieved));
  out["tied_rows"] = array<std::int64_t>(std::move(aligned.tied_rows));
  out["in_run"] = array<bool>(std::move(aligned.in_run));
  out["rows"] = aligned.rows;
  out["extra_queries"] = aligned.extra_queries;
  nb::list examples;
  for (const std::string& example : aligned.extra_examples) examples.append(text(example));
  out["extra_examples"] = nb::tuple(examples);
  out["dropped_duplicates"] = aligned.dropped_duplicates;
  out["integer_queries"] = integer_queries;
  out["integer_items"] = integer_items;
  if (options.dense) {
    out["dictionary_data"] = array<std::uint8_t>(std::move(aligned.dictionary_data));
    out["dictionary_offsets"] = array<std::int64_t>(std::move(aligned.dictionary_offsets));
  }
  return out;
}

// Whole numbers, or the two arrays of a text column; kept alive by `owner`.
IdColumn id_column(nb::handle column, std::int64_t& rows) {
  IdColumn out;
  if (nb::isinstance<nb::tuple>(column)) {
    const auto data = nb::cast<Bytes>(column[0]);
    const auto offsets = nb::cast<Longs>(column[1]);
    const Texts texts = texts_of(data, offsets);
    out.kind = IdColumn::Kind::text64;
    out.data = texts.data;
    out.values = texts.offsets;
    rows = texts.size;
  } else {
    const auto numbers = nb::cast<Longs>(column);
    out.kind = IdColumn::Kind::i64;
    out.values = numbers.data();
    rows = static_cast<std::int64_t>(numbers.size());
  }
  return out;
}

Table table_of(nb::handle query, nb::handle item, const Doubles& value) {
  Batch batch;
  std::int64_t queries = 0, items = 0;
  batch.query = id_column(query, queries);
  batch.item = id_column(item, items);
  batch.value.values = value.data();
  batch.rows = static_cast<std::int64_t>(value.size());
  if (queries != batch.rows || items != batch.rows) throw nb::value_error("columns differ in length");
  Table table;
  if (batch.rows > 0) table.batches.push_back(batch);
  return table;
}

ArrowArrayStream* stream_of(nb::handle capsule) {
  void* stream = PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream");
  if (stream == nullptr) throw nb::python_error();
  return static_cast<ArrowArrayStream*>(stream);
}

Segments segments_of(const Longs& offsets, std::size_t rows, std::size_t others) {
  const Segments segments{offsets.data(), static_cast<std::int64_t>(offsets.size()) - 1};
  bool sound = segments.count >= 0 && segments.offsets[0] == 0 && rows == others;
  for (std::int64_t s = 0; sound && s < segments.count; ++s) sound = segments.size(s) >= 0;
  if (!sound || segments.offsets[segments.count] != static_cast<std::int64_t>(rows)) {
    throw nb::value_error("offsets do not fit their rows");
  }
  return segments;
}

// An object that exports an Arrow stream, or the capsule that it exported.
nb::object capsule_of(nb::object source) {
  return PyCapsule_CheckExact(source.ptr()) ? source : source.attr("__arrow_c_stream__")();
}

}  // namespace

NB_MODULE(_core, m) {
  nb::class_<OwnedIndex>(m, "Index")
      .def(nb::init<Bytes, Longs, Longs, Bytes, Longs>(), "query_data"_a, "query_offsets"_a, "row_offsets"_a,
           "item_data"_a, "item_offsets"_a);

  m.def("judge_text", [](nb::object source, const std::string& name, const std::string& layout) {
    return reporting(name, [&] {
      const bool three_columns = layout == "grades";
      if (!three_columns && layout != "judgments") throw nb::value_error("no such layout of judgments");
      const Source bytes = source_of(source);
      const Watch watch = watch_of(nb::none());
      JudgmentColumns columns;
      {
        const nb::gil_scoped_release released;
        columns = judge_text(bytes, three_columns, watch);
      }
      return judgments_dict(std::move(columns), false, false);
    });
  }, "source"_a, nb::kw_only(), "name"_a, "layout"_a = "judgments");

  m.def("judge_mapping", [](nb::object mapping, const std::string& name) {
    return reporting(name, [&] {
      JudgmentCollector collector;
      MappingReader reader("grade");
      reader.judge(mapping, collector, watch_of(nb::none()));
      JudgmentColumns columns = collector.finish([](Problem& problem, auto, auto, std::int64_t first,
                                                    std::int64_t second) {
        problem.with("places", std::string_view(places("rows", first, second)));
      });
      return judgments_dict(std::move(columns), reader.integer_queries(), reader.integer_items());
    });
  }, "mapping"_a, nb::kw_only(), "name"_a);

  m.def("judge_columns", [](nb::object query, nb::object item, Doubles grade, const std::string& name) {
    return reporting(name, [&] {
      const Table table = table_of(query, item, grade);
      return judgments_dict(judge_table(table), table.integer_queries(), table.integer_items());
    });
  }, "query"_a, "item"_a, "grade"_a, nb::kw_only(), "name"_a);

  m.def("judge_arrow", [](nb::object stream, const std::vector<std::int64_t>& columns, const std::string& name) {
    return reporting(name, [&] {
      const nb::object capsule = capsule_of(stream);
      const ArrowTable arrow(stream_of(capsule), columns, "grade");
      return judgments_dict(judge_table(arrow.table()), arrow.table().integer_queries(),
                            arrow.table().integer_items());
    });
  }, "stream"_a, "columns"_a, nb::kw_only(), "name"_a);

  m.def("arrow_names", [](nb::object stream) {
    const nb::object capsule = capsule_of(stream);
    return arrow_names(stream_of(capsule));
  }, "stream"_a);

  m.def("align_text",
        [](const OwnedIndex& index, nb::object source, const std::string& name, const std::string& tie_order,
           const std::string& duplicates, std::int64_t depth, bool float32, bool ascending, bool dense, int threads,
           nb::object progress, const std::string& layout) {
          return reporting(name, [&] {
            const RunText text = run_text(layout);
            const Options options = options_of(tie_order, duplicates, depth, float32, ascending, dense, threads);
            const Source bytes = source_of(source);
            const Watch watch = watch_of(progress);
            Aligned aligned;
            {
              const nb::gil_scoped_release released;
              aligned = align_text(*index, bytes, text, options, watch);
            }
            return aligned_dict(std::move(aligned), options, false, false);
          });
        },
        "index"_a, "source"_a, nb::kw_only(), "name"_a, "tie_order"_a, "duplicates"_a, "depth"_a, "float32"_a,
        "ascending"_a, "dense"_a, "threads"_a, "progress"_a.none(), "layout"_a = "run");

  m.def("list_text", [](nb::object source, const std::string& name, const std::string& layout, nb::object progress) {
    return reporting(name, [&] {
      const Source bytes = source_of(source);
      const Watch watch = watch_of(progress);
      RowColumns columns;
      {
        const nb::gil_scoped_release released;
        columns = list_text(bytes, layout, watch);
      }
      return rows_dict(std::move(columns));
    });
  }, "source"_a, nb::kw_only(), "name"_a, "layout"_a, "progress"_a.none());

  m.def("list_columns", [](nb::object query, nb::object item, Doubles value, const std::string& name, bool grades) {
    return reporting(name, [&] { return rows_dict(list_table(table_of(query, item, value), grades)); });
  }, "query"_a, "item"_a, "value"_a, nb::kw_only(), "name"_a, "grades"_a);

  m.def("list_arrow", [](nb::object stream, const std::vector<std::int64_t>& columns, const std::string& name,
                         bool grades) {
    return reporting(name, [&] {
      const nb::object capsule = capsule_of(stream);
      const ArrowTable arrow(stream_of(capsule), columns, grades ? "grade" : "score");
      return rows_dict(list_table(arrow.table(), grades));
    });
  }, "stream"_a, "columns"_a, nb::kw_only(), "name"_a, "grades"_a);

  const auto align_rows = [](const OwnedIndex& index, const Table& table, const Options& options,
                             nb::object progress) {
    const Watch watch = watch_of(progress);
    Aligned aligned;
    {
      const nb::gil_scoped_release released;
      aligned = align_table(*index, table, options, watch);
    }
    return aligned_dict(std::move(aligned), options, table.integer_queries(), table.integer_items());
  };

  m.def("align_columns",
        [align_rows](const OwnedIndex& index, nb::object query, nb::object item, Doubles score,
                     const std::string& name, const std::string& tie_order, const std::string& duplicates,
                     std::int64_t depth, bool float32, bool ascending, bool dense, int threads, nb::object progress) {
          return reporting(name, [&] {
            const Table table = table_of(query, item, score);
            return align_rows(index, table,
                              options_of(tie_order, duplicates, depth, float32, ascending, dense, threads), progress);
          });
        },
        "index"_a, "query"_a, "item"_a, "score"_a, nb::kw_only(), "name"_a, "tie_order"_a, "duplicates"_a, "depth"_a,
        "float32"_a, "ascending"_a, "dense"_a, "threads"_a, "progress"_a.none());

  m.def("align_arrow",
        [align_rows](const OwnedIndex& index, nb::object stream, const std::vector<std::int64_t>& columns,
                     const std::string& name, const std::string& tie_order, const std::string& duplicates,
                     std::int64_t depth, bool float32, bool ascending, bool dense, int threads, nb::object progress) {
          return reporting(name, [&] {
            const nb::object capsule = capsule_of(stream);
            const ArrowTable arrow(stream_of(capsule), columns, "score");
            return align_rows(index, arrow.table(),
                              options_of(tie_order, duplicates, depth, float32, ascending, dense, threads), progress);
          });
        },
        "index"_a, "stream"_a, "columns"_a, nb::kw_only(), "name"_a, "tie_order"_a, "duplicates"_a, "depth"_a,
        "float32"_a, "ascending"_a, "dense"_a, "threads"_a, "progress"_a.none());

  m.def("stored_names", [](nb::object source, const std::string& name) -> nb::object {
    return reporting(name, [&] {
      return or_none([&]() -> nb::object {
        nb::list names;
        for (const std::string& found : stored_names(source_of(source))) names.append(text(found));
        return names;
      });
    });
  }, "source"_a, nb::kw_only(), "name"_a);

  m.def("align_stored",
        [](const OwnedIndex& index, nb::object source, const std::vector<std::int64_t>& columns,
           const std::string& name, const std::string& tie_order, const std::string& duplicates, std::int64_t depth,
           bool float32, bool ascending, bool dense, int threads, nb::object progress) -> nb::object {
          return reporting(name, [&] {
            const Options options = options_of(tie_order, duplicates, depth, float32, ascending, dense, threads);
            const Source bytes = source_of(source);
            const Watch watch = watch_of(progress);
            return or_none([&]() -> nb::object {
              std::unique_ptr<StoredTable> table;
              Aligned aligned;
              {
                const nb::gil_scoped_release released;
                table = open_stored(bytes, columns);
                aligned = align_stored(*index, *table, options, watch);
              }
              return aligned_dict(std::move(aligned), options, table->integer_queries(), table->integer_items());
            });
          });
        },
        "index"_a, "source"_a, "columns"_a, nb::kw_only(), "name"_a, "tie_order"_a, "duplicates"_a, "depth"_a,
        "float32"_a, "ascending"_a, "dense"_a, "threads"_a, "progress"_a.none());

  m.def("align_mapping",
        [align_rows](const OwnedIndex& index, nb::object mapping, const std::string& name,
                     const std::string& tie_order, const std::string& duplicates, std::int64_t depth, bool float32,
                     bool ascending, bool dense, int threads, nb::object progress) {
          return reporting(name, [&] {
            const Options options = options_of(tie_order, duplicates, depth, float32, ascending, dense, threads);
            MappingReader reader("score");
            Aligned aligned = reader.align(mapping, *index, options, watch_of(progress));
            return aligned_dict(std::move(aligned), options, reader.integer_queries(), reader.integer_items());
          });
        },
        "index"_a, "mapping"_a, nb::kw_only(), "name"_a, "tie_order"_a, "duplicates"_a, "depth"_a, "float32"_a,
        "ascending"_a, "dense"_a, "threads"_a, "progress"_a.none());

  m.def("count_pairs", [](Doubles x, Doubles y, Longs offsets, int threads) {
    return reporting("", [&] {
      const Segments segments = segments_of(offsets, x.size(), y.size());
      const Watch watch = watch_of(nb::none());
      PairCounts counts;
      {
        const nb::gil_scoped_release released;
        counts = count_pairs(x.data(), y.data(), segments, threads, watch);
      }
      nb::dict out;
      out["concordant"] = array<std::int64_t>(std::move(counts.concordant));
      out["discordant"] = array<std::int64_t>(std::move(counts.discordant));
      out["tied_x"] = array<std::int64_t>(std::move(counts.tied_x));
      out["tied_y"] = array<std::int64_t>(std::move(counts.tied_y));
      out["tied_both"] = array<std::int64_t>(std::move(counts.tied_both));
      return out;
    });
  }, "x"_a, "y"_a, "offsets"_a, nb::kw_only(), "threads"_a);

  m.def("smaller_after", [](Doubles values, Longs offsets, int threads) {
    return reporting("", [&] {
      const Segments segments = segments_of(offsets, values.size(), values.size());
      const Watch watch = watch_of(nb::none());
      std::vector<std::int64_t> counts;
      {
        const nb::gil_scoped_release released;
        counts = smaller_after(values.data(), segments, threads, watch);
      }
      return array<std::int64_t>(std::move(counts));
    });
  }, "values"_a, "offsets"_a, nb::kw_only(), "threads"_a);

  m.def("mann_whitney", [](Doubles scores, Bools positive, Longs offsets, int threads) {
    return reporting("", [&] {
      const Segments segments = segments_of(offsets, scores.size(), positive.size());
      const Watch watch = watch_of(nb::none());
      Wins wins;
      {
        const nb::gil_scoped_release released;
        wins = mann_whitney(scores.data(), positive.data(), segments, threads, watch);
      }
      nb::dict out;
      out["doubled"] = array<std::int64_t>(std::move(wins.doubled));
      out["positives"] = array<std::int64_t>(std::move(wins.positives));
      out["negatives"] = array<std::int64_t>(std::move(wins.negatives));
      return out;
    });
  }, "scores"_a, "positive"_a, "offsets"_a, nb::kw_only(), "threads"_a);

  m.def("encode_ids", [](nb::object values, const std::string& field, const std::string& name) {
    return reporting(name, [&] {
      std::vector<char> data;
      std::vector<std::int64_t> offsets;
      const bool integers = encode_ids(values, field, data, offsets);
      return nb::make_tuple(array<std::uint8_t>(std::move(data)), array<std::int64_t>(std::move(offsets)), integers);
    });
  }, "values"_a, nb::kw_only(), "field"_a, "name"_a);

  m.def("levels_of", [](Doubles values) {
    Levels found;
    {
      const nb::gil_scoped_release released;
      found = levels_of(values.data(), static_cast<std::int64_t>(values.size()));
    }
    return nb::make_tuple(array<double>(std::move(found.distinct)), array<std::int32_t>(std::move(found.level)));
  }, "values"_a);

  m.def("later_costs", [](Ints level, Doubles distance, Longs offsets, bool unit) {
    if (level.size() != distance.size() || offsets.size() < 1) throw nb::value_error("columns differ in length");
    std::vector<double> costs;
    {
      const nb::gil_scoped_release released;
      costs = later_costs(level.data(), distance.data(), static_cast<std::int64_t>(level.size()), offsets.data(),
                          static_cast<std::int64_t>(offsets.size()) - 1, unit);
    }
    return array<double>(std::move(costs));
  }, "level"_a, "distance"_a, "offsets"_a, nb::kw_only(), "unit"_a);

  m.def("prefix_curve", [](Doubles cost, Doubles worst) {
    if (cost.size() != worst.size()) throw nb::value_error("columns differ in length");
    std::vector<double> curve;
    {
      const nb::gil_scoped_release released;
      curve = prefix_curve(cost.data(), worst.data(), static_cast<std::int64_t>(cost.size()));
    }
    return array<double>(std::move(curve));
  }, "cost"_a, "worst"_a);
}

}  // namespace rankscope
