#pragma once

// BuildRequest: a pipeline that is wanted, and BuildWaiter: what is called when it is there.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "scheduler/control/fair_queue.h"
#include "scheduler/pipelines/build_target.h"
#include "scheduler/pipelines/cache_entry.h"
#include "scheduler/pipelines/lowering.h"
#include "scheduler/pipelines/prepared_pipeline.h"

namespace wb {

struct BuiltPipeline {
  PreparedPipeline pipeline;
  bool cached = false;
  std::chrono::nanoseconds time{};  // of the device's compiler; 0 if cached
};
using BuiltDone = std::function<void(Result<BuiltPipeline>)>;

// A job that waits for a pipeline. All functions run on the coordinator's thread.
struct BuildWaiter {
  BuiltDone done;  // once; perhaps before Get() returns
  // Before `done`, if the job has to wait for a compiler, at work or deferred; may be empty. False:
  // the job does not wait any more.
  std::function<bool()> compiling{};
  // After `done` gave a quick pipeline: the full one, or why there is none; may be empty, may never
  // run. It must not keep a job alive, since a full build takes longer than many jobs.
  std::function<void(const Result<BuiltPipeline>&)> better{};
  // Before `done`, as often as the machine failed the compiler and it is tried again: after so many
  // tries, and why. May be empty.
  std::function<void(uint32_t tries, const Status& why)> delayed{};
  bool can_defer = false;  // no compiler begins for this job alone
  FairShare share = {};    // whose turn the build takes

  // `done` is called with a quick pipeline now: of the others only `better` is called after it, and
  // what they hold is let go.
  void KeepForBetter() {
    done = nullptr;
    compiling = nullptr;
    delayed = nullptr;
  }
};

struct BuildRequest {
  Digest key;
  LoweredRef lowered;
  BuildTarget* device = nullptr;
  std::string target;
  bool has_quick = false;  // a quick build of the text is worth it there
  FairShare share;

  bool on_disk() const { return !lowered->source.text.empty(); }  // the cache may have it
  Digest DiskKey(Effort effort) const { return DiskKeyOf(key, effort); }
  CacheLabel Label(Effort effort) const;
  PreparedPipeline With(std::shared_ptr<const Bytes> binary, Effort effort) const;
  // A quick binary lies beside the full one, under another name. A best one takes its place.
  static Digest DiskKeyOf(const Digest& key, Effort effort);
};

BuildRequest RequestFor(LoweredRef lowered, BuildTarget& device);
Digest PipelineKeyOf(const LoweredKernel& lowered, const std::string& target);
bool HasQuickBuild(const DeviceInfo& device, uint64_t text_bytes);

// One run of a compiler for a request.
struct BuildAttempt {
  BuildRequest request;
  Effort effort = Effort::kFull;
  bool behind = false;    // a full build after the quick one: it waits behind first builds
  BuiltDone best_done{};  // of kBest, which nobody waits for; on the coordinator's thread
};

}  // namespace wb
