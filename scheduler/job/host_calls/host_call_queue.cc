#include "scheduler/job/host_calls/host_call_queue.h"

#include <optional>
#include <utility>

#include "scheduler/base/quoted.h"

namespace wb {
namespace {

Status UnknownCall(const HostAnswer& answer) {
  return Status(Reason::kInvalidArgument,
                "The call " + Quoted(answer.number) + " of the instance " +
                    Quoted(answer.instance) + " is not under way. Answer each call once.",
                {{"field", "answers"}});
}

}  // namespace

void HostCallQueue::Open(Answered answered) {
  MutexLock lock(mutex_);
  answered_ = std::move(answered);
}

void HostCallQueue::Ask(const std::vector<HostCall>& calls) {
  {
    MutexLock lock(mutex_);
    if (closed_ || calls.empty()) return;
    for (const HostCall& call : calls) {
      held_ += call.HeldBytes();
      calls_[call.instance] = {call, false};
      queue_[next_turn_++] = call.instance;
    }
  }
  Wake();
}

void HostCallQueue::Wake() {
  std::function<void()> wake;
  {
    MutexLock lock(mutex_);
    wake = wake_;
  }
  if (wake) wake();
}

void HostCallQueue::DropLocked(std::map<uint64_t, Lying>::iterator at) {
  const uint64_t bytes = at->second.call.HeldBytes();
  held_ -= bytes;
  if (at->second.given) in_flight_ -= bytes;
  calls_.erase(at);
}

void HostCallQueue::Withdraw(const std::vector<uint64_t>& instances) {
  {
    MutexLock lock(mutex_);
    for (const uint64_t instance : instances) {
      const auto at = calls_.find(instance);
      if (at != calls_.end()) DropLocked(at);
    }
  }
  Wake();
}

void HostCallQueue::Close() {
  {
    MutexLock lock(mutex_);
    closed_ = true;
    calls_.clear();
    queue_.clear();
    held_ = in_flight_ = 0;
    answered_ = nullptr;
  }
  Wake();
}

bool HostCallQueue::HasRoom() const {
  MutexLock lock(mutex_);
  return held_ < kMostHeld;
}

bool HostCallQueue::IsServed() const {
  MutexLock lock(mutex_);
  return served_;
}

bool HostCallQueue::closed() const {
  MutexLock lock(mutex_);
  return closed_;
}

Status HostCallQueue::Serve(std::function<void()> wake) {
  MutexLock lock(mutex_);
  if (served_) {
    return Status(Reason::kHostCallsServed,
                  "Another stream answers the calls of this job. A job has one at a time.");
  }
  served_ = true;
  wake_ = std::move(wake);
  return {};
}

void HostCallQueue::StopServing() {
  MutexLock lock(mutex_);
  served_ = false;
  wake_ = nullptr;
  in_flight_ = 0;
  queue_.clear();
  for (auto& [instance, lying] : calls_) {
    lying.given = false;
    queue_[next_turn_++] = instance;
  }
}

std::vector<HostCall> HostCallQueue::Take(uint64_t most_bytes) {
  MutexLock lock(mutex_);
  std::vector<HostCall> taken;
  uint64_t bytes = 0;
  while (!queue_.empty() && bytes < most_bytes && in_flight_ < kMostInFlight) {
    const auto at = calls_.find(queue_.begin()->second);
    queue_.erase(queue_.begin());
    if (at == calls_.end() || at->second.given) continue;  // withdrawn
    at->second.given = true;
    const uint64_t size = at->second.call.HeldBytes();
    bytes += size;
    in_flight_ += size;
    taken.push_back(at->second.call);
  }
  return taken;
}

Status HostCallQueue::Answer(std::vector<HostAnswer> answers) {
  std::vector<HostAnswer> known;
  std::optional<Status> wrong;
  Answered answered;
  {
    MutexLock lock(mutex_);
    if (closed_) return {};
    for (HostAnswer& answer : answers) {
      const auto at = calls_.find(answer.instance);
      if (at == calls_.end() || at->second.call.number != answer.number) {
        if (!wrong) wrong = UnknownCall(answer);
        continue;
      }
      DropLocked(at);
      known.push_back(std::move(answer));
    }
    answered = answered_;
  }
  if (!known.empty() && answered) answered(std::move(known));
  Wake();
  return wrong.value_or(Status());
}

}  // namespace wb
