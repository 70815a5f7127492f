#pragma once

// Four kinds of guests as jobs of the whole scheduler, each engine in its own process: how long a
// job takes from Submit to its end, wherever it is told to run.

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "scheduler/scheduler.h"

namespace wb::bench {

struct GuestWork {
  std::string name;  // of the module: sha256, gemm, lexer, trees
  uint32_t rounds;   // of an instance
};
inline const std::vector<GuestWork> kGuests = {
    {"sha256", 80}, {"gemm", 1}, {"lexer", 6}, {"trees", 200}};

struct Arrival {
  double seconds;  // since Submit
  std::string device;
  uint64_t instances;
};

struct PlacedRun {
  double seconds = 0;
  std::vector<Arrival> arrivals;  // ascending
  std::string reason;             // of the last placement
  std::string error;              // empty: it went well
};

// A scheduler with a cache folder of its own.
class PlacedJobs {
 public:
  explicit PlacedJobs(const std::string& cache);
  PlacedRun Run(const GuestWork& guest, uint64_t instances, Placement placement);

 private:
  std::unique_ptr<Scheduler> scheduler_;
  std::string error_;
  JobId id_ = 0;
};

}  // namespace wb::bench
