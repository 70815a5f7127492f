#pragma once

// The functions that a module may import from `wasmburst` (compiler/abi/primitive.def) and from
// `gpu_std` (compiler/abi/gpu_std.def).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/wasm/module.h"

namespace wb {

inline constexpr std::string_view kPrimitiveModule = "wasmburst";
inline constexpr std::string_view kGpuStdModule = "gpu_std";

struct PrimitiveFacts {
  Primitive primitive = Primitive::kNone;
  std::string_view name;  // of the import
  FunctionType type;
  bool uses_memory = false;
  uint32_t code = 0;  // kCollective, kGroupMemory: what of it
};

// Null where no primitive has the name.
const PrimitiveFacts* FindPrimitive(std::string_view module, std::string_view name);
// The import of a host call: N of `host_call.N`; it has any type of numbers. nullopt: another one.
std::optional<uint32_t> FindHostCall(std::string_view module, std::string_view name);
std::string HostCallName(uint32_t import);
const PrimitiveFacts& FactsOf(Primitive primitive);
std::string PrimitiveNames();  // "[input_size], [input_read] ...": those of `wasmburst`

// Some function is a primitive, bound already (Link) or not.
bool UsesPrimitives(const Module& module);
bool Logs(const Module& module);  // some function is `log` of gpu_std
// Some function appends to the instance's output.
bool WritesOutput(const Module& module);
// A collective, or an access to the memory that a group shares.
bool IsOfGroup(Primitive primitive);
// Some function is such, bound already or not: its instances run in groups.
bool RunsInGroups(const Module& module);

}  // namespace wb
