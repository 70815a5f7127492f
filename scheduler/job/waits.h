#pragma once

// Why a job does not run now, with numbers. Pure.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wb {

enum class WaitCause : uint8_t {
#define WB_WAIT(name, text) k##name,
#include "scheduler/job/waits.def"
#undef WB_WAIT
};
std::string_view WaitCauseName(WaitCause cause);  // "DEVICE_RESTS"

struct WaitReason {
  WaitCause cause = WaitCause::kTurn;
  std::string words;
  std::optional<std::chrono::nanoseconds> left;  // until it is over at the latest, where known
  std::vector<uint64_t> jobs;                    // that are before it, as far as that can be said
};

// The jobs of a device beside this one, as its turn depends on them.
struct OtherJobs {
  std::vector<uint64_t> running;  // launches of theirs are under way
  std::vector<uint64_t> ahead;    // of its tenant, with a higher priority
  uint64_t others = 0;            // that take turns with it
};
WaitReason WaitForTurn(const std::string& device, const OtherJobs& jobs);

// What it waits for at the coordinator, and since when.
WaitReason WaitForCompiler(const std::string& words, std::chrono::nanoseconds waited);
WaitReason WaitForTenant(const std::string& tenant, uint64_t under_way, uint64_t before);
// Host calls; `served`: a caller takes them.
WaitReason WaitForCaller(uint64_t calls, bool served);
WaitReason WaitForReader(uint64_t finished);
// What its next launch needs: `lack` is a sentence.
WaitReason WaitForMachine(const std::string& device, const std::string& lack);
WaitReason WaitForMemory(const std::string& device, uint64_t held, std::optional<uint64_t> most);
// For an input of `bytes` on the device, of which inputs that jobs read hold `held` of `most`.
WaitReason WaitForInput(const std::string& device, uint64_t bytes, uint64_t held, uint64_t most);

}  // namespace wb
