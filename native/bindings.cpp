// What Python sees of the core.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "border.hpp"
#include "classi.hpp"
#include "mapping.hpp"
#include "pairs.hpp"

using namespace nanobind::literals;

namespace rankscope {

namespace {

Segments segments_of(const Longs& offsets, std::size_t rows, std::size_t others) {
  const Segments segments{offsets.data(), static_cast<std::int64_t>(offsets.size()) - 1};
  bool sound = segments.count >= 0 && segments.offsets[0] == 0 && rows == others;
  for (std::int64_t s = 0; sound && s < segments.count; ++s) sound = segments.size(s) >= 0;
  if (!sound || segments.offsets[segments.count] != static_cast<std::int64_t>(rows)) {
    throw nb::value_error("offsets do not fit their rows");
  }
  return segments;
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
    auto [levels, level] = new_array<std::int32_t>(values.size());
    std::vector<double> distinct;
    {
      const nb::gil_scoped_release released;
      distinct = levels_of(values.data(), static_cast<std::int64_t>(values.size()), level);
    }
    return nb::make_tuple(array<double>(std::move(distinct)), levels);
  }, "values"_a);

  m.def("later_costs", [](Ints level, Doubles distance, Longs offsets, bool unit) {
    if (level.size() != distance.size() || offsets.size() < 1) throw nb::value_error("columns differ in length");
    auto [costs, cost] = new_array<double>(level.size());
    {
      const nb::gil_scoped_release released;
      later_costs(level.data(), distance.data(), static_cast<std::int64_t>(level.size()), offsets.data(),
                  static_cast<std::int64_t>(offsets.size()) - 1, unit, cost);
    }
    return costs;
  }, "level"_a, "distance"_a, "offsets"_a, nb::kw_only(), "unit"_a);

  m.def("prefix_curve", [](Doubles cost, Doubles worst) {
    if (cost.size() != worst.size()) throw nb::value_error("columns differ in length");
    auto [curve, values] = new_array<double>(cost.size());
    {
      const nb::gil_scoped_release released;
      prefix_curve(cost.data(), worst.data(), static_cast<std::int64_t>(cost.size()), values);
    }
    return curve;
  }, "cost"_a, "worst"_a);
}

}  // namespace rankscope
