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

uint32_t SafepointOfCall(const Activation& caller) {
  const ByteFunction& function = *caller.function;
  return function.calls[function.code[caller.pc].imm].safepoint;
}

void WriteFrame(const ByteFunction& function, uint32_t safepoint, const uint64_t* slots,
                uint32_t* frame) {
  frame[0] = safepoint;
  uint32_t* word = frame + 1;
  for (const ByteFrameVar& var : function.frame) {
    const uint64_t value = slots[var.slot];
    Write(word, var.wide, var.canon ? CanonicalNan(var.wide, value) : value);
    word += var.wide ? 2 : 1;
  }
}

}  // namespace

void Machine::Begin(const ByteProgram& program, const uint32_t* lane) {
  program_ = &program;
  stack_.clear();
  base_ = 0;
  if (slots_.size() > kKeptSlots) std::vector<uint64_t>().swap(slots_);
  stack_left_ = lane[abi::LANE_CAPACITY_STACK];
}

void Machine::PushActivation(const ByteFunction& function) {
  if (!stack_.empty()) base_ += stack_.back().function->slots;
  ReserveSlots(function.slots);
  stack_.push_back({&function, 0});
  stack_left_ -= function.stack_slots;
}

void Machine::ReserveSlots(size_t count) {
  const size_t end = base_ + count;
  if (end > slots_.size()) slots_.resize(std::max(end, 2 * slots_.size()));
}

bool Machine::Enter(const ByteProgram& program, const ByteFunction& function,
                    const uint32_t* lane) {
  Begin(program, lane);
  if (function.stack_slots > stack_left_) return false;
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

// Every root and those above it that it called, the outermost first.
void Machine::Resume(const ByteProgram& program, const uint32_t* lane) {
  Begin(program, lane);
  const uint32_t* frames = lane + lane[abi::LANE_FRAMES_AT];
  Root root{lane[abi::LANE_ROOT_FUNCTION], lane[abi::LANE_ROOT_BASE], lane[abi::LANE_ROOT_ROOM]};
  std::vector<Root> roots = {root};
  while (root.base != 0) {
    const uint32_t* link = frames + root.base - abi::LINK_WORDS;
    WB_CHECK(link[abi::LINK_BASE] < root.base);
    root = {link[abi::LINK_FUNCTION], link[abi::LINK_BASE], link[abi::LINK_ROOM]};
    roots.push_back(root);
  }
  for (auto it = roots.rbegin(); it != roots.rend(); ++it) ResumeRoot(*it, frames);
}

void Machine::ResumeRoot(const Root& root, const uint32_t* frames) {
  WB_CHECK(stack_left_ == root.room);
  const uint32_t* frame = frames + root.base;
  const ByteFunction* next = &program_->functions[root.function - program_->imported_functions];
  do {
    const ByteFunction& here = *next;
    PushActivation(here);
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
    next = safepoint.is_call ? &program_->functions[here.calls[here.code[safepoint.pc].imm].callee]
                             : nullptr;
  } while (next != nullptr && !next->recursive);
}

bool Machine::Push(const ByteFunction& callee, const ByteCall& call, uint32_t pc) {
  if (callee.stack_slots > stack_left_) return false;
  stack_.back().pc = pc;
  const size_t caller = base_;
  PushActivation(callee);
  const uint64_t* from = slots_.data() + caller;
  uint64_t* to = slots();
  for (uint32_t arg : call.args) *to++ = from[arg];
  std::fill(to, slots() + callee.zero_slots, 0);
  return true;
}

bool Machine::Replace(const ByteFunction& callee, const ByteCall& call) {
  const ByteFunction& caller = function();
  if (callee.stack_slots > stack_left_ + caller.stack_slots) return false;
  args_.clear();
  for (uint32_t arg : call.args) args_.push_back(slots()[arg]);
  stack_left_ = stack_left_ + caller.stack_slots - callee.stack_slots;
  stack_.back() = {&callee, 0};
  ReserveSlots(callee.slots);
  uint64_t* end = std::copy(args_.begin(), args_.end(), slots());
  std::fill(end, slots() + callee.zero_slots, 0);
  return true;
}

bool Machine::Pop() {
  if (stack_.size() == 1) return false;
  const ByteFunction& callee = *stack_.back().function;
  const uint64_t* from = slots();
  stack_.pop_back();
  stack_left_ += callee.stack_slots;
  const Activation& caller = stack_.back();
  base_ -= caller.function->slots;
  const ByteCall& call = caller.function->calls[caller.function->code[caller.pc].imm];
  for (size_t i = 0; i < call.results.size(); ++i) {
    slots()[call.results[i]] = from[callee.results[i]];
  }
  return true;
}

void Machine::Leave(uint32_t safepoint, uint32_t* lane) const {
  uint32_t* frames = lane + lane[abi::LANE_FRAMES_AT];
  const uint64_t* slots = slots_.data();
  uint32_t room = lane[abi::LANE_CAPACITY_STACK];
  Root root{stack_[0].function->index, 0, room};
  uint32_t at = 0;
  for (size_t i = 0; i < stack_.size(); ++i) {
    const ByteFunction& function = *stack_[i].function;
    WB_CHECK(function.frame_words != 0);
    if (i != 0 && function.recursive) {
      frames[at + abi::LINK_FUNCTION] = root.function;
      frames[at + abi::LINK_BASE] = root.base;
      frames[at + abi::LINK_ROOM] = root.room;
      at += abi::LINK_WORDS;
      root = {function.index, at, room};
    }
    const bool innermost = i + 1 == stack_.size();
    WriteFrame(function, innermost ? safepoint : SafepointOfCall(stack_[i]), slots, frames + at);
    at += function.frame_words;
    slots += function.slots;
    room -= function.stack_slots;
  }
  WB_CHECK(at <= program_->layout.FramesWords(lane[abi::LANE_CAPACITY_STACK]));
  lane[abi::LANE_ROOT_FUNCTION] = root.function;
  lane[abi::LANE_ROOT_BASE] = root.base;
  lane[abi::LANE_ROOT_ROOM] = root.room;
  lane[abi::LANE_ROOT_FRESH] = 0;
}

CallTrace Machine::Trace(uint32_t pc) const {
  CallTrace trace;
  bool called_part = false;  // the activation stands where that of its part does
  for (size_t i = stack_.size(); i > 0 && trace.size() < kMostTraced; --i) {
    const ByteFunction& function = *stack_[i - 1].function;
    const uint32_t at = i == stack_.size() ? pc : stack_[i - 1].pc;
    if (!called_part) trace.push_back({function.origin, function.offsets[at]});
    called_part = function.synthetic && function.origin != function.index;
  }
  return trace;
}

uint32_t Machine::CallerOffset() const {
  for (size_t i = stack_.size(); i-- > 0;) {
    const Activation& caller = stack_[i];
    if (!caller.function->synthetic) return caller.function->offsets[caller.pc];
  }
  return 0;
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
