#pragma once

// What a test says to the stand-in for Metal: what its GPU is like, which errors and delays it has.
// One for the process, since Metal's devices are. From any thread.

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace wb::standin {

struct Traits {
  uint32_t devices = 1;
  int64_t family = 1009;  // MTLGPUFamilyApple9 and all before it
  bool headless = true;
  uint64_t max_buffer_bytes = uint64_t{1} << 34;
  uint64_t working_set_bytes = uint64_t{1} << 34;
  uint64_t memory_bytes = uint64_t{1} << 40;  // beyond it newBuffer... returns nil
  bool wraps_host_memory = true;              // else newBufferWithBytesNoCopy returns nil
  bool keeps_archives = true;                 // else serializeToURL fails
  bool sees_host_writes = true;               // else what the host writes during a kernel is unseen
  bool captures = false;
  int64_t thermal_state = 0;  // NSProcessInfoThermalState
  bool low_power_mode = false;
  uint32_t cores = 0;                // of the GPU, as IOKit's registry says; 0: it does not
  std::map<std::string, float> smc;  // its keys, in order; empty: there is no AppleSMC
  bool smc_opens = true;
  std::chrono::milliseconds library_time{0};   // newLibraryWithSource takes so much longer
  std::chrono::milliseconds pipeline_time{0};  // newComputePipelineState... likewise
  std::chrono::milliseconds command_time{0};   // every command buffer likewise
};

// Command buffers after the next `after` ones fail, `times` of them, with `share` of their threads
// run. `code` is a MTLCommandBufferError; 14 stands for the undocumented "impacting interactivity".
struct Fault {
  int64_t code = 0;
  uint64_t after = 0;
  uint64_t times = 1;
  double share = 0.5;
  uint64_t then_ignored = 0;  // afterwards so many more are ignored unread, as Metal does
};
inline constexpr int64_t kInteractivity = 14;

struct Counts {
  uint64_t committed = 0;
  uint64_t in_flight = 0;  // committed and not ended
  uint64_t most_in_flight = 0;
  uint64_t compiled = 0;      // texts that clang saw
  uint64_t archive_hits = 0;  // pipelines found in an archive
  uint64_t buffers = 0;       // that live
  uint64_t buffer_bytes = 0;
  uint64_t captures = 0;
  int64_t io_objects = 0;  // of IOKit, that were not given back
};

void Reset();  // traits, faults and counts (but of what lives) as at the start
void Set(const Traits& traits);
Traits Now();
void Fail(const Fault& fault);
Counts Counted();
// Whoever listens is told "compiled" of each text that clang saw, "archive" of each pipeline found
// in one, "capture", and "fault CODE"; by the thread it happens on, one at a time.
void Listen(std::function<void(const std::string&)> listener);
// Pipelines are forgotten as if another process had started: the next library is compiled again.
void ForgetTexts();

}  // namespace wb::standin
