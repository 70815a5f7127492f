#pragma once

// What looks add up to: rates between them, and the last minutes of them. Pure.

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "client/cli/top/sparkline.h"
#include "client/cli/top/top_facts.h"

namespace wb::cli {

class TopHistory {
 public:
  static constexpr size_t kLooks = 240;    // that are kept of a device or a job
  static constexpr size_t kBursts = 2048;  // that are kept of a device

  // Looks in the order of their times. One in trouble adds a gap: rates over it are not known.
  void Add(const TopFacts& facts);

  // Of the last two looks; below zero: not known. Names as the daemon gives them. A device counts
  // what instances ran when they end; while jobs run on it, its rate is the sum of theirs, who
  // count each launch.
  double InstructionsPerSecond(const std::string& name) const;
  double InstancesPerSecond(const std::string& name) const;
  double BusyShare(const std::string& device) const;

  // Instructions a second, oldest first.
  std::vector<double> Rates(const std::string& name) const;
  std::vector<TimeSpan> Bursts(const std::string& device) const;
  // The last burst of a device; nullptr: none was seen.
  const wasmburst::v1::Burst* LastBurst(const std::string& device) const;

 private:
  struct Totals {
    double fuel = 0;
    double instances = 0;
    double busy_seconds = 0;
  };
  struct Track {
    int64_t looked_ns = 0;   // 0: not since the last gap
    uint64_t last_look = 0;  // the number of the look that had it last
    Totals totals;
    double instances_rate = -1;
    double busy_share = -1;
    std::deque<double> fuel_rates;
  };

  // `fuel_rate`: in place of that of the totals; below zero: none.
  void Follow(const std::string& name, const Totals& totals, int64_t now_ns, double fuel_rate = -1);
  // Of the jobs that run on a device alone; below zero: there are none.
  double RateOfJobs(const wasmburst::v1::ListJobsResponse& jobs, const std::string& device) const;
  void AddBursts(const wasmburst::v1::BurstEvent& event);
  const Track* TrackOf(const std::string& name) const;

  uint64_t looks_ = 0;
  std::map<std::string, Track> tracks_;  // of devices and jobs, by name
  std::map<std::string, std::deque<wasmburst::v1::Burst>> bursts_;
};

}  // namespace wb::cli
