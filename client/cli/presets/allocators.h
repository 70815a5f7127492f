#pragma once

// Exports of a module that give memory and take it back. Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wasmburst/v1/modules.pb.h"

namespace wb::cli {

// A parameter, always an i32.
enum class AllocatorParameter : uint8_t {
  kPointer,
  kLength,
  kAlignment,  // 1: of bytes
  kClass,      // AssemblyScript's number of a class
};

enum class AllocatorFamily : uint8_t { kPlain, kAssemblyScript, kWasmBindgen };

struct Allocator {
  std::string allocate;
  std::vector<AllocatorParameter> allocate_parameters;
  std::string release;  // empty: nothing takes memory back
  std::vector<AllocatorParameter> release_parameters;
};

// The first of the family that the module exports with the right types, rather one with a release.
std::optional<Allocator> FindAllocator(const wasmburst::v1::Module& module, AllocatorFamily family);

// Whether a function of that name gives memory, takes it back, or does other work for a preset.
bool IsSupportExport(std::string_view name);

// Whether a function is exported with so many parameters and results, all i32.
bool HasFunction(const wasmburst::v1::Module& module, std::string_view name, size_t parameters,
                 size_t results);

}  // namespace wb::cli
