#include "tests/fuzz/calls.h"

#include <algorithm>

#include "compiler/link/link.h"
#include "scheduler/job/program_encoder.h"
#include "tests/oracle/arguments.h"

namespace wb::fuzz {
namespace {

// Binaryen's modules count loops and calls down to a trap; this starts the count anew.
constexpr std::string_view kHangLimit = "hangLimitInitializer";
constexpr size_t kMostCalls = 64;

oracle::Type TypeOf(ValueType type) {
  switch (type) {
    case ValueType::kI32: return oracle::Type::kI32;
    case ValueType::kI64: return oracle::Type::kI64;
    case ValueType::kF32: return oracle::Type::kF32;
    case ValueType::kF64: return oracle::Type::kF64;
    case ValueType::kV128: return oracle::Type::kV128;
    case ValueType::kFuncRef: return oracle::Type::kFuncRef;
    default: return oracle::Type::kExternRef;
  }
}

// Four words, little end first; a reference is its number, or null.
std::array<uint32_t, 4> WordsOf(const oracle::Value& value) {
  const bool reference =
      value.type == oracle::Type::kFuncRef || value.type == oracle::Type::kExternRef;
  if (reference) return {value.bits == 0 ? wb::Value::kNullReference : 7};
  return {static_cast<uint32_t>(value.bits), static_cast<uint32_t>(value.bits >> 32),
          static_cast<uint32_t>(value.high), static_cast<uint32_t>(value.high >> 32)};
}

uint64_t HashOf(std::string_view text, uint64_t seed) {
  uint64_t hash = seed ^ 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  return hash | 1;
}

class Planner {
 public:
  Planner(const Batch& batch, size_t subject)
      : batch_(batch), subject_(batch.subjects[subject]), place_(batch.places[subject]) {}

  Result<Plan> Run(size_t skip) {
    for (uint32_t part : place_.parts) AddCall(part, std::string(kInstantiateExport));
    plan_.first_export = plan_.calls.size();
    AddExports(skip);
    AddExports(skip);
    plan_.first_look = plan_.calls.size();
    for (const Look& look : place_.looks) AddCall(look.part, look.function);
    plan_.args.resize(kLanes);
    for (uint32_t lane = 0; lane < kLanes; ++lane) AddArguments(lane);
    WB_TRY(Encode());
    return std::move(plan_);
  }

 private:
  const Module& ModuleOf(uint32_t part) const { return *batch_.parts[part].module; }

  void AddCall(uint32_t part, const std::string& function) {
    PlannedCall call;
    call.part = part;
    call.function = function;
    if (const Export* item = ModuleOf(part).FindExport(function, ExternKind::kFunction)) {
      call.params = ModuleOf(part).type_of(item->index).params;
      call.results = ModuleOf(part).type_of(item->index).results;
    }
    plan_.calls.push_back(std::move(call));
  }

  void AddExports(size_t skip) {
    const Module& module = ModuleOf(place_.subject);
    const bool limited = module.FindExport(kHangLimit, ExternKind::kFunction) != nullptr;
    size_t number = 0;
    for (const Export& item : module.exports) {
      if (item.kind != ExternKind::kFunction || item.name == kHangLimit) continue;
      if (plan_.calls.size() >= kMostCalls) return;
      if (number++ < skip) continue;
      if (limited) AddCall(place_.subject, std::string(kHangLimit));
      AddCall(place_.subject, item.name);
      plan_.calls.back().number = number - 1;
    }
  }

  void AddArguments(uint32_t lane) {
    for (size_t i = 0; i < plan_.calls.size(); ++i) {
      const PlannedCall& call = plan_.calls[i];
      std::vector<oracle::Type> types;
      for (ValueType type : call.params) types.push_back(TypeOf(type));
      oracle::ArgumentSource source(HashOf(subject_.name + call.function, lane * 1000 + i));
      plan_.args[lane].push_back(source.Take(types));
    }
  }

  // The column; a function's reference can only be a constant.
  static Operand OperandOf(ValueType type, uint32_t column) {
    Operand operand;
    if (type == ValueType::kFuncRef) {
      operand.value = wb::Value::Reference(type);
      return operand;
    }
    operand.source = Operand::Source::kColumn;
    operand.column = column;
    operand.value.type = type;
    return operand;
  }

  Status Encode() {
    std::vector<Step> steps;
    std::vector<ColumnType> columns;
    for (const PlannedCall& call : plan_.calls) {
      CallStep step;
      step.function = call.function;
      step.instance = batch_.parts[call.part].name;
      step.go_on_after_trap = true;
      for (ValueType type : call.params) {
        step.args.push_back(OperandOf(type, static_cast<uint32_t>(columns.size())));
        columns.push_back({false, type});
      }
      steps.emplace_back(std::move(step));
    }
    WB_ASSIGN(plan_.program, EncodeProgram(*batch_.linked, steps, columns));
    FillColumns();
    return {};
  }

  void FillColumns() {
    plan_.columns.resize(size_t{plan_.program.column_words} * kLanes);
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      size_t column = 0;
      for (const auto& call : plan_.args[lane]) {
        for (const oracle::Value& value : call) {
          const uint32_t at = plan_.program.column_at[column++];
          const uint32_t end = column < plan_.program.column_at.size()
                                   ? plan_.program.column_at[column]
                                   : plan_.program.column_words;
          const auto words = WordsOf(value);
          for (uint32_t w = at; w < end; ++w) {
            plan_.columns[size_t{w} * kLanes + lane] = words[w - at];
          }
        }
      }
    }
  }

  const Batch& batch_;
  const Subject& subject_;
  const Placed& place_;
  Plan plan_;
};

}  // namespace

Result<Plan> MakePlan(const Batch& batch, size_t subject, size_t skip) {
  return Planner(batch, subject).Run(skip);
}

}  // namespace wb::fuzz
