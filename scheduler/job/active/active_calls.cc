#include "scheduler/job/active/active_calls.h"

#include "scheduler/job/host_calls/host_call_queue.h"

namespace wb {

void ActiveCalls::Ask(const std::string& device, std::vector<AskingInstance> asking) {
  if (asking.empty()) return;
  MutexLock lock(ledger_.mutex);
  ledger_.seats.Unseat(device, asking.size());
  HostCallOutcome outcome;
  uint64_t fuel = 0;
  for (AskingInstance& one : asking) {
    if (one.state) fuel += one.state->fuel;
    ledger_.calls.Ask(std::move(one), ledger_.clock.Now(), outcome);
  }
  if (fuel > 0 && !ledger_.HasEnded()) ledger_.meter.RecordSeated(0, fuel);
  Settle(std::move(outcome));
}

void ActiveCalls::Answer(std::vector<HostAnswer> answers) {
  MutexLock lock(ledger_.mutex);
  HostCallOutcome outcome;
  for (HostAnswer& answer : answers) ledger_.calls.Answer(std::move(answer), outcome);
  Settle(std::move(outcome));
  ledger_.Publish();
}

bool ActiveCalls::Expire(TimePoint now) {
  MutexLock lock(ledger_.mutex);
  HostCallOutcome outcome;
  ledger_.calls.Expire(now, outcome);
  const bool some = !outcome.ended.empty();
  if (some) Settle(std::move(outcome));
  if (some) ledger_.Publish();
  return some;
}

std::optional<TimePoint> ActiveCalls::NextExpiry() const {
  MutexLock lock(ledger_.mutex);
  return ledger_.calls.next_expiry();
}

uint64_t ActiveCalls::Asking() const {
  MutexLock lock(ledger_.mutex);
  return ledger_.calls.asking();
}

bool ActiveCalls::HasAnswer(uint64_t instance, uint64_t number) const {
  MutexLock lock(ledger_.mutex);
  return ledger_.calls.HasAnswer(instance, number);
}

// An instance that asks keeps its room for a result until it waits for a seat again.
void ActiveCalls::Settle(HostCallOutcome outcome) {
  JobMeter& meter = ledger_.meter;
  const bool goes_on = !ledger_.HasEnded();
  if (goes_on && outcome.fuel_left > 0) meter.RecordSeated(outcome.fuel_left, 0);
  if (goes_on && outcome.fuel_paid > 0) meter.RecordSeated(0, outcome.fuel_paid);
  for (const InstanceRef& instance : outcome.go_on) ledger_.Return(instance);
  if (!outcome.go_on.empty()) ledger_.sink->Release(outcome.go_on.size());
  std::vector<uint64_t> ended;
  for (const InstanceResult& result : outcome.ended) ended.push_back(result.instance);
  if (!outcome.ended.empty()) ledger_.Deliver(ResultBatch(outcome.ended));
  HostCallQueue& queue = *ledger_.plan.spec.host_calls;
  if (!ended.empty()) queue.Withdraw(ended);
  if (outcome.asked.empty()) return;
  queue.Ask(outcome.asked);
  if (expiry_due_) expiry_due_(*ledger_.calls.next_expiry());
}

}  // namespace wb
