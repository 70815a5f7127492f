#include "daemon/cluster/claim_speed.h"

#include <algorithm>

namespace wb {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

struct SpeedRule {
  nanoseconds window = std::chrono::seconds(5);  // as quick as the mix of jobs on a device changes
  size_t fewest = 3;  // samples that stay beyond it: a launch that is late is not all
  nanoseconds sample = milliseconds(100);  // what finishes within it is one: at most some fifty
  nanoseconds least = milliseconds(10);    // of less work nothing is said
};
constexpr SpeedRule kRule;

double Seconds(nanoseconds time) { return std::chrono::duration<double>(time).count(); }

}  // namespace

void ClaimSpeed::Begin(TimePoint now) {
  if (works_) return;
  works_ = true;
  since_ = now;
}

void ClaimSpeed::Pause(TimePoint now) {
  worked_before_ = Worked(now);
  works_ = false;
}

void ClaimSpeed::Finish(TimePoint now, uint64_t instances) {
  if (instances == 0) return;
  const nanoseconds worked = Worked(now);
  if (!samples_.empty() && worked - samples_.back().begun < kRule.sample) {
    samples_.back().last = worked;
    samples_.back().instances += instances;
  } else {
    samples_.push_back({worked, worked, instances});
  }
  while (samples_.size() > kRule.fewest && worked - samples_.front().last > kRule.window) {
    measured_from_ = samples_.front().last;
    samples_.pop_front();
  }
}

double ClaimSpeed::PerSecond(TimePoint now) const {
  if (samples_.empty()) return 0;
  const nanoseconds last = samples_.back().last;
  const nanoseconds span = std::max(last - measured_from_, Worked(now) - last);
  if (span < kRule.least) return 0;
  uint64_t finished = 0;
  for (const Sample& sample : samples_) finished += sample.instances;
  return static_cast<double>(finished) / Seconds(span);
}

nanoseconds ClaimSpeed::Worked(TimePoint now) const {
  return works_ ? worked_before_ + (now - since_) : worked_before_;
}

}  // namespace wb
