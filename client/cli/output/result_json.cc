#include "client/cli/output/result_json.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "client/cli/encoding/base64.h"
#include "client/cli/program/value_json.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;
using OrderedJson = nlohmann::ordered_json;
using ValueList = google::protobuf::RepeatedPtrField<v1::Value>;

template <typename Number>
void Append(std::string* text, Number number) {
  char digits[24];
  text->append(digits, std::to_chars(digits, digits + sizeof(digits), number).ptr);
}

// An object, written member by member. A tree of each result took half of the client's time when a
// million results were printed.
class JsonMembers {
 public:
  // Names and words need no escapes.
  template <typename Number>
  void PutNumber(std::string_view name, Number number) {
    Begin(name);
    Append(&text_, number);
  }
  void PutWord(std::string_view name, std::string_view word) {
    Begin(name);
    text_.append("\"").append(word).append("\"");
  }
  void PutText(std::string_view name, const std::string& text) {
    const bool is_word = std::all_of(text.begin(), text.end(), [](unsigned char c) {
      return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
    });
    return is_word ? PutWord(name, text) : Put(name, text);
  }
  void Put(std::string_view name, const OrderedJson& json) { PutJson(name, Dumped(json)); }
  void PutJson(std::string_view name, std::string_view json) {
    Begin(name);
    text_.append(json);
  }
  std::string Finish() && { return std::move(text_.append("}")); }

  static std::string Dumped(const OrderedJson& json) {
    return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
  }

 private:
  void Begin(std::string_view name) {
    text_.append(text_.empty() ? "{\"" : ",\"").append(name).append("\":");
  }

  std::string text_;
};

std::string ValuesText(const ValueList& list) {
  std::string text = "[";
  for (const v1::Value& value : list) {
    if (text.size() > 1) text += ",";
    switch (value.kind_case()) {
      case v1::Value::kI32: Append(&text, value.i32()); break;
      case v1::Value::kI64: Append(&text, value.i64()); break;
      default: text += JsonMembers::Dumped(ValueJson(value));
    }
  }
  return text += "]";
}

OrderedJson ValuesJson(const ValueList& list) {
  OrderedJson values = OrderedJson::array();
  for (const v1::Value& value : list) values.push_back(ValueJson(value));
  return values;
}

// Trap or TraceFrame: what is known of its source.
template <typename Proto>
void PutSource(const Proto& place, OrderedJson* json) {
  if (!place.function_name().empty()) (*json)["function_name"] = place.function_name();
  if (place.file().empty()) return;
  (*json)["file"] = place.file();
  (*json)["line"] = place.line();
}

OrderedJson FrameJson(const v1::TraceFrame& frame) {
  OrderedJson json = {{"function", frame.function()}, {"offset", frame.offset()}};
  if (!frame.module().empty()) json["module"] = frame.module();
  PutSource(frame, &json);
  return json;
}

OrderedJson TrapJson(const v1::Trap& trap) {
  OrderedJson json = {{"code", trap.code()},
                      {"message", trap.message()},
                      {"function", trap.function()},
                      {"offset", trap.offset()}};
  if (!trap.module().empty()) json["module"] = trap.module();
  if (!trap.host_error().empty()) json["host_error"] = trap.host_error();
  PutSource(trap, &json);
  return json;
}

// Null: nothing ran it.
const char* BuildWord(v1::Build build) {
  switch (build) {
    case v1::INTERPRETED: return "interpreted";
    case v1::QUICK: return "quick";
    case v1::FULL: return "full";
    default: return nullptr;
  }
}

OrderedJson OutputJson(const v1::Output& output, const ResultShown& shown) {
  const std::string& bytes = output.data();
  OrderedJson json = {{"size", bytes.size()}};
  if (const v1::TextEncoding* encoding = shown.texts.EncodingOf(output.name())) {
    DecodedText text = DecodeText(bytes, *encoding);
    json["text"] = std::move(text.utf8);
    if (text.wrong_bytes > 0) json["undecodable_bytes"] = text.wrong_bytes;
    return json;
  }
  const OutputForm form = shown.outputs;
  if (form == OutputForm::kBase64) json["base64"] = Base64(bytes);
  if (form == OutputForm::kHex) json["hex"] = Hex(bytes);
  if (form == OutputForm::kText) json["text"] = bytes;  // what is not UTF-8 is replaced
  return json;
}

OrderedJson OutputsJson(const v1::InstanceResult& result, const ResultShown& shown,
                        const OutputPaths& in_files) {
  OrderedJson json = OrderedJson::object();
  for (const v1::Output& output : result.outputs()) {
    json[output.name()] = in_files.contains(output.name())
                              ? OrderedJson{{"size", output.data().size()}}
                              : OutputJson(output, shown);
  }
  for (const auto& [name, path] : in_files) {
    if (!json.contains(name)) json[name]["size"] = 0;  // an output of no bytes is none
    json[name]["file"] = path;
  }
  return json;
}

// A number where JSON would write it alike, else the text.
OrderedJson InputJson(const std::string& text) {
  OrderedJson parsed = OrderedJson::parse(text, nullptr, false);
  return parsed.is_number() && parsed.dump() == text ? parsed : OrderedJson(text);
}

// What few results have.
void PutParts(const v1::InstanceResult& result, const ResultShown& shown,
              const OutputPaths& in_files, JsonMembers* json) {
  const bool has_code = result.end() == v1::EXITED || result.trap().code() == "ASSERTION_FAILED";
  if (has_code) json->PutNumber("exit_code", result.exit_code());
  if (result.has_trap()) json->Put("trap", TrapJson(result.trap()));
  OrderedJson frames, calls, inputs;
  for (const v1::TraceFrame& frame : result.backtrace()) frames.push_back(FrameJson(frame));
  if (!frames.empty()) json->Put("backtrace", frames);
  if (!result.backtrace_error().empty()) json->Put("backtrace_error", result.backtrace_error());
  const OrderedJson outputs = OutputsJson(result, shown, in_files);
  if (!outputs.empty()) json->Put("outputs", outputs);
  for (const v1::ImportCall& call : result.calls()) {
    calls.push_back({{"import", call.import()}, {"args", ValuesJson(call.args())}});
  }
  if (!calls.empty()) json->Put("calls", calls);
  for (const InputColumn& input : shown.inputs) {
    inputs[input.name] = InputJson(input.TextAt(result.instance()));
  }
  if (!inputs.empty()) json->Put("inputs", inputs);
}

OrderedJson StepsJson(const v1::InstanceResult& result) {
  OrderedJson steps = OrderedJson::array();
  for (const v1::StepResult& step : result.steps()) {
    steps.push_back(step.has_trap() ? OrderedJson{{"trap", TrapJson(step.trap())}}
                                    : OrderedJson{{"values", ValuesJson(step.values())}});
  }
  return steps;
}

}  // namespace

std::string ResultJson(const v1::InstanceResult& result, const ResultShown& shown,
                       const OutputPaths& in_files) {
  JsonMembers json;
  json.PutNumber("instance", result.instance());
  json.PutWord("end", v1::End_Name(result.end()));
  const int steps = result.steps_size();
  if (steps > 0) json.PutJson("values", ValuesText(result.steps(steps - 1).values()));
  if (steps > 1) json.Put("steps", StepsJson(result));
  PutParts(result, shown, in_files, &json);
  json.PutNumber("step", result.step());
  json.PutNumber("fuel", result.fuel());
  json.PutNumber("memory_pages", result.memory_pages());
  json.PutNumber("attempt", result.attempt());
  json.PutText("device", result.device());
  if (const char* build = BuildWord(result.build())) json.PutWord("build", build);
  if (result.fast32()) json.PutJson("fast32", "true");
  return std::move(json).Finish();
}

}  // namespace wb::cli
