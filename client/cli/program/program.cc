#include "client/cli/program/program.h"

#include <algorithm>

#include "client/cli/program/arg_spec.h"
#include "client/cli/program/literal.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

Result<uint64_t> InstancesOf(const ProgramOptions& options, const std::vector<ArgSpec>& specs) {
  uint64_t longest = options.files ? options.files->texts.size() : 1;
  for (const ArgSpec& spec : specs) {
    WB_ASSIGN(std::optional<uint64_t> length, LengthOf(spec));
    if (length) longest = std::max(longest, *length);
  }
  return options.instances.value_or(longest);
}

Status AddArgument(const ArgSpec& spec, v1::ValueType type, v1::Job* job, v1::CallStep* call) {
  v1::Operand* operand = call->add_args();
  if (spec.kind == ArgSpec::Kind::kBytes) {
    return Status(Reason::kInvalidArgument,
                  "Bytes cannot be an argument of a plain call; --call-as PRESET writes them to "
                  "memory first (wasmburstctl module inspect says which), as do steps of --program "
                  "and --each-file.");
  }
  if (spec.kind == ArgSpec::Kind::kConstant) {
    WB_ASSIGN(*operand->mutable_constant(), BuildConstant(spec, type));
    return {};
  }
  WB_ASSIGN(*job->add_columns(), BuildColumn(spec, type, job->instances()));
  operand->set_column(static_cast<uint32_t>(job->columns_size() - 1));
  return {};
}

}  // namespace

Status AddRead(const std::string& text, const v1::Operand& pointer, v1::Job* job) {
  size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos) {
    return Status(Reason::kInvalidArgument, "The output [" + text + "] is not NAME=LENGTH.");
  }
  v1::ReadStep* read = job->add_steps()->mutable_read();
  read->set_output(text.substr(0, equals));
  *read->mutable_pointer() = pointer;
  std::string length = text.substr(equals + 1);
  constexpr std::string_view kUntilZero = "zero:";
  if (length.starts_with(kUntilZero)) {
    read->set_until_zero(true);
    length = length.substr(kUntilZero.size());
  }
  WB_ASSIGN(*read->mutable_length()->mutable_constant(), ParseValue(length, v1::I32));
  return {};
}

// The name of an input for people: its column's in the file it comes from, or its place.
std::string InputName(const ArgSpec& spec, size_t place) {
  return spec.name.empty() ? "arg" + std::to_string(place + 1) : spec.name;
}

std::string SignatureText(const v1::ModuleExport& function) {
  std::string text = function.name() + "(";
  for (int i = 0; i < function.params_size(); ++i) {
    text += (i == 0 ? "" : ", ") + TypeText(function.params(i));
  }
  return text + ")";
}

Result<v1::ModuleExport> FindFunction(const v1::Module& module, const std::string& name) {
  std::string functions;
  for (const v1::ModuleExport& exported : module.exports()) {
    if (exported.kind() != "function") continue;
    if (exported.name() == name) return exported;
    functions += (functions.empty() ? "" : ", ") + SignatureText(exported);
  }
  return Status(Reason::kEntryPointNotFound,
                "The module exports no function [" + name + "]; it exports [" + functions + "].",
                {{"entry_point", name}});
}

namespace {

Result<std::vector<ArgSpec>> ParseArguments(const ProgramOptions& options,
                                            const v1::ModuleExport& function) {
  const size_t of_file = options.files ? 2 : 0;
  if (static_cast<size_t>(function.params_size()) != options.args.size() + of_file) {
    return Status(Reason::kSignatureMismatch,
                  "The function [" + SignatureText(function) + "] takes [" +
                      std::to_string(function.params_size()) + "] arguments; [" +
                      std::to_string(options.args.size()) + "] were given" +
                      (options.files ? ", and pointer and length of a file." : "."));
  }
  std::vector<ArgSpec> specs;
  for (const std::string& text : options.args) {
    WB_ASSIGN(ArgSpec spec, ParseArgSpec(text));
    specs.push_back(std::move(spec));
  }
  return specs;
}

Status AddCall(const ProgramOptions& options, const v1::ModuleExport& function,
               const std::vector<ArgSpec>& specs, v1::Job* job) {
  v1::CallStep* call = job->add_steps()->mutable_call();
  call->set_function(options.call);
  if (options.files) WB_TRY(AddFileArguments(function, *job, call));
  for (const ArgSpec& spec : specs) {
    WB_TRY(AddArgument(spec, function.params(call->args_size()), job, call));
  }
  v1::Operand result;
  result.mutable_result()->set_step(static_cast<uint32_t>(job->steps_size() - 1));
  for (const std::string& read : options.reads) WB_TRY(AddRead(read, result, job));
  return {};
}

// In the order in which AddFileSteps and AddCall made the columns.
void NameInputs(const ProgramOptions& options, const std::vector<ArgSpec>& specs,
                const v1::Job& job, std::vector<InputColumn>* inputs) {
  int column = 0;
  if (options.files) {
    inputs->push_back(ShownInput(options.files->name, *options.files, job.columns(column++)));
  }
  for (size_t i = 0; i < specs.size(); ++i) {
    const bool constant = specs[i].kind == ArgSpec::Kind::kConstant;
    inputs->push_back(ShownInput(InputName(specs[i], i), specs[i],
                                 constant ? v1::Column() : job.columns(column++)));
  }
}

}  // namespace

Result<v1::Job> BuildJob(const ProgramOptions& options, const v1::Module& module,
                         std::vector<InputColumn>* inputs) {
  std::vector<InputColumn> unwanted;
  if (inputs == nullptr) inputs = &unwanted;
  if (!options.program.empty()) return ParseProgram(options, module, inputs);
  WB_ASSIGN(v1::ModuleExport function, FindFunction(module, options.call));
  WB_ASSIGN(const std::vector<ArgSpec> specs, ParseArguments(options, function));
  v1::Job job;
  WB_ASSIGN(uint64_t instances, InstancesOf(options, specs));
  job.set_instances(instances);
  if (options.files) WB_TRY(AddFileSteps(options, module, &job));
  WB_TRY(AddCall(options, function, specs, &job));
  NameInputs(options, specs, job, inputs);
  return job;
}

}  // namespace wb::cli
