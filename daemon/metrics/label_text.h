#pragma once

// How values stand in metrics.

#include <chrono>
#include <string>
#include <string_view>

namespace wb {

// "OUT_OF_FUEL" and "not responding" as "out_of_fuel" and "not_responding".
std::string LabelText(std::string_view name);

double SecondsOf(std::chrono::nanoseconds time);

}  // namespace wb
