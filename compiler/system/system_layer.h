#pragma once

// The system layer: WASI preview 1 as a module of ours that is linked in front of the guest. Pure;
// may be used by any thread.

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "compiler/base/status.h"
#include "compiler/link/link.h"

namespace wb {

// Parts of a whole with the system layer; the guest's own follow.
inline constexpr uint32_t kBridgePart = 0, kSystemPart = 1, kSystemParts = 2;

// A function () -> () of kSystemPart: delivers the output files. A lane program calls it after the
// guest's `_start`.
inline constexpr std::string_view kFinishExport = "finish";

// Whether the module imports from `wasi_snapshot_preview1` or `wasi_unstable`.
bool ImportsSystem(const Module& module);

// The parts behind those of the system layer, bound to it. The system layer serves the memory of
// the last part, which exports it as `memory`.
//
// Errors: IMPORT_NOT_PROVIDED for functions that WASI does not have, all listed; for a last part
// that imports WASI and does not define its memory and export it (INVALID_ARGUMENT: it imports
// nothing of WASI either); for another part that imports WASI, since its
// pointers would be read in the last part's memory.
Result<std::vector<LinkPart>> WithSystemLayer(std::vector<LinkPart> parts);

// The whole of one module that imports WASI and its system layer; any other module itself.
Result<std::shared_ptr<const Module>> WholeProgram(std::shared_ptr<const Module> module);

}  // namespace wb
