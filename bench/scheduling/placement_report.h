#pragma once

// Whether jobs that may run anywhere end as soon as on the best engine.

#include <cstddef>
#include <string>

namespace wb::bench {

// `auto` over the best engine, the worst of all guests and sizes, cold and warm; each the median of
// the ratios of so many rounds, in which jobs of all placements take turns. Prints a table, writes
// a picture of where instances ended into `folder`. Below 0: a run failed, and standard output says
// why.
double WorstPlacement(const std::string& folder, size_t rounds);

// Where the decisions put jobs on an H200 and 16 processors, by rates measured on them: computed.
void PlacementsWithAGpu();

}  // namespace wb::bench
