#pragma once

// Instances that stay from call to call, on the engines whose lanes move: each call is a dispatch
// of its own, which takes in what the last one left and gives out what it leaves.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/job/resident/resident_state.h"
#include "tests/scheduler/devices/rig.h"

namespace wb::test {

inline constexpr uint32_t kResidentLanes = 5;

// A module whose functions leave something behind: kStayingPart and more.
struct StayingGuest {
  std::string name;
  std::string text;
};
std::vector<StayingGuest> StayingGuests();

struct StayingCall {
  std::string function;
  uint32_t argument = 0;
};

// A job of the module with up to 8 pages, without a step.
Work StayingWork(std::shared_ptr<const LoweredModule> module);
// Such a call as a step. Without `go_on` a trap ends the job.
CallStep StayingStep(const StayingCall& call, bool go_on);

// The result and the trap of a step, of one lane.
struct CallOutcome {
  uint32_t result = 0;
  uint32_t trap = 0;
  bool operator==(const CallOutcome&) const = default;
};
CallOutcome OutcomeOf(const std::vector<uint32_t>& records, const Work& work, uint32_t lane,
                      size_t step);

class Residents {
 public:
  explicit Residents(std::shared_ptr<const LoweredModule> module)
      : module_(std::move(module)), states_(kResidentLanes), left_as_(kResidentLanes) {}

  // One call of all, as a job of its own; without `go_on` a trap ends it.
  std::vector<uint32_t> Call(const NamedDevice& engine, const StayingCall& call, bool go_on,
                             const Slicing& slicing);
  const Work& work() const { return work_; }
  const ResidentState& state(uint32_t lane) const { return *states_[lane]; }
  const LaneImage& last() const { return last_; }  // that came of the last lane
  // As a daemon that has another state than the one with which the lane was left.
  void Replace(uint32_t lane, ResidentState state) {
    states_[lane] = std::make_shared<const ResidentState>(std::move(state));
  }
  void ForgetLanes() { left_as_.assign(kResidentLanes, 0); }

 private:
  void Import(const NamedDevice& engine, Dispatch& dispatch);
  void Export(const NamedDevice& engine, Dispatch& dispatch);

  const std::shared_ptr<const LoweredModule> module_;
  Work work_;
  std::vector<ResidentStateRef> states_;
  std::vector<uint64_t> left_as_;
  LaneImage last_;
};

}  // namespace wb::test
