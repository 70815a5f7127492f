#include "client/cli/host/call_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "client/cli/encoding/base64.h"
#include "client/cli/program/literal.h"
#include "client/cli/program/value_json.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;
using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

constexpr int64_t kMostExact = int64_t{1} << 53;  // integers up to here are doubles, too
constexpr size_t kMostQuoted = 200;

OrderedJson ArgumentJson(const v1::Value& value) {
  const bool is_long = value.kind_case() == v1::Value::kI64 &&
                       (value.i64() > kMostExact || value.i64() < -kMostExact);
  return is_long ? OrderedJson(ValueText(value)) : ValueJson(value);
}

Status Wrong(const std::string& words) {
  return Status(Reason::kInvalidArgument, "The answer of the program of --host " + words + ".");
}

Status CheckKnown(const Json& json) {
  // A handler may send the call's own members back.
  constexpr std::string_view kKnown[] = {"instance", "call",   "results", "writes",
                                         "error",    "import", "args",    "bytes"};
  for (const auto& [name, value] : json.items()) {
    if (std::find(std::begin(kKnown), std::end(kKnown), name) == std::end(kKnown)) {
      return Wrong("has the member " + QuotedLine(name) +
                   ", which is not known; it has results, writes or error");
    }
  }
  return {};
}

Status ReadResults(const Json& json, const WaitingCall& call, v1::HostAnswer* answer) {
  const Json results = json.value("results", Json::array());
  if (!results.is_array()) return Wrong("has [results] that are no list");
  if (call.results == nullptr && !results.empty()) {
    return Wrong("has results, whose types are not known: modules of the job import [" +
                 call.import + "] with several types, or with one that no text stands for");
  }
  const size_t count = call.results == nullptr ? 0 : call.results->size();
  if (results.size() != count) {
    return Wrong("has [" + std::to_string(results.size()) + "] results; [" + call.import +
                 "] returns [" + std::to_string(count) + "]");
  }
  for (size_t i = 0; i < count; ++i) {
    const Json& result = results[i];
    if (!result.is_number() && !result.is_string()) {
      return Wrong("has a result that is neither number nor text");
    }
    const std::string text = result.is_string() ? result.get<std::string>() : result.dump();
    WB_ASSIGN(*answer->add_results(), ParseValue(text, (*call.results)[i]));
  }
  return {};
}

Status ReadWrites(const Json& json, v1::HostAnswer* answer) {
  const Json writes = json.value("writes", Json::array());
  if (!writes.is_array()) return Wrong("has [writes] that are no list");
  for (const Json& write : writes) {
    const bool has_members = write.is_object() && write.size() == 2 && write.contains("at") &&
                             write.contains("bytes") && write["bytes"].is_string();
    if (!has_members) return Wrong("has a write that is not {\"at\":ADDRESS,\"bytes\":BASE64}");
    const Json& at = write["at"];
    if (!at.is_number_integer()) return Wrong("has a write whose [at] is no address");
    WB_ASSIGN(const uint64_t address, ParseBits(at.dump(), v1::I32));
    std::optional<std::string> bytes = BytesOfBase64(write["bytes"].get_ref<const std::string&>());
    if (!bytes) return Wrong("has a write whose [bytes] are not Base64");
    v1::MemoryWrite* added = answer->add_writes();
    added->set_pointer(static_cast<uint32_t>(address));
    added->set_data(std::move(*bytes));
  }
  return {};
}

Result<v1::HostAnswer> AnswerOf(const Json& json, const WaitingCall& call) {
  WB_TRY(CheckKnown(json));
  v1::HostAnswer answer;
  if (json.contains("error")) {
    if (!json["error"].is_string() || json.contains("results") || json.contains("writes")) {
      return Wrong("has an [error] that is no text, or results or writes beside it");
    }
    const std::string error = json["error"].get<std::string>();
    answer.set_error(error.empty() ? "The program of --host answered an error without words."
                                   : error);
    return answer;
  }
  WB_TRY(ReadResults(json, call, &answer));
  WB_TRY(ReadWrites(json, &answer));
  return answer;
}

std::optional<CallKey> KeyOf(const Json& json) {
  if (!json.is_object() || !json.contains("instance") || !json.contains("call")) {
    return std::nullopt;
  }
  const Json &instance = json["instance"], &call = json["call"];
  if (!instance.is_number_unsigned() || !call.is_number_unsigned()) return std::nullopt;
  return CallKey{instance.get<uint64_t>(), call.get<uint64_t>()};
}

}  // namespace

std::string CallLine(const v1::HostCall& call, const CallKey& key) {
  OrderedJson json = {{"instance", key.instance}, {"call", key.call}, {"import", call.import()}};
  json["args"] = OrderedJson::array();
  for (const v1::Value& value : call.args()) json["args"].push_back(ArgumentJson(value));
  json["bytes"] = OrderedJson::array();
  for (const std::string& bytes : call.bytes()) json["bytes"].push_back(Base64(bytes));
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

HandlerLine ReadHandlerLine(const std::string& line, const FindCall& find) {
  const Json json = Json::parse(line, nullptr, false);
  const std::optional<CallKey> key = KeyOf(json);
  if (!key) {
    return {std::nullopt,
            Wrong("is no JSON object with the [instance] and [call] of the call that it answers")};
  }
  const std::optional<WaitingCall> call = find(*key);
  if (!call) return {std::nullopt, Wrong("is for a call that is not there, or has its answer")};
  return {key, AnswerOf(json, *call)};
}

std::string QuotedLine(const std::string& line) {
  const bool is_cut = line.size() > kMostQuoted;
  const Json text(line.substr(0, kMostQuoted) + (is_cut ? "..." : ""));
  return "[" + text.dump(-1, ' ', true, Json::error_handler_t::replace) + "]";
}

}  // namespace wb::cli
