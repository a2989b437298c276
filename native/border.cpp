#include "border.hpp"

#include <chrono>

namespace rankscope {

nb::str text(const std::string& bytes) {
  return nb::steal<nb::str>(PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "surrogateescape"));
}

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

nb::object capsule_of(nb::object source) {
  return PyCapsule_CheckExact(source.ptr()) ? source : source.attr("__arrow_c_stream__")();
}

}  // namespace rankscope
