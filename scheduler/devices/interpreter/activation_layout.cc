#include "scheduler/devices/interpreter/activation_layout.h"

namespace wb {
namespace {

using ir::Var;

void LayOutParams(const ir::Function& function, ByteFunction& out) {
  out.params = function.num_params;
  out.local_types.assign(function.vars.begin(), function.vars.begin() + function.num_locals);
  for (Var param = 0; param < function.num_params; ++param) {
    const ValueType type = function.vars[param];
    out.param_wide.insert(out.param_wide.end(), SlotsOf(type), IsWide(type));
  }
}

void LayOutResults(const ir::Function& function, const Slots& slots, ByteFunction& out) {
  for (const Var result : function.results) {
    const ValueType type = function.vars[result];
    out.result_types.push_back(type);
    out.result_wide.insert(out.result_wide.end(), SlotsOf(type), IsWide(type));
    slots.Append(result, out.results);
  }
}

void LayOutFrame(const ir::Function& function, const Slots& slots, ByteFunction& out) {
  out.frame_words = function.frame_words;
  for (const Var var : function.frame_vars) {
    const ValueType type = function.vars[var];
    for (uint32_t half = 0; half < SlotsOf(type); ++half) {
      out.frame.push_back({slots.of(var) + half, IsWide(type), function.arithmetic[var]});
    }
  }
  for (Var var = 0; var < function.vars.size(); ++var) {
    if (!slots.IsConstant(var) || !slots.IsRead(var) || !slots.LivesAcrossSafepoint(var)) continue;
    for (uint32_t half = 0; half < SlotsOf(function.vars[var]); ++half) {
      const uint64_t bits = HalfBits(function, var, slots.Bits(var), half);
      out.frame_constants.push_back(
          {slots.of(var) + half, bits, slots.FirstRow(var), slots.LastRow(var)});
    }
  }
}

}  // namespace

void LayOutActivation(const ir::Function& function, const Slots& slots, ByteFunction& out) {
  out.index = function.index;
  out.origin = function.origin();
  out.code_offset = function.code_offset;
  out.synthetic = function.synthetic;
  out.recursive = function.recursive;
  out.stack_slots = function.bounded ? 0 : function.stack_slots;
  out.slots = slots.count();
  out.zero_slots = slots.zero_slots();
  LayOutParams(function, out);
  LayOutResults(function, slots, out);
  LayOutFrame(function, slots, out);
}

}  // namespace wb
