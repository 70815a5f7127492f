#pragma once

// What instances of several jobs must have in common to share one dispatch, and the plan of such a
// dispatch. Pure.
//
// Equal must be: the pipeline; the lane program to the word; the words of its columns and of its
// results; the limits that a dispatch gives its lanes (fuel, memory, stack, output of an instance);
// and the size of a slot for byte inputs, rounded up. Inputs, tenants, priorities and limits of
// time may differ. A job with a limit of fuel for all its instances together shares no launches,
// since it sizes its launches by what is left.

#include <cstdint>
#include <optional>

#include "compiler/base/digest.h"
#include "scheduler/devices/kernel_build.h"
#include "scheduler/job/job_plan.h"

namespace wb {

// Which pipeline a job runs on: its key, and what is not in that.
struct PipelineMark {
  Digest key;
  Effort effort = Effort::kFull;
  bool fast32 = false;
};

// Equal for jobs that may share. nullopt: it shares no launches.
std::optional<Digest> ShareKeyOf(const JobPlan& plan, const PipelineMark& pipeline);

// Where a job's byte inputs lie in a shared dispatch: all of them in their seat's slot, also those
// that its instances have in common.
BlobPlan SlotsOf(const JobPlan& plan);

// Of the dispatch: a job's plan without its inputs and with slots alone.
JobPlan BatchPlanOf(const JobPlan& plan);

}  // namespace wb
