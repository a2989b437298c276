// What each item of a ranking of classes costs: the items behind it that are nearer to the query.
#pragma once

#include <cstdint>
#include <vector>

namespace rankscope {

// The distinct values from low to high; `level` gets the place of each value among them.
std::vector<double> levels_of(const double* values, std::int64_t size, std::int32_t* level);

// `costs` gets for every row the sum, over the rows of its query behind it at a lower level, of the difference of distances (of 1
// with `unit`). Rows offsets[q] to offsets[q + 1] are a query's, best first; a level is that of a distance within its
// query, 0 the nearest. Throws std::out_of_range for offsets or levels that cannot be.
void later_costs(const std::int32_t* level, const double* distance, std::int64_t rows, const std::int64_t* offsets,
                 std::int64_t queries, bool unit, double* costs);

// `curve` gets 1 - 2 (sum of the first k costs) / (sum of the first k worst costs), for every k.
void prefix_curve(const double* cost, const double* worst, std::int64_t size, double* curve);

}  // namespace rankscope
