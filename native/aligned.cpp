#include "aligned.hpp"

#include <algorithm>
#include <numeric>

#include "read.hpp"

namespace rankscope {

void assemble(const Index& index, const Options& options, const std::vector<const Rows*>& parts, Aligned& out) {
  const auto queries = static_cast<std::size_t>(index.queries());
  out.offsets.assign(queries + 1, 0);
  out.retrieved.assign(queries, 0);
  out.tied_rows.assign(queries, 0);
  out.in_run.assign(queries, 0);
  const auto end_of = [](const Rows& rows, std::size_t i) {
    return i + 1 < rows.queries.size() ? rows.queries[i + 1].begin : rows.count();
  };
  for (const Rows* part : parts) {
    out.dropped_duplicates += part->dropped;
    for (std::size_t i = 0; i < part->queries.size(); ++i) {
      const Rows::Query& query = part->queries[i];
      out.offsets[query.query + 1] = end_of(*part, i) - query.begin;
      out.retrieved[query.query] = query.retrieved;
      out.tied_rows[query.query] = query.tied;
      out.in_run[query.query] = 1;
    }
  }
  std::partial_sum(out.offsets.begin(), out.offsets.end(), out.offsets.begin());
  const auto total = static_cast<std::size_t>(out.offsets.back());
  for (auto* column : {&out.item, &out.rank, &out.group_first, &out.group_size, &out.position}) {
    column->resize(total);
  }
  out.score.resize(total);
  std::vector<std::string_view> ids(options.dense ? total : 0);
  for (const Rows* part : parts) {
    const char* id = part->ids.data();
    for (std::size_t i = 0; i < part->queries.size(); ++i) {
      const Rows::Query& query = part->queries[i];
      const std::int64_t end = end_of(*part, i);
      std::int64_t to = out.offsets[query.query];
      for (std::int64_t from = query.begin; from < end; ++from, ++to) {
        out.item[to] = part->item[from];
        out.rank[to] = part->rank[from];
        out.group_first[to] = part->group_first[from];
        out.group_size[to] = part->group_size[from];
        out.position[to] = part->position[from];
        out.score[to] = part->score[from];
        if (options.dense) {
          ids[to] = {id, part->id_lengths[from]};
          id += part->id_lengths[from];
        }
      }
    }
  }
  if (!options.dense) return;
  Dictionary dictionary(index.items().size);
  for (std::int64_t i = 0; i < index.items().size; ++i) dictionary.number(index.items()[i]);
  for (std::size_t i = 0; i < total; ++i) out.item[i] = dictionary.number(ids[i]);
  out.dictionary_data = std::move(dictionary.data());
  out.dictionary_offsets = std::move(dictionary.offsets());
}

void count_extra(const Dictionary& extra, Aligned& out) {
  out.extra_queries = extra.size();
  for (std::int64_t i = 0; i < std::min<std::int64_t>(extra.size(), 3); ++i) {
    out.extra_examples.emplace_back(extra[i]);
  }
}

Collector::Collector(const Index& index, const Options& options)
    : index_(index), options_(options), ranking_(options) {}

bool Collector::begin(std::string_view query) {
  const std::int32_t number = index_.find_query(query);
  if (number < 0) {
    extra_.number(query);
    return false;
  }
  ranking_.begin(number, index_.items_of(number));
  return true;
}

void Collector::end() {
  ranking_.finish(out_);
  if (!out_.duplicates.empty()) {
    const Duplicate& duplicate = out_.duplicates.front();
    throw Problem("duplicate-item")
        .with("query", index_.query(duplicate.query))
        .with("item", std::string_view(duplicate.item))
        .with("places", std::string_view(places("rows", duplicate.first + 1, duplicate.second + 1)));
  }
}

Aligned Collector::finish(std::int64_t rows) {
  Aligned out;
  out.rows = rows;
  if (out.rows == 0) throw Problem("no-rows-in-memory").with("kind", std::string_view("a run"));
  count_extra(extra_, out);
  assemble(index_, options_, {&out_}, out);
  return out;
}

}  // namespace rankscope
