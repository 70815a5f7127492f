#include "scheduler/job/lane_operands.h"

#include <optional>

#include "compiler/base/check.h"
#include "scheduler/base/quoted.h"

namespace wb {
namespace {

using Source = Operand::Source;

Status Mismatch(const ProgramPlace& place, ValueType wanted, ValueType given) {
  return place.Error(Reason::kSignatureMismatch, Quoted(TypeName(wanted)) + " is wanted and " +
                                                     Quoted(TypeName(given)) + " is given.");
}

// `added` is the operand's value: all zero adds nothing, whatever its type.
Status CheckAdded(const ProgramPlace& place, const Value& added, ValueType type) {
  if (added.words == Value{}.words) return {};
  if (type != ValueType::kI32 && type != ValueType::kI64) {
    return place.Error(Reason::kSignatureMismatch, "a number is added to a value of type " +
                                                       Quoted(TypeName(type)) +
                                                       "; only i32 and i64 can be added to.");
  }
  if (added.type == type) return {};
  return place.Error(Reason::kSignatureMismatch,
                     "a number of type " + Quoted(TypeName(added.type)) +
                         " is added to a value of type " + Quoted(TypeName(type)) + ".");
}

}  // namespace

Status ProgramPlace::Error(Reason reason, const std::string& message) const {
  return Status(reason, "Step " + Quoted(step) + ", " + what + ": " + message,
                {{"step", std::to_string(step)}});
}

Result<OperandEncoder::Found> OperandEncoder::FindResult(const ProgramPlace& place,
                                                         const Operand& operand) const {
  if (operand.step >= place.step) {
    return place.Error(Reason::kInvalidArgument,
                       "it takes a result of step " + Quoted(operand.step) +
                           ", which has not run by then; only earlier steps have results.");
  }
  const StepLayout& layout = out_.steps[operand.step];
  if (operand.result >= layout.results.size()) {
    return place.Error(Reason::kInvalidArgument, "it takes result " + Quoted(operand.result) +
                                                     " of step " + Quoted(operand.step) +
                                                     ", which has " +
                                                     Quoted(layout.results.size()) + ".");
  }
  uint32_t at = layout.results_at;
  for (uint32_t i = 0; i < operand.result; ++i) at += TypeWords(layout.results[i]);
  return Found{abi::OPERAND_REGISTER, at, layout.results[operand.result]};
}

Result<OperandEncoder::Found> OperandEncoder::FindColumn(const ProgramPlace& place,
                                                         const Operand& operand) const {
  if (operand.column >= columns_.size()) {
    return place.Error(Reason::kInvalidArgument, "there is no column " + Quoted(operand.column) +
                                                     "; the job has " + Quoted(columns_.size()) +
                                                     ".");
  }
  const ColumnType& column = columns_[operand.column];
  const uint32_t at = out_.column_at[operand.column];
  const bool length = operand.source == Source::kColumnLength;
  if (column.bytes && length) return Found{abi::OPERAND_COLUMN, at + 1, ValueType::kI32};
  if (!column.bytes && !length) return Found{abi::OPERAND_COLUMN, at, column.type};
  if (length) {
    return place.Error(Reason::kSignatureMismatch, "column " + Quoted(operand.column) + " holds " +
                                                       Quoted(TypeName(column.type)) +
                                                       " values; only bytes have a length.");
  }
  return place.Error(Reason::kSignatureMismatch,
                     "column " + Quoted(operand.column) +
                         " holds bytes where a value is wanted; bytes reach an instance by a "
                         "write step, their length is an operand.");
}

Result<OperandEncoder::Found> OperandEncoder::FindGlobal(const ProgramPlace& place,
                                                         const GlobalName& name) {
  const std::optional<uint32_t> instance = InstanceNamed(module_, name.instance);
  if (!instance) {
    return place.Error(Reason::kEntryPointNotFound,
                       "it takes a global of the module " + Quoted(name.instance) +
                           ", which the job does not name. It names: " + InstanceNames(module_) +
                           ".");
  }
  const ExportedGlobals::Place* global = globals_.Find(*instance, name.name);
  if (global != nullptr) return Found{abi::OPERAND_GLOBAL, global->word, global->type};
  return place.Error(Reason::kEntryPointNotFound,
                     "it takes " + Quoted(name.name) +
                         ", which the module does not export as a global. It exports: " +
                         ListExports(module_, ExternKind::kGlobal, *instance) + ".");
}

Result<OperandEncoder::Found> OperandEncoder::Find(const ProgramPlace& place,
                                                   const Operand& operand) {
  switch (operand.source) {
    case Source::kResult: return FindResult(place, operand);
    case Source::kColumn:
    case Source::kColumnLength: return FindColumn(place, operand);
    case Source::kGlobal:
      WB_CHECK(operand.global != nullptr);
      return FindGlobal(place, *operand.global);
    case Source::kConstant:
    case Source::kLoad32: break;  // AddLoads takes the loads away
  }
  return Found{abi::OPERAND_CONST, 0, operand.value.type};
}

Status OperandEncoder::Add(const ProgramPlace& place, const Operand& operand, ValueType wanted) {
  if (operand.source == Source::kLoad32) return AddLoads(place, operand, wanted);
  WB_ASSIGN(const Found found, Find(place, operand));
  const bool constant = operand.source == Source::kConstant;
  // The number of a reference may be given as an i32; -1 is null.
  const bool numbered = IsReference(wanted) && (constant || operand.source == Source::kColumn);
  if (found.type != wanted && !(numbered && found.type == ValueType::kI32)) {
    return Mismatch(place, wanted, found.type);
  }
  if (!constant) WB_TRY(CheckAdded(place, operand.value, wanted));
  if (numbered) return AddReference(place, operand, found, wanted);
  AddWords(found.source, found.at, wanted, operand.value);
  return {};
}

// The row of the innermost pointer, which says how often it is followed.
Status OperandEncoder::AddLoads(const ProgramPlace& place, const Operand& operand,
                                ValueType wanted) {
  if (wanted != ValueType::kI32) return Mismatch(place, wanted, ValueType::kI32);
  if (module_.memories.empty()) {
    return place.Error(Reason::kInvalidArgument, "it loads from memory, but the module has none.");
  }
  std::vector<uint32_t> added;  // outermost first
  const Operand* pointer = &operand;
  for (; pointer->source == Source::kLoad32; pointer = pointer->pointer.get()) {
    if (added.size() == abi::MOST_LOADS) {
      return place.Error(Reason::kLimitTooHigh,
                         "it has more than " + Quoted(abi::MOST_LOADS) +
                             " loads within one another. Let an exported function follow the "
                             "pointers and take its result.");
    }
    WB_TRY(CheckAdded(place, pointer->value, ValueType::kI32));
    added.push_back(pointer->value.words[0]);
    WB_CHECK(pointer->pointer != nullptr);
  }
  const size_t row = out_.words.size();
  const ProgramPlace inside{place.step, "the pointer that " + place.what + " loads from"};
  WB_TRY(Add(inside, *pointer, ValueType::kI32));
  out_.words[row + abi::OPERAND_LOADS] = static_cast<uint32_t>(added.size());
  for (size_t i = 0; i < added.size(); ++i) {
    out_.words[row + abi::OPERAND_VALUE + added.size() - i] = added[i];
  }
  return {};
}

// A reference in the form of lanes: a column's has one added. Functions are known by number to the
// engines alone, which trust it.
Status OperandEncoder::AddReference(const ProgramPlace& place, const Operand& operand,
                                    const Found& found, ValueType wanted) {
  const bool column = operand.source == Source::kColumn;
  if (wanted == ValueType::kFuncRef &&
      (column || operand.value.words[0] != Value::kNullReference)) {
    return place.Error(
        Reason::kSignatureMismatch,
        "a function reference is given; only null, a global or a result of an earlier step can "
        "be passed as [funcref].");
  }
  const uint32_t added = column ? 1 : Value::ReferenceToLane(operand.value.words[0]);
  AddWords(found.source, found.at, wanted, Value{wanted, {added, 0, 0, 0}});
  return {};
}

void OperandEncoder::AddWords(uint32_t source, uint32_t at, ValueType type, const Value& value) {
  const size_t begin = out_.words.size();
  out_.words.resize(begin + abi::OPERAND_WORDS);
  uint32_t* row = &out_.words[begin];
  row[abi::OPERAND_SOURCE] = source;
  row[abi::OPERAND_AT] = at;
  row[abi::OPERAND_SIZE] = TypeWords(type);
  for (size_t i = 0; i < value.words.size(); ++i) row[abi::OPERAND_VALUE + i] = value.words[i];
}

}  // namespace wb
