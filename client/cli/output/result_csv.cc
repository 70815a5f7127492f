#include "client/cli/output/result_csv.h"

#include <algorithm>

#include "client/cli/output/trap_text.h"
#include "client/cli/program/literal.h"
#include "client/cli/program/program.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

struct ValuedCall {
  int step = 0;
  std::string function;
  int results = 0;
};

Result<std::vector<ValuedCall>> ValuedCalls(const v1::Job& job,
                                            const std::map<std::string, v1::Module>& modules) {
  std::vector<ValuedCall> calls;
  for (int step = 0; step < job.steps_size(); ++step) {
    if (!job.steps(step).has_call()) continue;
    const v1::CallStep& call = job.steps(step).call();
    const auto module = modules.find(call.module());
    if (module == modules.end()) {
      return Status(Reason::kNotFound, "The job has no module [" + call.module() + "].");
    }
    WB_ASSIGN(const v1::ModuleExport function, FindFunction(module->second, call.function()));
    if (function.results_size() > 0) {
      calls.push_back({step, call.function(), function.results_size()});
    }
  }
  return calls;
}

std::string NameOf(const ValuedCall& call, const std::vector<ValuedCall>& calls) {
  if (calls.size() == 1) return "result";
  const auto same = [&call](const ValuedCall& other) { return other.function == call.function; };
  if (std::count_if(calls.begin(), calls.end(), same) == 1) return call.function;
  return std::to_string(call.step) + "." + call.function;
}

std::string TrapsOf(const v1::InstanceResult& result) {
  std::string text;
  for (const v1::StepResult& step : result.steps()) {
    if (step.has_trap()) text += (text.empty() ? "" : "; ") + TrapText(step.trap());
  }
  if (result.has_trap()) text += (text.empty() ? "" : "; ") + TrapText(result.trap());
  return text;
}

std::string Line(const std::vector<std::string>& fields) {
  std::string line;
  for (size_t i = 0; i < fields.size(); ++i) line += (i == 0 ? "" : ",") + CsvField(fields[i]);
  return line + "\n";
}

}  // namespace

std::string CsvField(const std::string& text) {
  const bool plain = text.find_first_of(",\"\r\n") == std::string::npos &&
                     (text.empty() || (text.front() != ' ' && text.back() != ' '));
  if (plain) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

Result<ResultCsv> ResultCsv::Plan(const v1::Job& job,
                                  const std::map<std::string, v1::Module>& modules,
                                  ResultShown shown) {
  ResultCsv csv(std::move(shown));
  WB_ASSIGN(const std::vector<ValuedCall> calls, ValuedCalls(job, modules));
  for (const ValuedCall& call : calls) csv.AddValues(NameOf(call, calls), call.step, call.results);
  for (const v1::Step& step : job.steps()) {
    if (!step.has_read()) continue;
    const std::string& name = step.read().output();
    const bool known =
        std::find(csv.outputs_.begin(), csv.outputs_.end(), name) != csv.outputs_.end();
    if (!known) csv.outputs_.push_back(name);
  }
  return csv;
}

void ResultCsv::AddValues(const std::string& name, int step, int results) {
  const std::string dot = name == "result" ? "" : ".";
  for (int i = 0; i < results; ++i) {
    values_.push_back({results == 1 ? name : name + dot + std::to_string(i), step, i});
  }
}

std::string ResultCsv::Header() const {
  std::vector<std::string> fields = {"instance", "end", "fuel", "device"};
  for (const InputColumn& input : shown_.inputs) fields.push_back(input.name);
  for (const Value& value : values_) fields.push_back(value.name);
  fields.insert(fields.end(), outputs_.begin(), outputs_.end());
  fields.push_back("trap");
  return Line(fields);
}

std::string ResultCsv::Row(const v1::InstanceResult& result) const {
  std::vector<std::string> fields = {std::to_string(result.instance()), v1::End_Name(result.end()),
                                     std::to_string(result.fuel()), result.device()};
  for (const InputColumn& input : shown_.inputs) fields.push_back(input.TextAt(result.instance()));
  for (const Value& value : values_) {
    const bool given =
        value.step < result.steps_size() && value.result < result.steps(value.step).values_size();
    fields.push_back(given ? ValueText(result.steps(value.step).values(value.result)) : "");
  }
  for (const std::string& name : outputs_) {
    std::string text;
    for (const v1::Output& output : result.outputs()) {
      if (output.name() == name) text = OutputText(output, shown_);
    }
    fields.push_back(std::move(text));
  }
  fields.push_back(TrapsOf(result));
  return Line(fields);
}

}  // namespace wb::cli
