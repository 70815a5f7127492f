#include "scheduler/devices/interpreter/lane_watch.h"

#include <iterator>
#include <utility>

#include "scheduler/devices/interpreter/operator_facts.h"

namespace wb {
namespace {

SeenValue ValueAt(ValueType type, const uint64_t* slot) {
  SeenValue value{type, slot[0], 0};
  if (type == ValueType::kV128) value.high = slot[1];
  return value;
}

// Values of these types whose slots are listed one after another, two for a v128.
std::vector<SeenValue> ValuesAt(const std::vector<ValueType>& types, size_t count,
                                const std::vector<uint32_t>& places, const uint64_t* slots) {
  std::vector<SeenValue> values;
  size_t at = 0;
  for (size_t i = 0; i < count; ++i) {
    if (at >= places.size()) break;
    values.push_back(ValueAt(types[i], slots + places[at]));
    at += types[i] == ValueType::kV128 ? 2 : 1;
  }
  return values;
}

std::vector<SeenValue> FirstLocals(const ByteFunction& function, size_t count,
                                   const uint64_t* slots) {
  std::vector<SeenValue> values;
  for (size_t i = 0; i < count; ++i) {
    const ValueType type = function.local_types[i];
    values.push_back(ValueAt(type, slots));
    slots += type == ValueType::kV128 ? 2 : 1;
  }
  return values;
}

std::vector<SeenValue> OperandsOf(const ByteCode& code, const uint64_t* slots) {
  const OperatorFacts& facts = OperatorFactsOf(code.op);
  std::vector<SeenValue> values;
  if (facts.a != ValueType::kVoid) values.push_back(ValueAt(facts.a, slots + code.a));
  if (facts.b == ValueType::kVoid) return values;
  values.push_back(facts.b_is_imm ? SeenValue{facts.b, code.imm, 0}
                                  : ValueAt(facts.b, slots + code.b));
  return values;
}

}  // namespace

SeenLine& LaneWatch::Add(SeenLine line) {
  ++line_count_;
  lines_.push_back(std::move(line));
  if (lines_.size() > request_.max_lines) lines_.pop_front();
  return lines_.empty() ? lines_.emplace_back() : lines_.back();
}

void LaneWatch::Enter(const Machine& machine, const uint64_t* slots) {
  const ByteFunction& function = machine.function();
  awaited_ = ValueType::kVoid;
  depth_ = function.synthetic ? 0 : 1;
  if (request_.detail == TraceDetail::kNothing || function.synthetic) return;
  Add({SeenLine::Kind::kCall,
       depth_,
       function.index,
       0,
       "",
       FirstLocals(function, function.params, slots),
       {}});
}

bool LaneWatch::IsWhereToStop(const ByteFunction& function, uint32_t offset) const {
  const std::optional<InspectionRequest::Until>& until = request_.until;
  return until && offset == until->offset && function.origin >= until->from &&
         function.origin < until->to;
}

bool LaneWatch::Before(const Machine& machine, const ByteFunction& function, size_t at,
                       const uint64_t* slots, const uint32_t* lane) {
  if (reached_) return true;  // nor does a later step begin
  const uint32_t offset = function.offsets[at];
  const ByteCode& code = function.code[at];
  if (awaited_ != ValueType::kVoid) NoteResult(slots);
  if (IsWhereToStop(function, offset)) {
    reached_ = true;
    return true;
  }
  switch (code.op) {
    case ByteOp::kCall:
    case ByteOp::kTailCall: NoteCall(machine, function, code, offset, slots); break;
    case ByteOp::kReturn: NoteReturn(function, slots); break;
    default:
      if (request_.detail == TraceDetail::kOperators && offset != 0 && !function.synthetic) {
        NoteOperator(function, code, offset, slots, lane);
      }
  }
  return false;
}

// Of a call that a trampoline makes, the caller is the function that called through the table.
void LaneWatch::NoteCall(const Machine& machine, const ByteFunction& function, const ByteCode& code,
                         uint32_t offset, const uint64_t* slots) {
  const ByteCall& call = function.calls[code.imm];
  const ByteFunction& callee = machine.program().functions[call.callee];
  if (callee.synthetic) return;
  if (code.op == ByteOp::kCall) ++depth_;
  if (request_.detail == TraceDetail::kNothing) return;
  if (function.synthetic) offset = machine.CallerOffset();
  Add({SeenLine::Kind::kCall,
       depth_,
       callee.index,
       offset,
       "",
       ValuesAt(callee.local_types, callee.params, call.args, slots),
       {}});
}

void LaneWatch::NoteReturn(const ByteFunction& function, const uint64_t* slots) {
  if (function.synthetic) return;
  if (request_.detail != TraceDetail::kNothing) {
    Add({SeenLine::Kind::kReturn,
         depth_,
         function.index,
         0,
         "",
         ValuesAt(function.result_types, function.result_types.size(), function.results, slots),
         {}});
  }
  if (depth_ > 0) --depth_;
}

void LaneWatch::NoteOperator(const ByteFunction& function, const ByteCode& code, uint32_t offset,
                             const uint64_t* slots, const uint32_t* lane) {
  const OperatorFacts& facts = OperatorFactsOf(code.op);
  if (facts.text.empty()) return;
  SeenLine& line = Add({SeenLine::Kind::kOperator,
                        depth_,
                        function.index,
                        offset,
                        std::string(facts.text),
                        OperandsOf(code, slots),
                        {}});
  awaited_ = facts.result;
  awaited_slot_ = code.dst;
  const ValueType global = GlobalAt(code.imm);
  if (code.op == ByteOp::kGlobalGet32 || code.op == ByteOp::kGlobalGet64) {
    if (lane == nullptr || global == ValueType::kV128) return;
    awaited_ = global;
  } else if (code.op == ByteOp::kGlobalSet32 || code.op == ByteOp::kGlobalSet64) {
    if (global != ValueType::kVoid && global != ValueType::kV128) {
      line.values = {ValueAt(global, slots + code.a)};
    }
  }
}

// It follows its operator in the same activation: an operator that calls is none that has a result.
void LaneWatch::NoteResult(const uint64_t* slots) {
  if (!lines_.empty()) lines_.back().results = {ValueAt(awaited_, slots + awaited_slot_)};
  awaited_ = ValueType::kVoid;
}

void LaneWatch::Stopped(const Machine& machine, size_t at) {
  awaited_ = ValueType::kVoid;
  if (is_final_) return;
  is_final_ = reached_;
  frames_.clear();
  machine.VisitActivations([&](const ByteFunction& function, const uint64_t* slots, uint32_t pc) {
    if (function.synthetic || frames_.size() == Inspection::kMostFrames) return;
    const bool innermost = frames_.empty() && slots == machine.slots();
    const size_t here = innermost ? at : pc;
    SeenFrame& frame = frames_.emplace_back();
    frame.function = function.origin;
    frame.offset = function.offsets[here];
    frame.locals = FirstLocals(function, function.local_types.size(), slots);
    if (innermost) frame.operands = OperandsOf(function.code[here], slots);
  });
}

void LaneWatch::Take(Inspection* to) {
  to->reached = reached_;
  to->frames = std::move(frames_);
  to->lines = {std::make_move_iterator(lines_.begin()), std::make_move_iterator(lines_.end())};
  to->line_count = line_count_;
}

}  // namespace wb
