#include "scheduler/devices/interpreter/machine.h"

#include <algorithm>

#include "compiler/abi/lane.h"
#include "compiler/base/check.h"

namespace wb {
namespace {

// Kept for the next call; a deeper one gives the rest back.
constexpr size_t kKeptSlots = size_t{1} << 20;

uint64_t Read(const uint32_t* word, bool wide) {
  return wide ? word[0] | static_cast<uint64_t>(word[1]) << 32 : word[0];
}

void Write(uint32_t* word, bool wide, uint64_t value) {
  word[0] = static_cast<uint32_t>(value);
  if (wide) word[1] = static_cast<uint32_t>(value >> 32);
}

uint64_t CanonicalNan(bool wide, uint64_t bits) {
  if (wide) {
    return (bits & 0x7fffffffffffffffull) > 0x7ff0000000000000ull ? 0x7ff8000000000000ull : bits;
  }
  return (bits & 0x7fffffffull) > 0x7f800000ull ? 0x7fc00000ull : bits;
}

}  // namespace

void Machine::Begin(const ByteProgram& program, const uint32_t* lane) {
  program_ = &program;
  stack_.clear();
  base_ = 0;
  if (slots_.size() > kKeptSlots) std::vector<uint64_t>().swap(slots_);
  stack_left_ = lane[abi::LANE_MAX_STACK];
  frames_left_ = program.layout.frames_words;
}

void Machine::PushActivation(const ByteFunction& function) {
  if (!stack_.empty()) base_ += stack_.back().function->slots;
  const size_t end = base_ + function.slots;
  if (end > slots_.size()) slots_.resize(std::max(end, 2 * slots_.size()));
  stack_.push_back({&function, 0});
  stack_left_ -= function.stack_slots;
  frames_left_ -= function.frame_words;
}

bool Machine::Enter(const ByteProgram& program, const ByteFunction& function,
                    const uint32_t* lane) {
  Begin(program, lane);
  if (function.stack_slots > stack_left_ || function.frame_words > frames_left_) return false;
  PushActivation(function);
  uint64_t* to = slots();
  const uint32_t* word = lane + program.layout.stage_at;
  for (bool wide : function.param_wide) {
    *to++ = Read(word, wide);
    word += wide ? 2 : 1;
  }
  std::fill(to, slots() + function.zero_slots, 0);
  return true;
}

void Machine::Resume(const ByteProgram& program, const ByteFunction& function,
                     const uint32_t* lane) {
  Begin(program, lane);
  const uint32_t* frame = lane + program.layout.frames_at;
  const ByteFunction* next = &function;
  while (next != nullptr) {
    PushActivation(*next);
    const ByteFunction& here = *next;
    WB_CHECK(frame[0] != 0 && frame[0] < here.safepoints.size());
    const ByteSafepoint& safepoint = here.safepoints[frame[0]];
    const uint32_t* word = frame + 1;
    std::fill(slots(), slots() + here.zero_slots, 0);
    for (const ByteFrameVar& var : here.frame) {
      slots()[var.slot] = Read(word, var.wide);
      word += var.wide ? 2 : 1;
    }
    for (const ByteConst& constant : here.frame_constants) {
      if (constant.first > safepoint.row || constant.last < safepoint.row) continue;
      slots()[constant.slot] = constant.bits;
    }
    stack_.back().pc = safepoint.pc;
    frame += here.frame_words;
    next = safepoint.is_call ? &program.functions[here.calls[here.code[safepoint.pc].imm].callee]
                             : nullptr;
  }
}

bool Machine::Push(const ByteFunction& callee, const ByteCall& call, uint32_t pc) {
  if (callee.stack_slots > stack_left_ || callee.frame_words > frames_left_) return false;
  stack_.back().pc = pc;
  const size_t caller = base_;
  PushActivation(callee);
  const uint64_t* from = slots_.data() + caller;
  uint64_t* to = slots();
  for (uint32_t arg : call.args) *to++ = from[arg];
  std::fill(to, slots() + callee.zero_slots, 0);
  return true;
}

bool Machine::Pop() {
  if (stack_.size() == 1) return false;
  const ByteFunction& callee = *stack_.back().function;
  const uint64_t* from = slots();
  stack_.pop_back();
  stack_left_ += callee.stack_slots;
  frames_left_ += callee.frame_words;
  const Activation& caller = stack_.back();
  base_ -= caller.function->slots;
  const ByteCall& call = caller.function->calls[caller.function->code[caller.pc].imm];
  for (size_t i = 0; i < call.results.size(); ++i) {
    slots()[call.results[i]] = from[callee.results[i]];
  }
  return true;
}

void Machine::Leave(uint32_t safepoint, uint32_t* lane) const {
  uint32_t* frame = lane + program_->layout.frames_at;
  const uint32_t* end = frame + program_->layout.frames_words;
  const uint64_t* slots = slots_.data();
  for (size_t i = 0; i < stack_.size(); ++i) {
    const ByteFunction& function = *stack_[i].function;
    const bool innermost = i + 1 == stack_.size();
    WB_CHECK(function.frame_words != 0 && frame + function.frame_words <= end);
    frame[0] = innermost ? safepoint : function.calls[function.code[stack_[i].pc].imm].safepoint;
    uint32_t* word = frame + 1;
    for (const ByteFrameVar& var : function.frame) {
      const uint64_t value = slots[var.slot];
      Write(word, var.wide, var.canon ? CanonicalNan(var.wide, value) : value);
      word += var.wide ? 2 : 1;
    }
    frame += function.frame_words;
    slots += function.slots;
  }
}

void Machine::Results(uint32_t* lane) const {
  const ByteFunction& function = *stack_.back().function;
  uint32_t* word = lane + program_->layout.stage_at;
  for (size_t i = 0; i < function.results.size(); ++i) {
    Write(word, function.result_wide[i], slots_[base_ + function.results[i]]);
    word += function.result_wide[i] ? 2 : 1;
  }
}

}  // namespace wb
