#pragma once

// One figure of a check: its runs and what they came to. Pure.

#include <string>
#include <vector>

#include "compiler/base/status.h"

namespace wb::cli {

struct Measurement {
  std::string name;    // "round_trip"
  std::string what;    // "round trip of a call"
  std::string unit;    // "ms", "/s"
  std::string device;  // that it is of; empty: of the daemon
  std::vector<double> runs;
  Status failure;  // of the first run that failed; the runs before it stay
};

struct Summary {
  double median = 0;
  double least = 0;
  double most = 0;
};
// Of an even number of runs the median is the mean of the two in the middle. Zeros without runs.
Summary Summarize(std::vector<double> runs);

// One has failed also if it has no run.
bool HasFailed(const Measurement& measurement);

// For people, with a header.
std::string MeasurementTable(const std::vector<Measurement>& measurements);
// {"ok":..., "measurements":[...]}; or one measurement, as a line.
std::string MeasurementsJson(const std::vector<Measurement>& measurements);
std::string MeasurementJson(const Measurement& measurement);

}  // namespace wb::cli
