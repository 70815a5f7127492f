#include "tests/daemon/fake_program.h"

#include <cstring>
#include <string>
#include <vector>

#include "daemon/translate/system_configuration.h"

namespace wb {
namespace {

// The inputs of an instance, as the system layer reads them.
class Inputs {
 public:
  Inputs(const JobSpec& spec, uint64_t instance) : spec_(spec), instance_(instance) {}

  std::string At(uint32_t input) const {
    return std::string(AsText(spec_.columns[spec_.inputs[input]].BytesAt(instance_)));
  }
  std::vector<std::string> Some(uint32_t first, uint32_t count) const {
    std::vector<std::string> some;
    for (uint32_t i = 0; i < count; ++i) some.push_back(At(first + i));
    return some;
  }
  // A number of the configuration.
  uint32_t Number(size_t word) const {
    uint32_t number = 0;
    std::memcpy(&number, At(kConfiguration).data() + word * sizeof number, sizeof number);
    return number;
  }

 private:
  const JobSpec& spec_;
  const uint64_t instance_;
};

std::string Variable(const std::vector<std::string>& environment, const std::string& name) {
  for (const std::string& text : environment) {
    if (text.starts_with(name + "=")) return text.substr(name.size() + 1);
  }
  return "";
}

void AddOutput(const std::string& name, const std::string& text, InstanceResult* result) {
  const ByteView bytes = AsBytes(text);
  if (!text.empty()) result->outputs.push_back({name, Bytes(bytes.begin(), bytes.end())});
}

}  // namespace

void RunFakeProgram(const JobSpec& spec, InstanceResult* result) {
  const Inputs inputs(spec, result->instance);
  const uint32_t args = inputs.Number(1), variables = inputs.Number(2), own = inputs.Number(3);
  const auto environment = inputs.Some(kFirstArgument + args, variables);
  std::string printed;
  for (uint32_t i = 1; i < args; ++i) printed += inputs.At(kFirstArgument + i) + "\n";
  for (uint32_t i = 0; i < own; ++i) {
    const uint32_t path = kFirstArgument + args + variables + 2 * i;
    printed += inputs.At(path) + "=" + inputs.At(path + 1) + "\n";
  }
  AddOutput("stdout", printed + inputs.At(kStandardInput), result);
  AddOutput("stderr", Variable(environment, "ERR"), result);
  for (size_t i = kFirstOutputFile - 1; i < spec.streams.size(); ++i) {
    AddOutput(spec.streams[i], "file of " + std::to_string(result->instance), result);
  }
  const std::string code = Variable(environment, "EXIT");
  if (!code.empty()) {
    result->end = End::kExited;
    result->exit_code = static_cast<uint32_t>(std::stoul(code));
  }
  if (Variable(environment, "TRAP") == "1") {
    result->end = End::kTrapped;
    result->trap = Trap::kUnreachable;
  }
}

}  // namespace wb
