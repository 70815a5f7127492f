#pragma once

// SeatLedger: which devices have a job, how many of its instances are seated at each, and how many
// more each may seat (placement/shares.h). Pure; its owner locks.

#include <cstdint>
#include <map>
#include <string>

#include "scheduler/base/clock.h"
#include "scheduler/placement/shares.h"

namespace wb {

class SeatLedger {
 public:
  void Join(const std::string& device, TimePoint now) { parts_[device].starts = now; }
  void Leave(const std::string& device);  // no instance is seated there
  size_t devices() const { return parts_.size(); }
  std::string Names() const;  // of the devices: "cpu0, cuda0"

  // Whether it seats instances now; if not, the others share what it would get.
  void SetTaking(const std::string& device, bool takes);
  // What is expected of it: lanes, lane_time, setup.
  void SetPace(const std::string& device, const Worker& pace, TimePoint now);

  void Seat(const std::string& device, uint64_t count, TimePoint now);
  void Unseat(const std::string& device, uint64_t count);
  uint64_t seated() const { return seated_; }  // on all devices
  uint64_t seated(const std::string& device) const;

  // Of so many that wait; all of them where it is alone.
  uint64_t Allowance(const std::string& device, uint64_t waiting, TimePoint now) const;

  double Age(const std::string& device,
             TimePoint now) const;  // seconds, of the instances seated there

 private:
  struct Part {
    Worker pace;
    bool takes = true;
    TimePoint starts{};
    uint64_t seated = 0;
    double since = 0;  // seconds of the clock, on average
  };
  static double AgeOf(const Part& part, TimePoint now);

  std::map<std::string, Part> parts_;
  uint64_t seated_ = 0;
};

}  // namespace wb
