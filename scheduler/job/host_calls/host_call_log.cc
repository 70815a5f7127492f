#include "scheduler/job/host_calls/host_call_log.h"

#include <utility>

#include "scheduler/base/quoted.h"

namespace wb {
namespace {

// Within no character.
std::string Cut(std::string text) {
  if (text.size() <= kLongestHostError) return text;
  size_t end = kLongestHostError;
  while (end > 0 && (static_cast<uint8_t>(text[end]) & 0xc0) == 0x80) --end;
  text.resize(end);
  return text;
}

}  // namespace

void HostCallLog::Fail(AskingInstance& asking, Trap trap, std::string error,
                       HostCallOutcome& outcome) {
  InstanceResult result = std::move(asking.if_failed);
  result.trap = trap;
  result.host_error = Cut(std::move(error));
  if (asking.state) outcome.fuel_left += asking.state->fuel;
  outcome.ended.push_back(std::move(result));
  outcome.rooms.push_back(std::move(asking.instance.room));
  Forget(asking.instance.instance);
}

bool HostCallLog::GoOn(AskingInstance& asking, const HostAnswer& answer, HostCallOutcome& outcome) {
  InstanceRef again = std::move(asking.instance);
  again.brought = 0;  // until its state is imported
  if (asking.state) {
    uint64_t cost = 0;
    std::string wrong = ApplyAnswer(answer, asking.memories_at, asking.state->image, &cost);
    if (!wrong.empty()) {
      asking.instance = std::move(again);
      Fail(asking, Trap::kHostCallFailed, std::move(wrong), outcome);
      return false;
    }
    asking.state->fuel += cost;
    outcome.fuel_paid += cost;
    again.moved = std::move(asking.state);
  }
  outcome.go_on.push_back(std::move(again));
  return true;
}

// Calls before the state that the instance began in were answered elsewhere, and are not made
// again.
uint64_t HostCallLog::NextOf(const AskingInstance& asking) {
  const HostCall& call = asking.asked.call;
  const auto known = given_.find(call.instance);
  if (known != given_.end()) return known->second.count;
  if (asking.instance.given == nullptr || call.number == 0) return 0;
  Given& given = given_[call.instance];
  given.first = given.count = call.number;
  return call.number;
}

void HostCallLog::Ask(AskingInstance asking, TimePoint now, HostCallOutcome& outcome) {
  const HostCall& call = asking.asked.call;
  if (asking.asked.trap != Trap::kNone) {
    return Fail(asking, asking.asked.trap, asking.asked.error, outcome);
  }
  const uint64_t answered = NextOf(asking);
  if (call.number == answered) {
    const TimePoint until = now + timeout_;
    const uint64_t instance = call.instance;
    outcome.asked.push_back(call);
    expiries_.emplace(until, instance);
    asking_[instance] = {std::move(asking), until};
    return;
  }
  const auto given = given_.find(call.instance);
  if (call.number > answered || call.number < given->second.first || !given->second.all_kept) {
    return Fail(asking, Trap::kHostCallFailed,
                "The instance had to start again, and the answers to its calls were too many to "
                "keep: more than " +
                    Quoted(most_answers_) + " bytes in this job.",
                outcome);
  }
  GoOn(asking, given->second.answers[call.number - given->second.first], outcome);
}

void HostCallLog::Keep(HostAnswer answer) {
  Given& given = given_[answer.instance];
  ++given.count;
  const uint64_t bytes = answer.HeldBytes();
  given.all_kept = given.all_kept && kept_ + bytes <= most_answers_;
  if (given.all_kept) {
    given.bytes += bytes;
    kept_ += bytes;
    given.answers.push_back(std::move(answer));
  } else {
    kept_ -= std::exchange(given.bytes, 0);
    given.answers = {};
  }
}

void HostCallLog::Answer(HostAnswer answer, HostCallOutcome& outcome) {
  const auto at = asking_.find(answer.instance);
  if (at == asking_.end() || at->second.asking.asked.call.number != answer.number) return;
  AskingInstance asking = std::move(at->second.asking);
  expiries_.erase({at->second.until, answer.instance});
  asking_.erase(at);
  if (!answer.error.empty()) {
    return Fail(asking, Trap::kHostCallFailed, std::move(answer.error), outcome);
  }
  std::string wrong = CheckAnswer(imports_[asking.asked.call.import], answer);
  if (!wrong.empty()) return Fail(asking, Trap::kHostCallFailed, std::move(wrong), outcome);
  if (GoOn(asking, answer, outcome)) Keep(std::move(answer));
}

std::string HostCallLog::WordsOfTimeout(const HostCall& call) const {
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(timeout_).count();
  return "The call of " + Quoted(imports_[call.import].name) + " got no answer within " +
         Quoted(static_cast<uint64_t>(ms)) +
         " ms (host_call_timeout). Answer it sooner, or give the job more time.";
}

void HostCallLog::Expire(TimePoint now, HostCallOutcome& outcome) {
  while (!expiries_.empty() && expiries_.begin()->first <= now) {
    const uint64_t instance = expiries_.begin()->second;
    expiries_.erase(expiries_.begin());
    const auto at = asking_.find(instance);
    AskingInstance asking = std::move(at->second.asking);
    asking_.erase(at);
    std::string words = WordsOfTimeout(asking.asked.call);
    Fail(asking, Trap::kHostCallFailed, std::move(words), outcome);
  }
}

std::optional<TimePoint> HostCallLog::next_expiry() const {
  if (expiries_.empty()) return std::nullopt;
  return expiries_.begin()->first;
}

std::vector<InstanceRef> HostCallLog::TakeAll() {
  std::vector<InstanceRef> instances;
  for (auto& [number, parked] : asking_) instances.push_back(parked.asking.instance);
  asking_.clear();
  expiries_.clear();
  return instances;
}

bool HostCallLog::HasAnswer(uint64_t instance, uint64_t number) const {
  const auto given = given_.find(instance);
  return given != given_.end() && number < given->second.count;
}

void HostCallLog::Forget(uint64_t instance) {
  const auto at = given_.find(instance);
  if (at == given_.end()) return;
  kept_ -= at->second.bytes;
  given_.erase(at);
}

}  // namespace wb
