#include "daemon/database/block_parts.h"

#include <algorithm>
#include <utility>

namespace wb {
namespace {

// The longest name of a device, a module or an output has 1,024 bytes; words of errors have more.
constexpr uint64_t kMostNames = 1 << 20;

bool IsTrapByte(uint8_t byte) { return byte == 0 || IsTrap(byte); }

bool IsType(uint8_t byte) {
  switch (static_cast<ValueType>(byte)) {
    case ValueType::kI32:
    case ValueType::kI64:
    case ValueType::kF32:
    case ValueType::kF64:
    case ValueType::kV128:
    case ValueType::kFuncRef:
    case ValueType::kExternRef: return true;
    default: return false;
  }
}

Trap GetTrap(ByteReader* in) {
  const uint8_t byte = in->Byte();
  if (!IsTrapByte(byte)) in->Fail();
  return in->ok() ? static_cast<Trap>(byte) : Trap::kNone;
}

uint32_t GetWord(ByteReader* in) { return static_cast<uint32_t>(in->Number()); }

void PutEnding(const InstanceResult& result, BlockNames* names, ByteWriter* out) {
  out->Number(result.attempt);
  out->Byte(static_cast<uint8_t>(result.end));
  out->Byte(static_cast<uint8_t>(result.trap));
  out->Number(result.trap_function);
  out->Number(result.trap_offset);
  out->Number(result.exit_code);
  out->Number(names->NumberOf(result.trap_module));
  out->Number(result.step);
  out->Number(names->NumberOf(result.device));
  out->Byte(result.fast32 ? 1 : 0);
  out->Byte(static_cast<uint8_t>(result.build));
}

void PutStep(const StepResult& step, BlockNames* names, ByteWriter* out) {
  out->Byte(static_cast<uint8_t>(step.trap));
  if (step.trap != Trap::kNone) {
    out->Number(step.trap_function);
    out->Number(step.trap_offset);
    out->Number(names->NumberOf(step.trap_module));
  }
  out->Number(step.values.size());
  for (const Value& value : step.values) out->Byte(static_cast<uint8_t>(value.type));
}

void PutTrace(const InstanceResult& result, BlockNames* names, ByteWriter* out) {
  out->Text(result.host_error);
  out->Text(result.backtrace_error);
  out->Number(result.backtrace.size());
  for (const TraceFrame& frame : result.backtrace) {
    out->Number(frame.function);
    out->Number(frame.offset);
    out->Number(names->NumberOf(frame.module));
  }
}

}  // namespace

uint64_t BlockNames::NumberOf(const std::string& name) {
  const auto [at, is_new] = numbers_.try_emplace(name, numbers_.size());
  if (is_new) names_.Text(name);
  return at->second;
}

void BlockNames::Put(ByteWriter* out) const {
  ByteWriter names = names_;
  out->Number(numbers_.size());
  out->Raw(std::move(names).Take());
}

NamesRead::NamesRead(ByteReader* in) : in_(in) {
  const uint64_t names = in->Count();
  for (uint64_t i = 0; i < std::min(names, kMostNames) && in->ok(); ++i) {
    names_.emplace_back(in->Text());
  }
}

std::string NamesRead::Next() {
  const uint64_t number = in_->Number();
  if (number < names_.size()) return names_[number];
  in_->Fail();
  return {};
}

void GetEnding(NamesRead* names, ByteReader* in, InstanceResult* result) {
  result->attempt = GetWord(in);
  const uint8_t end = in->Byte();
  if (end >= kEnds) in->Fail();
  result->end = in->ok() ? static_cast<End>(end) : End::kReturned;
  result->trap = GetTrap(in);
  result->trap_function = GetWord(in);
  result->trap_offset = GetWord(in);
  result->exit_code = GetWord(in);
  result->trap_module = names->Next();
  result->step = GetWord(in);
  result->device = names->Next();
  result->fast32 = in->Byte() != 0;
  const uint8_t build = in->Byte();
  if (build > static_cast<uint8_t>(KernelBuild::kFull)) in->Fail();
  result->build = in->ok() ? static_cast<KernelBuild>(build) : KernelBuild::kNone;
}

StepResult GetStepTrap(NamesRead* names, ByteReader* in) {
  StepResult step;
  step.trap = GetTrap(in);
  if (step.trap == Trap::kNone) return step;
  step.trap_function = GetWord(in);
  step.trap_offset = GetWord(in);
  step.trap_module = names->Next();
  return step;
}

void GetTrace(NamesRead* names, ByteReader* in, InstanceResult* result) {
  result->host_error = in->Text();
  result->backtrace_error = in->Text();
  const uint64_t frames = in->Count();
  for (uint64_t i = 0; i < frames && in->ok(); ++i) {
    TraceFrame frame;
    frame.function = GetWord(in);
    frame.offset = GetWord(in);
    frame.module = names->Next();
    result->backtrace.push_back(std::move(frame));
  }
}

ValueType GetType(ByteReader* in) {
  const uint8_t byte = in->Byte();
  if (!IsType(byte)) in->Fail();
  return in->ok() ? static_cast<ValueType>(byte) : ValueType::kI32;
}

void PutCommon(const InstanceResult& result, BlockNames* names, ByteWriter* out) {
  PutEnding(result, names, out);
  out->Number(result.memory_pages);
  PutTrace(result, names, out);
  out->Number(result.steps.size());
  for (const StepResult& step : result.steps) PutStep(step, names, out);
}

InstanceResult GetCommon(NamesRead* names, ByteReader* in) {
  InstanceResult result;
  GetEnding(names, in, &result);
  result.memory_pages = GetWord(in);
  GetTrace(names, in, &result);
  const uint64_t steps = in->Count();
  for (uint64_t i = 0; i < steps && in->ok(); ++i) {
    StepResult& step = result.steps.emplace_back(GetStepTrap(names, in));
    const uint64_t values = in->Count();
    for (uint64_t v = 0; v < values && in->ok(); ++v) step.values.emplace_back().type = GetType(in);
  }
  return result;
}

}  // namespace wb
