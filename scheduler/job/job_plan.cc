#include "scheduler/job/job_plan.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "compiler/imports/primitive.h"
#include "scheduler/base/quoted.h"
#include "scheduler/job/constant_inputs.h"
#include "scheduler/job/program_encoder.h"
#include "scheduler/job/resident/resident_instances.h"

namespace wb {
namespace {

constexpr size_t kMaxColumns = 1024;

Status BadField(const std::string& field, const std::string& message) {
  return Status(Reason::kInvalidArgument, message, {{"field", field}});
}

Status CheckAtMost(const std::string& field, uint64_t given, uint64_t maximum) {
  if (given <= maximum) return {};
  return Status(Reason::kLimitTooHigh,
                "The job's " + field + " is " + Quoted(given) + "; at most " + Quoted(maximum) +
                    " is accepted here.",
                {{"field", field}, {"maximum", std::to_string(maximum)}});
}

Status CheckMidway(const JobSpec& spec) {
  uint64_t next = 0;
  for (const LeftInstance& left : spec.before->midway) {
    const bool is_known = left.instance >= next && left.instance < spec.instances &&
                          !spec.before->finished.Contains(left.instance);
    if (!is_known || left.attempt == 0 || left.state == nullptr) {
      return BadField("before.midway", "The instance " + Quoted(left.instance) +
                                           " cannot have been left midway: instances ascend, are "
                                           "of the job and have not finished.");
    }
    next = left.instance + 1;
  }
  if (!spec.before->midway.empty() && !spec.host_imports.empty() &&
      !spec.before->must_keep_states) {
    return BadField("before.midway",
                    "Instances that make host calls go on with their states only where they must "
                    "keep them: one that starts again would make calls that were answered.");
  }
  const bool in_groups = !spec.before->midway.empty() && GroupOf(*spec.module) > 1;
  if (!in_groups || !spec.before->must_keep_states) return {};
  return BadField(
      "before.midway",
      "Instances of a module with collectives start in groups, and take no state along.");
}

// What another process has kept may be of another job.
Status CheckBefore(const JobSpec& spec) {
  if (spec.before == nullptr) return {};
  const uint64_t end = spec.before->finished.end();
  if (end > spec.instances) {
    return BadField("before.finished", "The instance " + Quoted(end - 1) +
                                           " is said to have finished before; the job has " +
                                           Quoted(spec.instances) + " instances.");
  }
  if (spec.before->attempt == 0) {
    return BadField("before.attempt", "Attempts count from 1 on; this job goes on with [0].");
  }
  return CheckMidway(spec);
}

Status CheckLimits(const JobSpec& spec, const JobBounds& bounds) {
  if (spec.instances == 0) {
    return BadField("instances", "A job needs at least one instance; this has [0].");
  }
  WB_TRY(CheckAtMost("instances", spec.instances, kMaxInstances));
  WB_TRY(CheckBefore(spec));
  WB_TRY(CheckAtMost("limits.max_memory_bytes", spec.limits.max_memory_bytes,
                     bounds.max_memory_bytes));
  WB_TRY(CheckAtMost("limits.max_fuel", spec.limits.max_fuel, kMaxFuel));
  WB_TRY(CheckAtMost("limits.max_stack", spec.limits.max_stack, kMaxStackSlots));
  if (spec.limits.max_time && spec.limits.max_time->count() <= 0) {
    return BadField("limits.max_time", "The job's limits.max_time must be longer than nothing.");
  }
  if (spec.limits.max_total_time && spec.limits.max_total_time->count() <= 0) {
    return BadField("limits.max_total_time",
                    "The job's limits.max_total_time must be longer than nothing.");
  }
  return CheckAtMost("columns", spec.columns.size(), kMaxColumns);
}

Status CheckValues(const Column& column, const std::string& field, uint64_t wanted) {
  if (column.count() != wanted) {
    return BadField(field, "The job's " + field + " has " + Quoted(column.count()) + " values; " +
                               Quoted(wanted) + " are needed.");
  }
  for (const Value& value : column.values) {
    if (value.type == column.type) continue;
    return BadField(field, "The job's " + field + " is of type " + Quoted(TypeName(column.type)) +
                               " and holds a value of type " + Quoted(TypeName(value.type)) + ".");
  }
  return {};
}

bool IsNumber(ValueType type) { return type >= ValueType::kI32 && type <= ValueType::kF64; }

Status CheckRange(const Column& column, const std::string& field) {
  if (IsNumber(column.type) && column.start.type == column.type &&
      column.step.type == column.type) {
    return {};
  }
  return BadField(field, "The job's " + field + " is a range of " + Quoted(TypeName(column.type)) +
                             " from a start of type " + Quoted(TypeName(column.start.type)) +
                             " by steps of type " + Quoted(TypeName(column.step.type)) +
                             "; the three must be one number type.");
}

Status CheckColumn(const Column& column, size_t index, uint64_t instances) {
  const std::string field = "columns" + Quoted(index);
  if (column.kind == Column::Kind::kBytes) {
    if (column.count() == 1 || column.count() == instances) return {};
    return BadField(field, "The job's " + field + " has " + Quoted(column.count()) +
                               " byte strings; one for all or one for each of " +
                               Quoted(instances) + " instances are needed.");
  }
  if (TypeWords(column.type) == 0) return BadField(field, "The job's " + field + " has no type.");
  switch (column.kind) {
    case Column::Kind::kConstant: return CheckValues(column, field, 1);
    case Column::Kind::kList: return CheckValues(column, field, instances);
    default: return CheckRange(column, field);
  }
}

// How much memory an instance starts with and may reach; of several memories, the largest.
Status PlanMemory(JobPlan& plan) {
  const Module& module = *plan.spec.module;
  if (module.memories.empty()) return {};
  uint32_t declared_max = 0;
  for (const Memory& memory : module.memories) {
    plan.min_pages = std::max(plan.min_pages, memory.limits.min);
    declared_max = std::max(declared_max, memory.limits.max.value_or(65536));
  }
  const uint64_t limit = plan.spec.limits.max_memory_bytes / abi::PAGE_BYTES;
  const uint64_t most = std::min<uint64_t>(limit, 65536);
  plan.max_pages = static_cast<uint32_t>(std::min<uint64_t>(declared_max, most));
  if (plan.min_pages <= most) return {};
  return BadField("limits.max_memory_bytes",
                  "The module starts with " + Quoted(uint64_t{plan.min_pages} * abi::PAGE_BYTES) +
                      " bytes of memory; the job's limits.max_memory_bytes is " +
                      Quoted(plan.spec.limits.max_memory_bytes) + ". Raise it.");
}

// Where there are primitives, what a step reads is a frame of whole words.
uint64_t FramedBytes(const JobPlan& plan, uint64_t bytes) {
  return plan.program.asks ? sizeof(uint32_t) + (bytes + 3) / 4 * 4 : bytes;
}

// What a job of a module with collectives cannot have.
Status PlanGroups(JobPlan& plan) {
  plan.group = GroupOf(*plan.spec.module);
  if (plan.group == 1 || plan.spec.host_imports.empty()) return {};
  return BadField("bindings",
                  "The module imports collectives of [gpu_std]; imports of such a module cannot be "
                  "bound to the job's caller. Bind them in another way.");
}

// What a call of a session cannot have.
Status PlanResidents(const JobPlan& plan) {
  if (plan.spec.residents == nullptr) return {};
  if (plan.spec.residents->size() != plan.spec.instances) {
    return BadField("instances", "The session has " + Quoted(plan.spec.residents->size()) +
                                     " instances, and its call " + Quoted(plan.spec.instances) +
                                     ".");
  }
  if (plan.group > 1) {
    return BadField("module",
                    "The module imports collectives of [gpu_std]: its instances compute in groups, "
                    "which a session cannot keep.");
  }
  if (plan.spec.host_imports.empty()) return {};
  return BadField("bindings",
                  "Imports of a session's module cannot be bound to the job's caller. Bind them in "
                  "another way.");
}

// Read steps of constant length need no more than their sum; others may use all that is allowed,
// but few do: records have room for a part of it.
Status PlanOutput(JobPlan& plan) {
  const uint64_t allowed = plan.spec.limits.max_output_bytes;
  uint64_t needed = plan.program.writes ? allowed : 0;
  for (const Step& step : plan.spec.steps) {
    const ReadStep* read = std::get_if<ReadStep>(&step);
    if (read == nullptr) continue;
    const bool constant = read->length.source == Operand::Source::kConstant;
    needed += constant ? FramedBytes(plan, read->length.value.words[0]) : allowed;
  }
  plan.output_bytes = static_cast<uint32_t>(std::min(needed, allowed));
  plan.output_buffer = static_cast<uint32_t>(
      std::min<uint64_t>(OutputBufferOf(plan.program, plan.spec.steps), plan.output_bytes));
  plan.output_buffer = std::max(plan.output_buffer, uint32_t{abi::LEAST_BUFFER});
  // An instance that leaves for want of room would leave its group.
  if (plan.group > 1) plan.output_buffer = std::max(plan.output_buffer, plan.output_bytes);
  const uint64_t record =
      uint64_t{abi::RECORD_REGISTERS + plan.program.register_words} * 4 + plan.output_bytes;
  return CheckAtMost("limits.max_output_bytes", record, kMaxHostBytes / plan.group);
}

Status PlanBlob(JobPlan& plan) {
  plan.blob.column_at.assign(plan.spec.columns.size(), 0);
  for (size_t i = 0; i < plan.spec.columns.size(); ++i) {
    const Column& column = plan.spec.columns[i];
    if (column.kind != Column::Kind::kBytes || plan.keeps(i)) continue;
    uint64_t& end = plan.shared_bytes(i) ? plan.blob.shared_bytes : plan.blob.slot_bytes;
    plan.blob.column_at[i] = static_cast<uint32_t>(end);
    end += LongestInput(column);
    WB_TRY(CheckAtMost("bytes of one instance's columns",
                       plan.blob.shared_bytes + plan.blob.slot_bytes * plan.group, kMaxHostBytes));
  }
  return {};
}

}  // namespace

uint32_t GroupOf(const Module& module) {
  return RunsInGroups(module) ? uint32_t{abi::GROUP_LANES} : 1;
}

uint64_t OutputBufferOf(const EncodedProgram& program, const std::vector<Step>& steps) {
  uint64_t buffer = program.writes ? kOutputBuffer : 0;
  for (const Step& step : steps) {
    const auto* read = std::get_if<ReadStep>(&step);
    if (read == nullptr) continue;
    const bool constant = read->length.source == Operand::Source::kConstant;
    buffer += constant ? read->length.value.words[0] : kOutputBuffer;
  }
  return buffer;
}

uint64_t LongestInput(const Column& column) { return (column.LongestBytes() + 15) / 16 * 16; }

Digest CallsOf(const JobSpec& spec) {
  DigestBuilder builder;
  for (const Step& step : spec.steps) {
    if (const CallStep* call = std::get_if<CallStep>(&step)) builder.Add(call->function);
  }
  return builder.Finish();
}

namespace {

Digest WorkOf(const JobSpec& spec) {
  return DigestBuilder().Add(spec.module->digest().bytes).Add(CallsOf(spec).bytes).Finish();
}

Digest TaskOf(const JobPlan& plan) {
  DigestBuilder builder;
  builder.Add(plan.work.bytes);
  for (const uint32_t word : plan.program.words) builder.Add(uint64_t{word});
  for (const Column& column : plan.spec.columns) {
    if (column.kind != Column::Kind::kConstant) continue;
    for (const uint32_t word : column.values.front().words) builder.Add(uint64_t{word});
  }
  return builder.Finish();
}

// The number of an instance is a column, which costs nothing until it is asked for.
Status AddInstanceColumn(JobSpec& spec) {
  if (!UsesPrimitives(*spec.module)) {
    if (spec.inputs.empty()) return {};
    return BadField("inputs", "The job has " + Quoted(spec.inputs.size()) +
                                  " inputs, but its module imports nothing that reads them (import "
                                  "[input_read] of the module [wasmburst]).");
  }
  for (const uint32_t column : spec.inputs) {
    if (column < spec.columns.size()) continue;
    return BadField("inputs", "The job's inputs name column " + Quoted(column) + "; the job has " +
                                  Quoted(spec.columns.size()) + ".");
  }
  Column numbers;
  numbers.kind = Column::Kind::kRange;
  numbers.type = ValueType::kI64;
  numbers.start = Value::I64(0);
  numbers.step = Value::I64(1);
  spec.columns.push_back(std::move(numbers));
  return {};
}

bool IsWritten(const JobSpec& spec, uint32_t column) {
  return std::any_of(spec.steps.begin(), spec.steps.end(), [column](const Step& step) {
    const WriteStep* write = std::get_if<WriteStep>(&step);
    return write != nullptr && write->column == column;
  });
}

// Write steps copy from the blob alone.
std::optional<uint32_t> FindKept(const JobSpec& spec) {
  std::optional<uint32_t> kept;
  uint64_t longest = kLeastKeptBytes - 1;
  for (const uint32_t index : spec.inputs) {
    const Column& column = spec.columns[index];
    if (column.kind != Column::Kind::kBytes || column.count() != 1) continue;
    if (column.LongestBytes() <= longest || IsWritten(spec, index)) continue;
    longest = column.LongestBytes();
    kept = index;
  }
  return kept;
}

// The column's bytes in a form that devices keep.
KeptColumn KeepColumn(JobSpec& spec, uint32_t index) {
  Column& column = spec.columns[index];
  if (column.data == nullptr) {
    const ByteView from = column.BytesAt(0);
    ByteBlock block = ByteBlock::Of(from.size());
    std::copy(from.begin(), from.end(), block.bytes.get());
    column.data = ColumnData::Strings(std::move(block), {from.size()});
    column.bytes.clear();
  }
  return {index, ColumnData::OnlyString(column.data)};
}

Result<EncodedProgram> Encode(const JobSpec& spec, const ProgramInputs* inputs) {
  std::vector<ColumnType> types;
  for (const Column& column : spec.columns) {
    types.push_back({column.kind == Column::Kind::kBytes, column.type});
  }
  return EncodeProgram(*spec.module, spec.steps, types, inputs);
}

}  // namespace

Result<JobPlan> PlanJob(JobSpec spec, const JobBounds& bounds) {
  if (spec.module == nullptr) return BadField("module", "The job names no module.");
  WB_TRY(CheckLimits(spec, bounds));
  for (size_t i = 0; i < spec.columns.size(); ++i) {
    WB_TRY(CheckColumn(spec.columns[i], i, spec.instances));
  }
  WB_TRY(AddInstanceColumn(spec));
  JobPlan plan;
  if (const std::optional<uint32_t> kept = FindKept(spec)) plan.kept = KeepColumn(spec, *kept);
  ProgramInputs inputs = {spec.inputs, static_cast<uint32_t>(spec.columns.size()) - 1,
                          spec.instances};
  if (plan.kept) {
    inputs.kept = plan.kept->column;
    inputs.kept_bytes = plan.kept->input.bytes.size();
  }
  const ProgramInputs* const given = UsesPrimitives(*spec.module) ? &inputs : nullptr;
  WB_ASSIGN(plan.program, Encode(spec, given));
  plan.work = WorkOf(spec);
  plan.spec = std::move(spec);
  plan.task = TaskOf(plan);
  TakeConstantsAsInputs(plan.spec, plan.program, given);
  WB_TRY(PlanGroups(plan));
  WB_TRY(PlanResidents(plan));
  WB_TRY(PlanMemory(plan));
  WB_TRY(PlanOutput(plan));
  WB_TRY(PlanBlob(plan));
  return plan;
}

}  // namespace wb
