// DeviceLoop: closed to instances and opened again, and how that and its health are shown.

#include <algorithm>
#include <utility>

#include "scheduler/base/quoted.h"
#include "scheduler/run/device_loop.h"

namespace wb {

// The launch under way may be longer than a drain's deadline: it is ended, and the next one is not.
bool DeviceLoop::Order(const GateOrder& order) {
  std::shared_ptr<Device> running;
  {
    MutexLock lock(mutex_);
    if (!ordered_gate_.Apply(order, clock_.Now())) return false;
    woken_ = true;
    if (order.gate == Gate::kDraining && !launching_.empty()) running = shared_device_;
  }
  changed_.NotifyAll();
  if (running) running->Stop();
  return true;
}

bool DeviceLoop::IsOpen() const {
  MutexLock lock(mutex_);
  return ordered_gate_.IsOpen();
}

DeviceLoop::Standing DeviceLoop::Look() const {
  MutexLock lock(mutex_);
  return {ordered_gate_.IsOpen(), status_.healthy && !lost_ && !IsSilent(),
          present_.size() + inbox_.size()};
}

void DeviceLoop::TakeGate() {
  const bool was_open = gate_.IsOpen();
  {
    MutexLock lock(mutex_);
    gate_ = ordered_gate_;
  }
  if (gate_.IsOpen() == was_open) return;
  for (const Resident& resident : jobs_) resident->state().closed = !gate_.IsOpen();
  PublishTaking();
}

// To the jobs' other devices, which share what this one does not take.
void DeviceLoop::PublishTaking() {
  for (const Resident& resident : jobs_) {
    resident->job()->SetTaking(id_, Takes());
    PublishCompleted(resident->job());
  }
}

// Of a closed device who has nobody seated leaves; at the deadline everybody.
void DeviceLoop::ApplyGate(TimePoint now) {
  if (gate_.IsOpen()) return;
  const bool all = gate_.MustLeave(now);
  while (all && !in_flight_.empty()) CompleteOldest();
  for (size_t i = jobs_.size(); i-- > 0;) {
    DeviceJob& resident = *jobs_[i];
    if (resident.state().IsEnded() || resident.state().IsExpired(now))
      continue;  // its next turn is its last
    if (all || !resident.HasSeated()) GiveBack(resident, GivenBack::kClosed, {});
  }
}

void DeviceLoop::ShowGate(DeviceStatus* status) const {
  status->jobs = present_.size() + inbox_.size();
  status->gate = ordered_gate_.gate();
  if (ordered_gate_.IsOpen()) return;
  const TimePoint now = clock_.Now();
  status->gate_age = now - ordered_gate_.since();
  if (const auto deadline = ordered_gate_.deadline()) {
    status->drain_left = std::max(*deadline - now, std::chrono::nanoseconds(0));
  }
}

void DeviceLoop::ShowTrouble(DeviceStatus* status) const {
  if (IsSilent()) {
    status->healthy = false;
    status->state = "not responding";
    status->trouble = "its process has not answered for " + Quoted(uint64_t(silence_->ms)) +
                      " ms. It is ended and started again after " +
                      Quoted(uint64_t(silence_->longest_ms)) + " ms (engine.max_silence).";
  }
  if (trouble_.empty()) return;
  const std::chrono::nanoseconds left = next_start_ - clock_.Now();
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(left).count();
  status->trouble = trouble_ + (ms > 0 ? " It is started again in " + Quoted(uint64_t(ms)) + " ms."
                                       : " It is being started.");
}

}  // namespace wb
