#include "client/cli/program/local_compiler.h"

#include <google/protobuf/util/json_util.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "client/cli/program/child.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;
using Json = nlohmann::json;

constexpr int kRefused = 1;  // exit status of wasmburst-compile and of wasmburst-mslcheck

Status Unexpected(const std::string& program, const std::string& words) {
  return Status(Reason::kIoError, "The program [" + program + "] " + words + ".",
                {{"program", program}});
}

Reason ReasonNamed(const std::string& name) {
#define WB_ERROR(id, text, code, advice) \
  if (name == text) return Reason::k##id;
#include "compiler/base/errors.def"
#undef WB_ERROR
  return Reason::kInternal;
}

Status ErrorOf(const Json& error) {
  std::vector<Detail> details;
  for (const Json& detail : error.value("details", Json::array())) {
    details.push_back({detail.value("key", ""), detail.value("value", "")});
  }
  return Status(ReasonNamed(error.value("reason", "")), error.value("message", ""),
                std::move(details));
}

Status RunCompiler(std::vector<std::string> words, const std::string& wasm,
                   google::protobuf::Message* answer) {
  WB_ASSIGN(const std::string program, FindCompanion("wasmburst-compile", "compiler/tool"));
  words.insert(words.begin(), program);
  words.insert(words.end(), {"--json", "-"});
  WB_ASSIGN(const ChildEnd end, RunToEnd(words, wasm));
  if (end.exit_code != 0 && end.exit_code != kRefused) {
    return Unexpected(program, "ended with exit status [" + std::to_string(end.exit_code) + "]");
  }
  return ReadAnswer(end.output, answer);
}

// A finding per line.
Status Check(v1::CompileModuleResponse* response) {
  WB_ASSIGN(const std::string program, FindCompanion("wasmburst-mslcheck", "compiler/check"));
  WB_ASSIGN(const ChildEnd end, RunToEnd({program, "-"}, response->text()));
  if (end.exit_code != 0 && end.exit_code != kRefused) {
    return Unexpected(program, "ended with exit status [" + std::to_string(end.exit_code) + "]");
  }
  response->set_checked(true);
  std::istringstream lines(end.output);
  for (std::string line; std::getline(lines, line);) response->add_findings(line);
  return {};
}

std::string FloatsWord(v1::CompileModuleRequest::TextFloats floats) {
  if (floats == v1::CompileModuleRequest::METAL) return "metal";
  return floats == v1::CompileModuleRequest::FAST32 ? "fast32" : "native";
}

}  // namespace

Status ReadAnswer(const std::string& json, google::protobuf::Message* message) {
  const Json answer = Json::parse(json, nullptr, false);
  if (answer.is_object() && answer.contains("error")) return ErrorOf(answer["error"]);
  if (google::protobuf::util::JsonStringToMessage(json, message).ok()) return {};
  return Unexpected("wasmburst-compile", "gave an answer that is not of this version");
}

Result<v1::Module> InspectHere(const std::string& wasm) {
  v1::Module module;
  WB_TRY(RunCompiler({"inspect"}, wasm, &module));
  return module;
}

Result<v1::CompileModuleResponse> CompileHere(const v1::CompileModuleRequest& request) {
  std::vector<std::string> words = {request.emit() == v1::CompileModuleRequest::IR ? "ir" : "msl"};
  words.insert(words.end(), {"--floats", FloatsWord(request.floats())});
  if (request.layout() == v1::CompileModuleRequest::INTERLEAVED) {
    words.insert(words.end(), {"--layout", "interleaved"});
  }
  v1::CompileModuleResponse response;
  WB_TRY(RunCompiler(std::move(words), request.wasm(), &response));
  if (request.check()) WB_TRY(Check(&response));
  return response;
}

}  // namespace wb::cli
