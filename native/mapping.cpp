#include "mapping.hpp"

#include <cmath>

namespace nb = nanobind;

namespace rankscope {

namespace {

constexpr std::int64_t kRowsBetweenLooks = 1 << 16;

std::string utf8(nb::handle text) {
  nb::object bytes = nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogateescape"));
  if (!bytes.is_valid()) {
    PyErr_Clear();
    return "?";
  }
  return {PyBytes_AS_STRING(bytes.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr()))};
}

std::string type_name(PyObject* object) { return utf8(nb::handle((PyObject*)Py_TYPE(object)).attr("__name__")); }

// A value as an error may quote it.
std::string shown(PyObject* object) {
  nb::object text = nb::steal(PyObject_Repr(object));
  if (text.is_valid()) return utf8(text);
  // Python refuses to write out whole numbers of thousands of digits.
  if (!PyErr_ExceptionMatches(PyExc_ValueError)) throw nb::python_error();
  PyErr_Clear();
  return "<" + type_name(object) + ">";
}

bool is_numpy_integer(PyObject* object) {
  static const nb::handle type = nb::object(nb::module_::import_("numpy").attr("integer")).release();
  return PyObject_TypeCheck(object, reinterpret_cast<PyTypeObject*>(type.ptr()));
}

[[noreturn]] void wrong_id(const char* field, PyObject* object, const std::string& found, std::int64_t row) {
  Problem problem("id-type");
  problem.with("field", std::string_view(field))
      .with("text", std::string_view(shown(object)))
      .with("found", std::string_view(found));
  if (row > 0) problem.with("row", row);
  throw problem;
}

// An id as bytes: the object's own where it has them, else written into `arena`.
std::string_view id_text(PyObject* object, const char* field, Arena& arena, bool& integers, std::int64_t row = 0) {
  if (PyUnicode_Check(object)) {
    Py_ssize_t size;
    if (const char* text = PyUnicode_AsUTF8AndSize(object, &size)) return {text, static_cast<std::size_t>(size)};
    PyErr_Clear();
    nb::object bytes = nb::steal(PyUnicode_AsEncodedString(object, "utf-8", "surrogateescape"));
    if (!bytes.is_valid()) {
      PyErr_Clear();
      wrong_id(field, object, "text with a lone surrogate", row);
    }
    return arena.keep({PyBytes_AS_STRING(bytes.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr()))});
  }
  if (PyBytes_Check(object)) {
    return {PyBytes_AS_STRING(object), static_cast<std::size_t>(PyBytes_GET_SIZE(object))};
  }
  if ((PyLong_Check(object) && !PyBool_Check(object)) || is_numpy_integer(object)) {
    integers = true;
    nb::object number = nb::steal(PyNumber_Index(object));
    if (!number.is_valid()) throw nb::python_error();
    int overflow;
    const long long small = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
    if (overflow == 0) {
      char digits[24];
      const auto end = std::to_chars(digits, digits + sizeof digits, small).ptr;
      return arena.keep({digits, static_cast<std::size_t>(end - digits)});
    }
    nb::object digits = nb::steal(PyObject_Str(number.ptr()));
    if (!digits.is_valid()) {
      PyErr_Clear();
      wrong_id(field, object, "a whole number of too many digits", row);
    }
    return arena.keep(utf8(digits));
  }
  wrong_id(field, object, type_name(object), row);
}

// dict(mapping) where it is not one already.
nb::object as_dict(nb::handle mapping) {
  if (PyDict_Check(mapping.ptr())) return nb::borrow(mapping);
  return nb::borrow(nb::handle((PyObject*)&PyDict_Type))(mapping);
}

bool is_mapping(nb::handle object) {
  if (PyDict_Check(object.ptr())) return true;
  return nb::isinstance(object, nb::module_::import_("collections.abc").attr("Mapping"));
}

}  // namespace

void MappingReader::wrong_inner(nb::handle inner, std::string_view query) const {
  throw Problem(judging() ? "judged-items-type" : "ranking-type")
      .with("query", query)
      .with("found", std::string_view(type_name(inner.ptr())));
}

void MappingReader::wrong_value(const char* code, PyObject* given, std::string_view query, PyObject* item) {
  const std::string name(item_text(item));
  throw Problem(code)
      .with("field", std::string_view(value_name_))
      .with("text", std::string_view(shown(given)))
      .with("found", std::string_view(type_name(given)))
      .with("query", query)
      .with("item", std::string_view(name));
}

std::string_view MappingReader::item_text(PyObject* key) {
  return id_text(key, "item id", item_ids_, integer_items_);
}

double MappingReader::value_of(PyObject* given, std::string_view query, PyObject* item) {
  double value;
  if (PyFloat_CheckExact(given)) {
    value = PyFloat_AS_DOUBLE(given);
  } else {
    if (PyUnicode_Check(given) || PyBytes_Check(given) || PyByteArray_Check(given)) {
      wrong_value("value-type", given, query, item);
    }
    nb::object number = nb::steal(PyNumber_Float(given));
    if (!number.is_valid()) {
      const bool overflow = PyErr_ExceptionMatches(PyExc_OverflowError);
      if (!overflow && !PyErr_ExceptionMatches(PyExc_TypeError) && !PyErr_ExceptionMatches(PyExc_ValueError)) {
        throw nb::python_error();
      }
      PyErr_Clear();
      wrong_value(overflow ? "overflow" : "value-type", given, query, item);
    }
    value = PyFloat_AS_DOUBLE(number.ptr());
  }
  if (!std::isfinite(value)) {
    nb::object number = nb::steal(PyFloat_FromDouble(value));
    wrong_value("not-finite", number.ptr(), query, item);
  }
  if (judging() && !is_exact(value)) {
    throw Problem("grade-too-large").with("text", value).with("query", query).with("item", item_text(item));
  }
  return value;
}

// Calls query(text, inners) once per query. Keys of different types may be one and the same id (1 and "1"): then the
// query has several inner objects.
template <class Query>
void MappingReader::each_query(nb::handle mapping, Query&& query) {
  const nb::object dict = as_dict(mapping);
  PyObject *key, *inner;
  bool texts = false, others = false;
  for (Py_ssize_t at = 0; PyDict_Next(dict.ptr(), &at, &key, nullptr);) {
    (PyUnicode_Check(key) ? texts : others) = true;
  }
  std::vector<nb::object> inners(1);
  if (!(texts && others)) {
    for (Py_ssize_t at = 0; PyDict_Next(dict.ptr(), &at, &key, &inner);) {
      const nb::object held = nb::borrow(key);
      inners[0] = nb::borrow(inner);
      query_ids_.clear();
      query(id_text(key, "query id", query_ids_, integer_queries_), inners);
    }
    return;
  }
  Dictionary numbers;
  std::vector<std::vector<nb::object>> grouped;
  for (Py_ssize_t at = 0; PyDict_Next(dict.ptr(), &at, &key, &inner);) {
    const std::string_view text = id_text(key, "query id", query_ids_, integer_queries_);
    each_item(inner, text, false, [](std::string_view, double) {});  // what is wrong is found in the order given
    bool fresh;
    const std::int32_t number = numbers.number(text, fresh);
    if (fresh) grouped.emplace_back();
    grouped[number].push_back(nb::borrow(inner));
  }
  for (std::size_t i = 0; i < grouped.size(); ++i) query(numbers[static_cast<std::int64_t>(i)], grouped[i]);
}

// Calls row(item, value); the item's text stays valid until item_ids_ is cleared.
template <class Row>
void MappingReader::each_item(nb::handle inner, std::string_view query, bool ascending, Row&& row) {
  if (is_mapping(inner)) {
    const nb::object dict = as_dict(inner);
    PyObject *key, *value;
    for (Py_ssize_t at = 0; PyDict_Next(dict.ptr(), &at, &key, &value);) {
      if (PyFloat_CheckExact(value) && PyUnicode_CheckExact(key)) {  // nothing here can run Python code
        row(item_text(key), value_of(value, query, key));
      } else {
        const nb::object held_key = nb::borrow(key), held_value = nb::borrow(value);
        row(item_text(key), value_of(value, query, key));
      }
    }
    return;
  }
  const bool listed = PyList_Check(inner.ptr()) || PyTuple_Check(inner.ptr());
  if (!listed && !(judging() && PyAnySet_Check(inner.ptr()))) wrong_inner(inner, query);
  const nb::object items = nb::steal(PySequence_Tuple(inner.ptr()));
  if (!items.is_valid()) throw nb::python_error();
  const Py_ssize_t size = PyTuple_GET_SIZE(items.ptr());
  for (Py_ssize_t i = 0; i < size; ++i) {
    const double value = judging() ? 1.0 : static_cast<double>(ascending ? i + 1 : size - i);
    row(item_text(PyTuple_GET_ITEM(items.ptr(), i)), value);
  }
}

void MappingReader::judge(nb::handle mapping, JudgmentCollector& collector, const Watch& watch) {
  std::int64_t rows = 0;
  each_query(mapping, [&](std::string_view query, const std::vector<nb::object>& inners) {
    item_ids_.clear();
    collector.begin(query);
    for (const nb::object& inner : inners) {
      each_item(inner, query, false, [&](std::string_view item, double grade) {
        if (++rows % kRowsBetweenLooks == 0) watch(rows, rows);
        collector.add(item, grade);
      });
    }
  });
  if (rows == 0) throw Problem("no-rows-in-memory").with("kind", std::string_view("judgments"));
}

Aligned MappingReader::align(nb::handle mapping, const Index& index, const Options& options, const Watch& watch) {
  Collector collector(index, options);
  std::int64_t rows = 0;
  const auto total = static_cast<std::int64_t>(nb::len(mapping));
  std::int64_t queries = 0;
  each_query(mapping, [&](std::string_view query, const std::vector<nb::object>& inners) {
    item_ids_.clear();
    const bool judged = collector.begin(query);
    for (const nb::object& inner : inners) {
      each_item(inner, query, options.ascending, [&](std::string_view item, double score) {
        if (++rows % kRowsBetweenLooks == 0) watch(queries, total);
        if (judged) collector.add(item, score);
      });
    }
    if (judged) collector.end();
    watch(++queries, total);
  });
  return collector.finish(rows);
}

bool encode_ids(nb::handle values, const std::string& field, std::vector<char>& data,
                std::vector<std::int64_t>& offsets) {
  const nb::object items = nb::steal(PySequence_Fast(values.ptr(), "a sequence of ids is needed"));
  if (!items.is_valid()) throw nb::python_error();
  const Py_ssize_t size = PySequence_Fast_GET_SIZE(items.ptr());
  offsets.assign(1, 0);
  offsets.reserve(static_cast<std::size_t>(size) + 1);
  bool integers = false;
  Arena arena;
  for (Py_ssize_t i = 0; i < size; ++i) {
    arena.clear();
    const nb::object held = nb::borrow(PySequence_Fast_GET_ITEM(items.ptr(), i));
    const std::string_view id = id_text(held.ptr(), field.c_str(), arena, integers, i + 1);
    data.insert(data.end(), id.begin(), id.end());
    offsets.push_back(static_cast<std::int64_t>(data.size()));
  }
  return integers;
}

}  // namespace rankscope
