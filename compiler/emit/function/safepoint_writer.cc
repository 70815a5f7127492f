#include "compiler/emit/function/safepoint_writer.h"

#include "compiler/abi/lane.h"
#include "compiler/emit/text/names.h"

namespace wb {

namespace {

// A loop with further safepoints inside: lanes go different ways in it for longer, and come back
// together to its header.
bool LanesMeet(const ir::Construct& loop) { return loop.header_safepoint < loop.last_safepoint; }

}  // namespace

void SafepointWriter::Write(uint32_t safepoint, const std::string& leaves, bool is_label) {
  context_.guards.EnsureGuard();
  context_.targets.ExitIf(leaves, abi::WHY_LEFT | safepoint);
  if (is_label) return;
  context_.guards.CloseGuard();
  if (context_.form.resumable()) context_.text.Line("if (r == ", safepoint, "u) { r = 0u; }");
  context_.guards.Pass(safepoint);
}

void SafepointWriter::LoopHeader(const ir::Construct& loop, bool asks) {
  if (loop.header_safepoint == 0) return;
  context_.guards.Pass(loop.header_safepoint);
  context_.guards.EnsureGuard();
  const uint64_t cost = HeaderCost(context_.form.function, loop);
  if (cost != 0) context_.text.Line(PayText(std::to_string(cost) + "u"));
  if (!asks) return;
  context_.targets.ExitIf(LanesMeet(loop) ? "wb_group_is_low(fuel, low)" : "wb_spent(fuel)",
                          abi::WHY_LEFT | loop.header_safepoint);
}

}  // namespace wb
