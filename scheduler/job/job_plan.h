#pragma once

// JobPlan: a job that passed every check that needs neither a compiler nor a device, with the sizes
// that follow from it. Pure.

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/base/status.h"
#include "compiler/compiler.h"
#include "scheduler/job/job.h"
#include "scheduler/job/lane_program.h"

namespace wb {

inline constexpr uint64_t kMaxInstances = uint64_t{1} << 40;
inline constexpr uint64_t kMaxFuel = uint64_t{1} << 62;
// Records of one dispatch, and byte inputs of one dispatch, each.
// An input that devices keep is in neither.
inline constexpr uint64_t kMaxHostBytes = uint64_t{1} << 30;

// Of an output whose length is not known beforehand, a record has room for so many bytes.
inline constexpr uint64_t kOutputBuffer = 64 << 10;

// Where byte inputs lie in a dispatch's blob: first what all instances share, then a slot per lane.
struct BlobPlan {
  std::vector<uint32_t> column_at;  // per column: offset in the shared part or in the slot
  uint64_t shared_bytes = 0;        // multiples of 16
  uint64_t slot_bytes = 0;
  bool all_in_slots = false;  // nothing is shared (batch_key.h)
};

// The input that devices keep (Device::Keep): of those that are the same for all instances the
// longest, from kLeastKeptBytes on. The others lie in each dispatch's blob.
struct KeptColumn {
  uint32_t column = 0;
  InputBytes input;
};
// A shorter one costs a dispatch less than what it takes to find it.
inline constexpr uint64_t kLeastKeptBytes = uint64_t{64} << 10;

struct JobPlan {
  JobSpec spec;
  Digest work;  // the module and the functions called: jobs of equal work run at equal rates
  Digest task;  // the same with its constant inputs: tells how long instances are
  EncodedProgram program;
  uint32_t min_pages = 0;     // of linear memory at the start
  uint32_t max_pages = 0;     // min(declared maximum, limit)
  uint32_t output_bytes = 0;  // limit of an instance's output
  // Bytes of it that a record has room for; what is longer is drained (../docs/output.md).
  uint32_t output_buffer = ~0u;
  BlobPlan blob;
  std::optional<KeptColumn> kept;
  // Not 1: the module has collectives (compiler/docs/collectives.md). Instances from a multiple of
  // so many on are a group. A group is seated, starts again and ends as a whole.
  uint32_t group = 1;

  bool shared_bytes(size_t column) const { return spec.columns[column].count() == 1; }
  bool keeps(size_t column) const { return kept && kept->column == column; }
};

// Bytes that any instance's input of a bytes column has room for.
uint64_t LongestInput(const Column& column);

// Instances of such a module that start together (JobPlan::group).
uint32_t GroupOf(const Module& module);

// Bytes that a record of such a program has room for, if its job's limit allows as many.
uint64_t OutputBufferOf(const EncodedProgram& program, const std::vector<Step>& steps);

struct JobBounds {
  uint64_t max_memory_bytes = uint64_t{4} << 30;  // highest JobLimits::max_memory_bytes
};

// Which functions a job calls, in their order: functions of one module may differ in what suits
// them and in their speed as modules do.
Digest CallsOf(const JobSpec& spec);

// EncodeProgram's errors; INVALID_ARGUMENT with "field"; LIMIT_TOO_HIGH with the maximum.
Result<JobPlan> PlanJob(JobSpec spec, const JobBounds& bounds);

}  // namespace wb
