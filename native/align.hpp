// A run against an index of judgments: rows, ranked query by query, in the order of the judgments.
#pragma once

#include "aligned.hpp"
#include "columns.hpp"
#include "match.hpp"
#include "rank.hpp"
#include "read.hpp"
#include "stored.hpp"
#include "watch.hpp"

namespace rankscope {

// Which of the layouts a run's text has.
enum class RunText { trec, scores, ranks };

Aligned align_text(const Index& index, const Source& source, RunText text, const Options& options,
                   const Watch& watch);
Aligned align_table(const Index& index, const Table& table, const Options& options, const Watch& watch);
Aligned align_stored(const Index& index, const StoredTable& table, const Options& options, const Watch& watch);

}  // namespace rankscope
