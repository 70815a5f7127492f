#include "scheduler/job/program_encoder.h"

#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "compiler/base/check.h"
#include "compiler/imports/primitive.h"
#include "scheduler/base/quoted.h"
#include "scheduler/job/lane_operands.h"
#include "scheduler/job/program_exports.h"

namespace wb {
namespace {

constexpr size_t kMaxSteps = 4096;
constexpr size_t kMaxProgramWords = (size_t{1} << 20) / 4;
constexpr size_t kMaxRegisterWords = kMaxProgramWords;

class ProgramEncoder {
 public:
  ProgramEncoder(const Module& module, const std::vector<Step>& steps,
                 const std::vector<ColumnType>& columns, const ProgramInputs* inputs)
      : module_(module),
        columns_(columns),
        steps_(steps),
        inputs_(inputs),
        operands_(module, columns, out_) {}

  Result<EncodedProgram> Encode();

 private:
  void PlaceColumns();
  Status AddStep(size_t index, const CallStep& step);
  Status AddStep(size_t index, const WriteStep& step);
  Status AddStep(size_t index, const ReadStep& step);
  Status AddStep(size_t index, const StoreStep& step);
  void AddRow(size_t index, uint32_t kind, uint32_t function, uint32_t operands);
  Result<uint32_t> InstanceOf(size_t index, const std::string& name) const;
  Status CheckMemory(size_t index, std::string_view verb) const;
  Status CheckSizes() const;
  Status CheckInputs() const;
  Status AddInputs();

  const Module& module_;
  const std::vector<ColumnType>& columns_;
  const std::vector<Step>& steps_;
  const ProgramInputs* inputs_;  // null: the module has no primitives
  std::set<std::string, std::less<>> outputs_;
  EncodedProgram out_;
  OperandEncoder operands_;
};

Result<EncodedProgram> ProgramEncoder::Encode() {
  if (steps_.empty()) {
    return Status(Reason::kInvalidArgument,
                  "A lane program needs at least one step; this has none.", {{"field", "steps"}});
  }
  if (steps_.size() > kMaxSteps) {
    return Status(Reason::kLimitTooHigh,
                  "A lane program has at most " + Quoted(kMaxSteps) + " steps; this has " +
                      Quoted(steps_.size()) +
                      ". Use fewer: a function that the module exports can do what several do.",
                  {{"field", "steps"}});
  }
  PlaceColumns();
  const size_t rows = steps_.size() + (inputs_ != nullptr ? 1 : 0);
  out_.words.resize(rows * abi::STEP_WORDS);
  out_.asks = inputs_ != nullptr;
  for (size_t i = 0; i < steps_.size(); ++i) {
    WB_TRY(std::visit([&](const auto& step) { return AddStep(i, step); }, steps_[i]));
    WB_TRY(CheckSizes());
  }
  if (inputs_ != nullptr) WB_TRY(AddInputs());
  return std::move(out_);
}

Status ProgramEncoder::CheckInputs() const {
  for (const uint32_t column : inputs_->columns) {
    WB_CHECK(column < columns_.size());
    if (!columns_[column].bytes) {
      return {Reason::kSignatureMismatch,
              "The job's inputs name column " + Quoted(column) + ", which holds " +
                  Quoted(TypeName(columns_[column].type)) + " values; an input is bytes.",
              {{"field", "inputs"}}};
    }
  }
  return {};
}

// The row behind the last step: what primitives answer from.
Status ProgramEncoder::AddInputs() {
  WB_TRY(CheckInputs());
  uint32_t* row = &out_.words[steps_.size() * abi::STEP_WORDS];
  row[abi::STEP_KIND] = abi::STEP_INPUTS;
  row[abi::STEP_OPERANDS] = static_cast<uint32_t>(out_.words.size());
  row[abi::STEP_OPERAND_COUNT] = 2 + 2 * static_cast<uint32_t>(inputs_->columns.size());
  operands_.AddWords(abi::OPERAND_COLUMN, out_.column_at[inputs_->instance_column], ValueType::kI64,
                     {});
  operands_.AddWords(abi::OPERAND_CONST, 0, ValueType::kI64, Value::I64(inputs_->instances));
  for (const uint32_t column : inputs_->columns) {
    if (column == inputs_->kept) {
      operands_.AddWords(abi::OPERAND_KEPT, 0, ValueType::kI64, {});
      operands_.AddWords(abi::OPERAND_CONST, 0, ValueType::kI64, Value::I64(inputs_->kept_bytes));
      continue;
    }
    const uint32_t at = out_.column_at[column];
    operands_.AddWords(abi::OPERAND_COLUMN, at, ValueType::kI32, {});
    operands_.AddWords(abi::OPERAND_COLUMN, at + 1, ValueType::kI32, {});
  }
  if (out_.words.size() <= kMaxProgramWords) return {};
  return {Reason::kLimitTooHigh,
          "The job has " + Quoted(inputs_->columns.size()) + " inputs; that is too many.",
          {{"field", "inputs"}}};
}

void ProgramEncoder::PlaceColumns() {
  for (size_t i = 0; i < columns_.size(); ++i) {
    out_.column_at.push_back(out_.column_words);
    if (inputs_ != nullptr && i == inputs_->kept) continue;
    out_.column_words += columns_[i].bytes ? 2 : TypeWords(columns_[i].type);
  }
}

Status ProgramEncoder::CheckSizes() const {
  if (out_.words.size() <= kMaxProgramWords && out_.register_words <= kMaxRegisterWords) return {};
  return Status(Reason::kLimitTooHigh,
                "The lane program encodes to " + Quoted(out_.words.size()) + " words and " +
                    Quoted(out_.register_words) + " result words by step " +
                    Quoted(out_.steps.size() - 1) + "; at most " + Quoted(kMaxProgramWords) +
                    " of each are accepted. Use fewer steps.",
                {{"field", "steps"}});
}

void ProgramEncoder::AddRow(size_t index, uint32_t kind, uint32_t function, uint32_t operands) {
  StepLayout& layout = out_.steps.back();
  layout.results_at = out_.register_words;
  uint32_t words = 0;
  for (ValueType type : layout.results) words += TypeWords(type);
  uint32_t* row = &out_.words[index * abi::STEP_WORDS];
  row[abi::STEP_KIND] = kind;
  row[abi::STEP_FUNCTION] = function;
  row[abi::STEP_OPERANDS] = static_cast<uint32_t>(out_.words.size());
  row[abi::STEP_OPERAND_COUNT] = operands;
  row[abi::STEP_RESULTS] = layout.results_at;
  row[abi::STEP_RESULT_WORDS] = words;
  row[abi::STEP_TRAP_REGISTER] = abi::NONE;
  out_.register_words += words;
}

Result<uint32_t> ProgramEncoder::InstanceOf(size_t index, const std::string& name) const {
  const std::optional<uint32_t> instance = InstanceNamed(module_, name);
  if (instance) return *instance;
  return Status(Reason::kEntryPointNotFound,
                "Step " + Quoted(index) + " calls into the module " + Quoted(name) +
                    ", which the job does not name. It names: " + InstanceNames(module_) + ".",
                {{"step", std::to_string(index)}, {"module", name}});
}

Status ProgramEncoder::AddStep(size_t index, const CallStep& step) {
  WB_ASSIGN(const uint32_t instance, InstanceOf(index, step.instance));
  const Export* exported = module_.FindExport(step.function, ExternKind::kFunction, instance);
  if (exported == nullptr) {
    return Status(Reason::kEntryPointNotFound,
                  "Step " + Quoted(index) + " calls " + Quoted(step.function) +
                      ", which the module does not export as a function. It exports: " +
                      ListExports(module_, ExternKind::kFunction, instance) + ".",
                  {{"step", std::to_string(index)}, {"function", step.function}});
  }
  const FunctionType& type = module_.type_of(exported->index);
  if (step.args.size() != type.params.size()) {
    return Status(Reason::kSignatureMismatch,
                  "Step " + Quoted(index) + " calls " + Quoted(step.function) + " with " +
                      Quoted(step.args.size()) + " arguments; it takes " +
                      Quoted(type.params.size()) + ": " + type.ToString() + ".",
                  {{"step", std::to_string(index)}, {"function", step.function}});
  }
  out_.steps.push_back({type.results, 0, abi::NONE});
  AddRow(index, abi::STEP_CALL, exported->index, static_cast<uint32_t>(type.params.size()));
  if (step.go_on_after_trap) {
    out_.steps.back().trap_at = out_.register_words;
    out_.words[index * abi::STEP_WORDS + abi::STEP_FLAGS] = abi::STEP_GO_ON;
    out_.words[index * abi::STEP_WORDS + abi::STEP_TRAP_REGISTER] = out_.register_words;
    out_.register_words += 3;
  }
  for (size_t i = 0; i < step.args.size(); ++i) {
    const ProgramPlace place{index, "argument " + Quoted(i) + " of " + Quoted(step.function)};
    WB_TRY(operands_.Add(place, step.args[i], type.params[i]));
  }
  return {};
}

Status ProgramEncoder::CheckMemory(size_t index, std::string_view verb) const {
  if (!module_.memories.empty()) return {};
  return Status(Reason::kInvalidArgument,
                "Step " + Quoted(index) + " " + std::string(verb) +
                    " memory, but the module has none. Pass values as arguments and results.",
                {{"step", std::to_string(index)}});
}

Status ProgramEncoder::AddStep(size_t index, const WriteStep& step) {
  WB_TRY(CheckMemory(index, "writes"));
  const ProgramPlace place{index, "the bytes"};
  if (step.column >= columns_.size()) {
    return place.Error(Reason::kInvalidArgument, "there is no column " + Quoted(step.column) +
                                                     "; the job has " + Quoted(columns_.size()) +
                                                     ".");
  }
  if (!columns_[step.column].bytes) {
    return place.Error(Reason::kSignatureMismatch,
                       "column " + Quoted(step.column) + " holds " +
                           Quoted(TypeName(columns_[step.column].type)) +
                           " values; a write step takes a column of bytes.");
  }
  out_.steps.emplace_back();
  AddRow(index, abi::STEP_WRITE, 0, 3);
  WB_TRY(operands_.Add({index, "the pointer"}, step.pointer, ValueType::kI32));
  const uint32_t at = out_.column_at[step.column];
  operands_.AddWords(abi::OPERAND_COLUMN, at, ValueType::kI32, {});
  operands_.AddWords(abi::OPERAND_COLUMN, at + 1, ValueType::kI32, {});
  return {};
}

Status ProgramEncoder::AddStep(size_t index, const ReadStep& step) {
  WB_TRY(CheckMemory(index, "reads"));
  const ProgramPlace place{index, "the output"};
  if (step.output.empty()) {
    return place.Error(Reason::kInvalidArgument, "it has no name; give every output one.");
  }
  if (!outputs_.insert(step.output).second) {
    return place.Error(
        Reason::kInvalidArgument,
        "an earlier step also writes " + Quoted(step.output) + "; give every output its own name.");
  }
  out_.steps.push_back({{ValueType::kI32, ValueType::kI32}, 0, abi::NONE});
  AddRow(index, abi::STEP_READ, 0, 2);
  if (step.until_zero) out_.words[index * abi::STEP_WORDS + abi::STEP_FLAGS] = abi::STEP_UNTIL_ZERO;
  WB_TRY(operands_.Add({index, "the pointer"}, step.pointer, ValueType::kI32));
  return operands_.Add({index, "the length"}, step.length, ValueType::kI32);
}

Status ProgramEncoder::AddStep(size_t index, const StoreStep& step) {
  WB_TRY(CheckMemory(index, "stores to"));
  out_.steps.emplace_back();
  AddRow(index, abi::STEP_STORE, 0, 2);
  WB_TRY(operands_.Add({index, "the pointer"}, step.pointer, ValueType::kI32));
  return operands_.Add({index, "the value"}, step.value, ValueType::kI32);
}

}  // namespace

Result<EncodedProgram> EncodeProgram(const Module& module, const std::vector<Step>& steps,
                                     const std::vector<ColumnType>& columns,
                                     const ProgramInputs* inputs) {
  WB_ASSIGN(EncodedProgram program, ProgramEncoder(module, steps, columns, inputs).Encode());
  program.writes = program.asks && WritesOutput(module);
  return program;
}

}  // namespace wb
