#pragma once

// Whether jobs that may run anywhere end as soon as on the best engine.

#include <string>

namespace wb::bench {

// `auto` over the best engine, the worst of all guests and sizes, cold and warm; medians of so many
// rounds. Prints a table, writes a picture of where instances ended into `folder`. Below 0: a run
// failed, and standard output says why.
double WorstPlacement(const std::string& folder, int rounds);

// Where the decisions put jobs on an H200 and 16 processors, by rates measured on them: computed.
void PlacementsWithAGpu();

}  // namespace wb::bench
