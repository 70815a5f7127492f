#include "daemon/inspection/core_of_instance.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "compiler/abi/lane.h"
#include "compiler/coredump/core_dump.h"

namespace wb {
namespace {

using Json = nlohmann::json;

// Modules in the order of their instantiation, the job's own last.
struct Places {
  uint32_t instance = 0;
  std::string module;     // its name; empty: the job's own
  uint32_t function = 0;  // as it counts them; abi::NONE: in instantiation
  uint32_t body = 0;      // the byte offset of the function's body
};

// False: no code of a module that was given.
bool FindPlace(const Module& module, uint32_t function, Places* place) {
  if (function >= module.functions.size()) return false;
  const FunctionPlace found = module.PlaceOf(function);
  place->function = found.function.value_or(uint32_t{abi::NONE});
  if (function >= module.imported_functions) {
    place->body = module.bodies[function - module.imported_functions].offset;
  }
  if (found.instance == nullptr) return true;
  if (found.instance->is_bound) return false;
  place->module = found.instance->name;
  place->instance = static_cast<uint32_t>(found.instance - module.instances.data());
  return true;
}

CoreValue ValueOf(const SeenValue& value) {
  const bool is_number = value.type == ValueType::kI32 || value.type == ValueType::kI64 ||
                         value.type == ValueType::kF32 || value.type == ValueType::kF64;
  return is_number ? CoreValue{value.type, value.low} : CoreValue();
}

std::vector<CoreValue> ValuesOf(const std::vector<SeenValue>& values) {
  std::vector<CoreValue> out;
  for (const SeenValue& value : values) out.push_back(ValueOf(value));
  return out;
}

void PutModules(const Module& module, CoreDump* core) {
  const auto count = [](size_t size) {
    std::vector<uint32_t> numbers(size);
    for (size_t i = 0; i < size; ++i) numbers[i] = static_cast<uint32_t>(i);
    return numbers;
  };
  if (module.instances.empty()) {
    core->modules.emplace_back("sha256:" + module.digest().Hex());
  }
  for (const LinkedInstance& instance : module.instances) {
    core->modules.push_back(instance.name.empty() ? "sha256:" + instance.digest.Hex()
                                                  : instance.name);
  }
  for (uint32_t i = 0; i < core->modules.size(); ++i) core->instances.push_back({i, {}, {}});
  // Linked ones have theirs in one row, which the last of them shows.
  core->instances.back().memories = count(core->memories.size());
  core->instances.back().globals = count(core->globals.size());
}

void PutState(const Inspection& seen, CoreDump* core) {
  for (uint32_t i = 0; i < seen.memories.size(); ++i) {
    core->memories.push_back(seen.memories[i].pages);
    for (const SeenChunk& chunk : seen.memories[i].chunks) {
      core->chunks.push_back({i, static_cast<uint32_t>(chunk.at), chunk.bytes});
    }
  }
  for (const SeenValue& global : seen.globals) {
    core->globals.push_back({global.type, global.low, global.high});
  }
}

Json ShownPlace(const Places& place, uint32_t offset, TrapPlaces* places) {
  Json shown = {{"function", place.function}, {"offset", offset}, {"module", place.module}};
  const TrapPlaces::Place* found = places->Find(place.module, place.function, offset);
  if (found == nullptr) return shown;
  if (!found->function.empty()) shown["name"] = found->function;
  if (found->line.line != 0) {
    shown["file"] = found->line.file;
    shown["line"] = found->line.line;
  }
  return shown;
}

// With what of a frame has no place in the format: where it is in the module, and its name.
Json PutFrames(const InspectedInstance& inspected, TrapPlaces* places, CoreDump* core) {
  Json shown = Json::array();
  for (const SeenFrame& seen : inspected.seen.frames) {
    Places place;
    if (!FindPlace(*inspected.plan->spec.module, seen.function, &place)) continue;
    const bool in_function = place.function != abi::NONE && seen.offset >= place.body;
    core->frames.push_back({place.instance, in_function ? place.function : 0,
                            in_function ? seen.offset - place.body : 0, ValuesOf(seen.locals),
                            ValuesOf(seen.operands)});
    shown.push_back(ShownPlace(place, seen.offset, places));
  }
  return shown;
}

std::string_view NameOf(End end) {
  switch (end) {
#define WB_END(name, upper, number) \
  case End::k##name:                \
    return #upper;
#include "compiler/abi/end.def"
#undef WB_END
  }
  return "";
}

Json TablesOf(const Inspection& seen) {
  Json tables = Json::array();
  for (const SeenTable& table : seen.tables) {
    Json elements = Json::array();
    for (const uint32_t element : table.elements) {
      elements.push_back(element == SeenTable::kNull ? Json() : Json(element - 1));
    }
    tables.push_back(std::move(elements));
  }
  return tables;
}

Json FactsOf(const std::string& job, const InspectedInstance& inspected) {
  const InstanceResult& result = inspected.result;
  Json facts = {{"format", 1},
                {"job", job},
                {"instance", result.instance},
                {"end", NameOf(result.end)},
                {"step", result.step},
                {"fuel", result.fuel}};
  if (result.end == End::kExited) facts["exit_code"] = result.exit_code;
  if (result.trap == Trap::kNone) return facts;
  facts["trap"] = TrapName(result.trap);
  facts["message"] = TrapWords(result.trap);
  return facts;
}

}  // namespace

Bytes CoreOf(const std::string& job, const InspectedInstance& inspected, TrapPlaces* places) {
  CoreDump core;
  core.process = job;
  core.thread = "instance " + std::to_string(inspected.result.instance);
  PutState(inspected.seen, &core);
  PutModules(*inspected.plan->spec.module, &core);
  Json facts = FactsOf(job, inspected);
  const bool has_trapped = inspected.result.end == End::kTrapped;
  facts["frames"] = has_trapped ? PutFrames(inspected, places, &core) : Json::array();
  facts["tables"] = TablesOf(inspected.seen);
  core.facts = facts.dump(-1, ' ', false, Json::error_handler_t::replace);
  return WriteCore(core);
}

}  // namespace wb
