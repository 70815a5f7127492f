#include "daemon/inspection/trace_lines.h"

#include "compiler/abi/lane.h"
#include "daemon/translate/translate_value.h"
#include "wasmburst/v1/inspection.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

static_assert(v1::TraceLine::OPERATOR == static_cast<int>(SeenLine::Kind::kOperator));
static_assert(v1::TraceLine::CALL == static_cast<int>(SeenLine::Kind::kCall));
static_assert(v1::TraceLine::RETURN == static_cast<int>(SeenLine::Kind::kReturn));

void PutValue(const SeenValue& value, v1::Value* proto) {
  if (value.type != ValueType::kV128) {
    return ValueToProto(
        ValueOfBits(IsReference(value.type) ? ValueType::kI32 : value.type, value.low), proto);
  }
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<char>(value.low >> (8 * i)));
  for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<char>(value.high >> (8 * i)));
  proto->set_v128(std::move(bytes));
}

}  // namespace

void TraceLines::Add(const Module& module, const SeenLine& line, uint64_t number,
                     v1::ReplayEvent* event) {
  if (line.function >= module.functions.size()) return;
  const FunctionPlace place = module.PlaceOf(line.function);
  if (place.instance != nullptr && place.instance->is_bound) return;
  v1::TraceLine& added = *event->add_lines();
  added.set_number(number);
  added.set_kind(static_cast<v1::TraceLine::Kind>(line.kind));
  added.set_depth(line.depth);
  added.set_function(place.function.value_or(uint32_t{abi::NONE}));
  added.set_offset(line.offset);
  if (place.instance != nullptr) added.set_module(place.instance->name);
  added.set_operator_(line.text);
  for (const SeenValue& value : line.values) PutValue(value, added.add_values());
  for (const SeenValue& value : line.results) PutValue(value, added.add_results());
  // A call's offset lies in its caller, of whose source it tells the line.
  const TrapPlaces::Place* found = places_.Find(added.module(), added.function(), line.offset);
  if (found == nullptr) return;
  added.set_function_name(found->function);
  added.set_file(found->line.file);
  added.set_line(found->line.line);
}

void TraceLines::AddTo(v1::InstanceResult* result) {
  if (!result->has_trap() || result->trap().function() == abi::NONE) return;
  v1::Trap& trap = *result->mutable_trap();
  const TrapPlaces::Place* found = places_.Find(trap.module(), trap.function(), trap.offset());
  if (found == nullptr) return;
  trap.set_function_name(found->function);
  trap.set_file(found->line.file);
  trap.set_line(found->line.line);
}

}  // namespace wb
