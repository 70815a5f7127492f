#include "scheduler/dispatch/best_builds.h"

#include <cstdio>

#include "scheduler/base/quoted.h"
#include "scheduler/dispatch/compile_request.h"

namespace wb {
namespace {

std::string WordsOf(const Result<BuiltPipeline>& best) {
  if (!best.ok()) return "there is none, and jobs keep the full build: " + best.status().message();
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.1f", std::chrono::duration<double>(best->time).count());
  return "it is there, after " + Quoted(seconds) + " s of the compiler.";
}

}  // namespace

void BestBuilds::Consider(const ActiveJobRef& job, DeviceLoop* device,
                          std::chrono::nanoseconds busy) {
  const DeviceInfo info = device->info();
  if (info.best_text_below == 0) return;
  const auto told = [log = log_, module = job->plan.spec.module->digest(),
                     id = info.id](const Result<BuiltPipeline>& best) {
    log(best.ok() ? Severity::kInfo : Severity::kWarning,
        "best build: of the module " + Quoted(module.Hex()) + " on the device " + Quoted(id) +
            ": " + WordsOf(best));
  };
  const auto built = [this, told](const Result<BuiltPipeline>& best) {
    told(best);
    if (best.ok()) Take(*best);
  };
  lowering_.Get(LoweringOf(job->plan, OptionsFor(job->plan.spec, info.options)),
                [this, device, busy, built, share = ShareOf(*job)](const Result<LoweredRef>& text) {
                  if (!text.ok() || !(*text)->refused.ok()) return;
                  const std::chrono::duration<double> spent = busy;
                  if (builder_.estimates().SecondsForBest(*text, *device) > spent.count()) return;
                  builder_.GetBest(*text, *device, share, built);
                });
}

// Devices of one target have the same pipelines. One that does not adopt pipelines would have to
// copy its lanes to the host and back; there, jobs that come later get it.
void BestBuilds::Take(const BuiltPipeline& best) {
  for (const ActiveJobRef& job : jobs_.All()) {
    for (auto& [device, placement] : jobs_.At(job).placements) {
      if (!placement.built || placement.built->pipeline.key != best.pipeline.key) continue;
      placement.built = best;
      if (placement.runs && device->info().adopts_pipelines) {
        device->SwapPipeline(job, best.pipeline);
      }
    }
  }
}

}  // namespace wb
