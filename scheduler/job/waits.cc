#include "scheduler/job/waits.h"

#include "scheduler/base/quoted.h"

namespace wb {

std::string_view WaitCauseName(WaitCause cause) {
  switch (cause) {
#define WB_WAIT(name, text) \
  case WaitCause::k##name:  \
    return text;
#include "scheduler/job/waits.def"
#undef WB_WAIT
  }
  return "UNKNOWN";
}

WaitReason WaitForTurn(const std::string& device, const OtherJobs& jobs) {
  WaitReason reason;
  reason.cause = WaitCause::kTurn;
  reason.words =
      "its turn on the device " + Quoted(device) + ": " + Quoted(uint64_t{jobs.running.size()}) +
      " jobs run there now, " + Quoted(uint64_t{jobs.ahead.size()}) +
      " of its tenant go first by their priority, " + Quoted(jobs.others) + " take turns with it";
  reason.jobs = jobs.running;
  reason.jobs.insert(reason.jobs.end(), jobs.ahead.begin(), jobs.ahead.end());
  return reason;
}

WaitReason WaitForCompiler(const std::string& words, std::chrono::nanoseconds waited) {
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(waited).count();
  return {
      WaitCause::kCompiler, words + ", for " + Quoted(static_cast<uint64_t>(ms)) + " ms", {}, {}};
}

WaitReason WaitForTenant(const std::string& tenant, uint64_t under_way, uint64_t before) {
  return {WaitCause::kTenant,
          "its tenant " + Quoted(tenant) + ", which has " + Quoted(under_way) +
              " jobs under way, as many as it may have; " + Quoted(before) + " wait before it",
          {},
          {}};
}

WaitReason WaitForReader(uint64_t finished) {
  return {WaitCause::kReader,
          "its reader: " + Quoted(finished) +
              " instances have ended, and there is no room for more results",
          {},
          {}};
}

WaitReason WaitForCaller(uint64_t calls, bool served) {
  return {WaitCause::kCaller,
          "its caller: " + Quoted(calls) + " instances wait for the answers to their calls" +
              (served ? "" : ", and no stream serves them (ServeHostCalls)"),
          {},
          {}};
}

WaitReason WaitForMachine(const std::string& device, const std::string& lack) {
  return {WaitCause::kMachine,
          "what the machine lacks for it on the device " + Quoted(device) +
              ", which is tried again: " + lack,
          {},
          {}};
}

WaitReason WaitForMemory(const std::string& device, uint64_t held, std::optional<uint64_t> most) {
  const std::string words = "memory on the device " + Quoted(device) + ": ";
  if (!most)
    return {WaitCause::kMemory, words + Quoted(held) + " bytes are held by others", {}, {}};
  return {WaitCause::kMemory,
          words + "its tenant holds " + Quoted(held) + " of the " + Quoted(*most) +
              " bytes that it may have",
          {},
          {}};
}

WaitReason WaitForInput(const std::string& device, uint64_t bytes, uint64_t held, uint64_t most) {
  return {WaitCause::kMemory,
          "memory on the device " + Quoted(device) + " for its input of " + Quoted(bytes) +
              " bytes: inputs that other jobs read hold " + Quoted(held) + " of the " +
              Quoted(most) + " that inputs may have (engine.input_percent), and instances the rest",
          {},
          {}};
}

}  // namespace wb
