#include "client/cli/output/core_json.h"

#include <nlohmann/json.hpp>

#include "client/cli/encoding/base64.h"
#include "client/cli/output/trap_text.h"
#include "client/cli/program/literal.h"
#include "client/cli/program/value_json.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;
using Json = nlohmann::ordered_json;

v1::ValueType TypeOf(ValueType type) {
  switch (type) {
    case ValueType::kI64: return v1::I64;
    case ValueType::kF32: return v1::F32;
    case ValueType::kF64: return v1::F64;
    default: return v1::I32;
  }
}

// A number of the format, which has four types.
Json ShownValue(ValueType type, uint64_t bits) {
  const v1::ValueType known = TypeOf(type);
  return {{"type", TypeText(known)}, {"value", ValueJson(ValueOfBits(bits, known))}};
}

Json ShownValues(const std::vector<CoreValue>& values) {
  Json shown = Json::array();
  for (const CoreValue& value : values) {
    shown.push_back(value.type == ValueType::kVoid ? Json() : ShownValue(value.type, value.bits));
  }
  return shown;
}

std::string HexOf(uint64_t high, uint64_t low) {
  std::string text = "0x";
  for (const uint64_t half : {high, low}) {
    for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[half >> shift & 15];
  }
  return text;
}

Json ShownGlobal(const CoreGlobal& global) {
  if (global.type == ValueType::kV128) {
    return {{"type", "v128"}, {"value", HexOf(global.high, global.low)}};
  }
  if (global.type == ValueType::kFuncRef) return {{"type", "funcref"}};
  if (global.type == ValueType::kExternRef) return {{"type", "externref"}};
  return ShownValue(global.type, global.low);
}

// What the daemon adds. Anybody may have written it: what is not as expected is left out.
Json FactsOf(const CoreDump& core) {
  Json facts = Json::parse(core.facts, nullptr, false);
  return facts.is_object() ? facts : Json::object();
}

std::string TextOf(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

uint64_t NumberOf(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_unsigned() ? found->get<uint64_t>() : 0;
}

Json FrameFacts(const Json& facts, size_t frame) {
  const auto frames = facts.find("frames");
  if (frames == facts.end() || !frames->is_array() || frame >= frames->size()) {
    return Json::object();
  }
  return (*frames)[frame].is_object() ? (*frames)[frame] : Json::object();
}

std::string FrameLine(const CoreFrame& frame, const Json& facts) {
  v1::TraceFrame shown;
  shown.set_function(frame.function);
  shown.set_offset(static_cast<uint32_t>(NumberOf(facts, "offset")));
  shown.set_function_name(TextOf(facts, "name"));
  shown.set_module(TextOf(facts, "module"));
  shown.set_file(TextOf(facts, "file"));
  shown.set_line(static_cast<uint32_t>(NumberOf(facts, "line")));
  std::string line = FrameText(shown) + "\n";
  for (size_t i = 0; i < frame.locals.size(); ++i) {
    const CoreValue& value = frame.locals[i];
    if (value.type == ValueType::kVoid) continue;
    const v1::ValueType type = TypeOf(value.type);
    line += "      local " + std::to_string(i) + ": " + TypeText(type) + " " +
            ValueText(ValueOfBits(value.bits, type)) + "\n";
  }
  return line;
}

}  // namespace

Json CoreJson(const CoreDump& core) {
  const Json facts = FactsOf(core);
  Json json = {{"process", Printable(core.process)}, {"thread", Printable(core.thread)}};
  json["modules"] = Json::array();
  for (const std::string& name : core.modules) json["modules"].push_back(Printable(name));
  json["frames"] = Json::array();
  for (size_t i = 0; i < core.frames.size(); ++i) {
    const CoreFrame& frame = core.frames[i];
    Json shown = {{"instance", frame.instance},
                  {"function", frame.function},
                  {"offset_in_function", frame.offset},
                  {"locals", ShownValues(frame.locals)},
                  {"stack", ShownValues(frame.stack)}};
    const Json more = FrameFacts(facts, i);
    for (const auto& [key, value] : more.items()) {
      if (!shown.contains(key)) shown[key] = value;
    }
    json["frames"].push_back(std::move(shown));
  }
  json["globals"] = Json::array();
  for (const CoreGlobal& global : core.globals) json["globals"].push_back(ShownGlobal(global));
  json["memories"] = Json::array();
  for (const uint32_t pages : core.memories) {
    json["memories"].push_back({{"pages", pages}, {"chunks", Json::array()}});
  }
  for (const CoreChunk& chunk : core.chunks) {
    json["memories"][chunk.memory]["chunks"].push_back(
        {{"at", chunk.at}, {"base64", Base64(std::string(AsText(chunk.bytes)))}});
  }
  for (const auto& [key, value] : facts.items()) {
    if (key != "frames") json[key] = value;
  }
  return json;
}

std::string CoreText(const CoreDump& core) {
  const Json facts = FactsOf(core);
  std::string text = Printable(core.thread) + " of " + Printable(core.process);
  if (const std::string end = TextOf(facts, "end"); !end.empty()) text += ": " + Printable(end);
  if (const std::string why = TextOf(facts, "message"); !why.empty()) {
    text += " (" + Printable(why) + ")";
  }
  text += "\n";
  for (size_t i = 0; i < core.frames.size(); ++i) {
    text += "  #" + std::to_string(i) + " " + FrameLine(core.frames[i], FrameFacts(facts, i));
  }
  uint64_t bytes = 0;
  for (const CoreChunk& chunk : core.chunks) bytes += chunk.bytes.size();
  for (size_t i = 0; i < core.memories.size(); ++i) {
    text += "  memory " + std::to_string(i) + ": " + std::to_string(core.memories[i]) + " pages\n";
  }
  return text + "  " + std::to_string(bytes) + " bytes of memory are not zero, " +
         std::to_string(core.globals.size()) + " globals\n";
}

}  // namespace wb::cli
