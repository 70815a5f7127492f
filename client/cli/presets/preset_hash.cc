// The hash-wasm preset: bytes go through a buffer of the module's, a part at a time.

#include <algorithm>
#include <utility>

#include "client/cli/presets/allocators.h"
#include "client/cli/presets/preset_job.h"
#include "client/cli/presets/step_writer.h"
#include "client/cli/program/literal.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

constexpr size_t kBufferBytes = 16 << 10;  // of every module of that package
constexpr size_t kMostParts = 1024;        // of two steps each, in a program of 4,096 steps

Status Wrong(const std::string& words) {
  return Status(Reason::kInvalidArgument, "By --call-as hash-wasm, " + words);
}

size_t PartsOf(const std::vector<std::string>& texts) {
  size_t longest = 0;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  return (longest + kBufferBytes - 1) / kBufferBytes;
}

v1::Column PartOf(const std::vector<std::string>& texts, size_t part) {
  v1::Column column;
  for (const std::string& text : texts) {
    const size_t from = std::min(part * kBufferBytes, text.size());
    column.mutable_bytes()->add_values(text.substr(from, kBufferBytes));
  }
  return column;
}

// Numbers for Hash_Init and Hash_Final, in this order, as far as they take one.
class HashNumbers {
 public:
  HashNumbers(const v1::Module& module, const std::vector<PresetArgument>& arguments)
      : module_(module), arguments_(arguments) {}

  // The arguments of `function`; 0 where none is left.
  Result<std::vector<v1::Operand>> For(const std::string& function) {
    WB_ASSIGN(const v1::ModuleExport exported, FindFunction(module_, function));
    std::vector<v1::Operand> operands;
    for (int i = 0; i < exported.params_size(); ++i) {
      v1::Operand operand = NumberOperand(0);
      if (next_ < arguments_.size()) {
        WB_ASSIGN(*operand.mutable_constant(),
                  BuildConstant(arguments_[next_++].spec,
                                static_cast<v1::ValueType>(exported.params(i))));
      }
      operands.push_back(std::move(operand));
    }
    return operands;
  }
  size_t left() const { return arguments_.size() - next_; }

 private:
  const v1::Module& module_;
  const std::vector<PresetArgument>& arguments_;
  size_t next_ = 1;  // behind the bytes
};

Status CheckHash(const PresetOptions& options, const v1::Module& module,
                 const std::vector<PresetArgument>& arguments) {
  if (!HasFunction(module, "Hash_GetBuffer", 0, 1) || !HasFunction(module, "Hash_Update", 1, 0)) {
    return Wrong(
        "the module must export [Hash_GetBuffer] and [Hash_Update]; see them by "
        "wasmburstctl module inspect.");
  }
  if (arguments.empty() || !arguments[0].is_bytes()) {
    return Wrong(
        "the first argument is what is hashed; give --arg text:..., --arg @FILE or "
        "--each-file.");
  }
  if (options.program.reads.empty()) {
    return Wrong("the length of the digest must be said; give --read digest=LENGTH.");
  }
  if (PartsOf(arguments[0].spec.texts) <= kMostParts) return {};
  return Wrong("an instance hashes at most [" + std::to_string(kMostParts * kBufferBytes) +
               "] bytes; split the input.");
}

}  // namespace

Result<v1::Job> BuildHashJob(const PresetOptions& options, const v1::Module& module,
                             std::vector<InputColumn>* inputs) {
  WB_ASSIGN(const std::vector<PresetArgument> arguments, ReadPresetArguments(options));
  WB_TRY(CheckHash(options, module, arguments));
  v1::Job job;
  StepWriter steps(&job);
  HashNumbers numbers(module, arguments);
  WB_ASSIGN(const uint64_t instances, InstancesOf(options, arguments));
  job.set_instances(instances);
  const ArgSpec& hashed = arguments[0].spec;
  WB_ASSIGN(const v1::Column whole, BuildColumn(hashed, v1::VALUE_TYPE_UNSPECIFIED, instances));
  const v1::Operand buffer = ResultOperandOf(steps.Call("Hash_GetBuffer", {}));
  WB_ASSIGN(const std::vector<v1::Operand> first, numbers.For("Hash_Init"));
  steps.Call("Hash_Init", first);
  for (size_t part = 0; part < PartsOf(hashed.texts); ++part) {
    *job.add_columns() = PartOf(hashed.texts, part);
    const auto column = static_cast<uint32_t>(job.columns_size() - 1);
    steps.Write(buffer, column);
    steps.Call("Hash_Update", {LengthOperand(column)});
  }
  WB_ASSIGN(const std::vector<v1::Operand> last, numbers.For("Hash_Final"));
  steps.Call("Hash_Final", last);
  if (numbers.left() > 0) {
    return Wrong("[" + std::to_string(numbers.left()) +
                 "] arguments are left over; [Hash_Init] and [Hash_Final] take no more.");
  }
  for (const std::string& read : options.program.reads) WB_TRY(AddRead(read, buffer, &job));
  inputs->push_back(ShownInput(arguments[0].name, hashed, whole));
  return job;
}

}  // namespace wb::cli
