#include "tests/spec/script.h"

#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "scheduler/base/quoted.h"

namespace wb::spec {
namespace {

using Json = nlohmann::json;

constexpr std::pair<std::string_view, CommandKind> kCommands[] = {
    {"module", CommandKind::kModule},
    {"register", CommandKind::kRegister},
    {"action", CommandKind::kAction},
    {"assert_return", CommandKind::kAssertReturn},
    {"assert_trap", CommandKind::kAssertTrap},
    {"assert_exhaustion", CommandKind::kAssertExhaustion},
    {"assert_invalid", CommandKind::kAssertInvalid},
    {"assert_malformed", CommandKind::kAssertMalformed},
    {"assert_unlinkable", CommandKind::kAssertUnlinkable},
    {"assert_uninstantiable", CommandKind::kAssertUninstantiable},
};

constexpr std::pair<std::string_view, ValueType> kTypes[] = {
    {"i32", ValueType::kI32},
    {"i64", ValueType::kI64},
    {"f32", ValueType::kF32},
    {"f64", ValueType::kF64},
    {"v128", ValueType::kV128},
    {"funcref", ValueType::kFuncRef},
    {"externref", ValueType::kExternRef},
};

// wast2json's names of lane types: bits, and whether NaN patterns may stand there.
struct LaneType {
  std::string_view name;
  uint8_t bits;
};
constexpr LaneType kLaneTypes[] = {{"i8", 8},   {"i16", 16}, {"i32", 32},
                                   {"i64", 64}, {"f32", 32}, {"f64", 64}};

template <typename T, size_t N>
const T* Find(const std::pair<std::string_view, T> (&table)[N], std::string_view name) {
  for (const auto& [key, value] : table) {
    if (key == name) return &value;
  }
  return nullptr;
}

std::string_view TextOf(const Json& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end() || !it->is_string()) return {};
  return it->get_ref<const std::string&>();
}

Status Malformed(std::string_view what, std::string_view value) {
  return Status(Reason::kInvalidArgument,
                "The script has " + std::string(what) + " " + Quoted(value) +
                    ", which wast2json 1.0.32 does not write. Convert it with that version.");
}

struct Scalar {
  uint64_t bits = 0;
  NanClass nan = NanClass::kExact;
};

Result<Scalar> ParseScalar(std::string_view text) {
  if (text == "nan:canonical") return Scalar{0, NanClass::kCanonical};
  if (text == "nan:arithmetic") return Scalar{0, NanClass::kArithmetic};
  Scalar scalar;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), scalar.bits);
  if (error != std::errc() || end != text.data() + text.size()) return Malformed("a number", text);
  return scalar;
}

Status ParseVector(const Json& json, ScriptValue* out) {
  const std::string_view lane_name = TextOf(json, "lane_type");
  for (const LaneType& lane : kLaneTypes) {
    if (lane.name == lane_name) out->lane_bits = lane.bits;
  }
  const auto lanes = json.find("value");
  if (lanes == json.end()) return {};  // a type alone: the result of an action
  if (out->lane_bits == 0) return Malformed("the lane type", lane_name);
  if (!lanes->is_array() || lanes->size() != 128u / out->lane_bits) {
    return Malformed("lanes", lanes->dump());
  }
  for (size_t i = 0; i < lanes->size(); ++i) {
    if (!(*lanes)[i].is_string()) return Malformed("a lane", (*lanes)[i].dump());
    WB_ASSIGN(const Scalar scalar, ParseScalar((*lanes)[i].get_ref<const std::string&>()));
    const size_t bit = i * out->lane_bits;
    out->value.words[bit / 32] |= static_cast<uint32_t>(scalar.bits) << bit % 32;
    if (out->lane_bits == 64) {
      out->value.words[bit / 32 + 1] = static_cast<uint32_t>(scalar.bits >> 32);
    }
    if (scalar.nan != NanClass::kExact) out->nans[i] = scalar.nan;
  }
  return {};
}

Result<ScriptValue> ParseValue(const Json& json) {
  ScriptValue out;
  const std::string_view type_name = TextOf(json, "type");
  const ValueType* type = Find(kTypes, type_name);
  if (type == nullptr) return Malformed("the type", type_name);
  out.value.type = *type;
  if (*type == ValueType::kV128) {
    WB_TRY(ParseVector(json, &out));
    return out;
  }
  const std::string_view text = TextOf(json, "value");
  if (text.empty()) {
    out.any_value = true;
  } else if (text == "null") {
    out.value.words[0] = ScriptValue::kNullReference;
  } else {
    WB_ASSIGN(const Scalar scalar, ParseScalar(text));
    out.nans[0] = scalar.nan;
    out.value.words[0] = static_cast<uint32_t>(scalar.bits);
    if (TypeWords(*type) > 1) out.value.words[1] = static_cast<uint32_t>(scalar.bits >> 32);
  }
  return out;
}

Status ParseValues(const Json& object, const char* key, std::vector<ScriptValue>* out) {
  const auto it = object.find(key);
  if (it == object.end()) return {};
  for (const Json& json : *it) {
    WB_ASSIGN(ScriptValue value, ParseValue(json));
    out->push_back(value);
  }
  return {};
}

Status ParseAction(const Json& json, Action* out) {
  const std::string_view type = TextOf(json, "type");
  if (type != "invoke" && type != "get") return Malformed("the action", type);
  out->get = type == "get";
  out->module = TextOf(json, "module");
  out->field = TextOf(json, "field");
  return ParseValues(json, "args", &out->args);
}

Result<Command> ParseCommand(const Json& json) {
  Command out;
  const std::string_view type = TextOf(json, "type");
  const CommandKind* kind = Find(kCommands, type);
  if (kind == nullptr) return Malformed("the command", type);
  out.kind = *kind;
  out.line = json.value("line", 0u);
  out.name = TextOf(json, "name");
  out.filename = TextOf(json, "filename");
  out.text = TextOf(json, "text");
  out.as = TextOf(json, "as");
  out.is_text = TextOf(json, "module_type") == "text";
  if (const auto action = json.find("action"); action != json.end()) {
    WB_TRY(ParseAction(*action, &out.action));
  }
  out.either = json.contains("either");
  WB_TRY(ParseValues(json, out.either ? "either" : "expected", &out.expected));
  return out;
}

}  // namespace

std::string_view CommandName(CommandKind kind) {
  for (const auto& [name, value] : kCommands) {
    if (value == kind) return name;
  }
  return "unknown";
}

Result<Script> ParseScript(std::string_view json) {
  const Json document = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (document.is_discarded() || !document.is_object()) {
    return Malformed("a text that is no JSON object of", std::to_string(json.size()) + " bytes");
  }
  const auto commands = document.find("commands");
  if (commands == document.end() || !commands->is_array()) return Malformed("no", "commands");
  Script script;
  for (const Json& entry : *commands) {
    WB_ASSIGN(Command command, ParseCommand(entry));
    script.commands.push_back(std::move(command));
  }
  return script;
}

bool Counts(CommandKind kind) { return kind != CommandKind::kRegister; }

bool IsDecoderCheck(CommandKind kind) {
  return kind == CommandKind::kAssertInvalid || kind == CommandKind::kAssertMalformed;
}

}  // namespace wb::spec
