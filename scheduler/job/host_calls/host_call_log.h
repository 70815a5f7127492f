#pragma once

// HostCallLog: the instances of a job that wait for answers of its caller, and the answers that
// were given. Execution is deterministic: an instance that has to start again finds its answers
// here, so that each call is asked once. Pure; one thread.

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/link/binding.h"
#include "scheduler/base/clock.h"
#include "scheduler/job/backlog.h"
#include "scheduler/job/host_calls/host_image.h"
#include "scheduler/job/job.h"

namespace wb {

// An instance that was left for a call, and has no seat any more.
struct AskingInstance {
  InstanceRef instance;
  AskedCall asked;
  // Its state, null where there is no room for it: once it has its answer it starts again, and
  // finds all of its answers.
  std::shared_ptr<MovedLane> state;
  uint64_t memories_at = 0;  // ImageMemoriesAt
  InstanceResult if_failed;  // its result if the call traps
};

// What becomes of instances that asked.
struct HostCallOutcome {
  std::vector<HostCall> asked;
  std::vector<InstanceRef> go_on;
  std::vector<InstanceResult> ended;
  std::vector<WholeRoomRef> rooms;  // of the ended ones, until their results are delivered
  uint64_t fuel_left = 0;           // that the ended ones had used, where they had their state
  uint64_t fuel_paid = 0;           // for answers, by those that go on
};

class HostCallLog {
 public:
  static constexpr uint64_t kMostAnswers = uint64_t{64} << 20;  // bytes of answers of one job

  HostCallLog(const std::vector<HostImport>& imports, std::chrono::nanoseconds timeout,
              uint64_t most_answers = kMostAnswers)
      : imports_(imports), timeout_(timeout), most_answers_(most_answers) {}

  void Ask(AskingInstance asking, TimePoint now, HostCallOutcome& outcome);
  // An answer to no call under way has no effect.
  void Answer(HostAnswer answer, HostCallOutcome& outcome);
  // Ends the calls that have waited for too long.
  void Expire(TimePoint now, HostCallOutcome& outcome);
  std::optional<TimePoint> next_expiry() const;
  std::vector<InstanceRef> TakeAll();  // the job ends
  void Forget(uint64_t instance);      // it has ended

  bool HasAnswer(uint64_t instance, uint64_t number) const;
  uint64_t asking() const { return asking_.size(); }
  // Instances that were answered and not forgotten; it keeps a mark of each, whether or not it
  // keeps its answers.
  uint64_t answered() const { return given_.size(); }
  bool has_answers() const { return !given_.empty(); }

 private:
  struct Parked {
    AskingInstance asking;
    TimePoint until;
  };
  struct Given {
    uint64_t first = 0;  // number of the call from which on answers are kept
    uint64_t count = 0;  // number of the next call
    uint64_t bytes = 0;
    bool all_kept = true;
    std::vector<HostAnswer> answers;
  };
  void Fail(AskingInstance& asking, Trap trap, std::string error, HostCallOutcome& outcome);
  // Number of the instance's next call that has no answer.
  uint64_t NextOf(const AskingInstance& asking);
  // False: it fails instead.
  bool GoOn(AskingInstance& asking, const HostAnswer& answer, HostCallOutcome& outcome);
  void Keep(HostAnswer answer);
  std::string WordsOfTimeout(const HostCall& call) const;

  const std::vector<HostImport>& imports_;
  const std::chrono::nanoseconds timeout_;
  const uint64_t most_answers_;
  std::map<uint64_t, Parked> asking_;  // by instance
  std::set<std::pair<TimePoint, uint64_t>> expiries_;
  std::map<uint64_t, Given> given_;  // by instance
  uint64_t kept_ = 0;                // bytes
};

}  // namespace wb
