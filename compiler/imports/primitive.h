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
  uint32_t collective = 0;  // kCollective: its code
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
// Some function is a collective, bound already or not: its instances run in groups.
bool UsesCollectives(const Module& module);

}  // namespace wb
