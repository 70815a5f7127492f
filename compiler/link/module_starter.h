#pragma once

// Modules with a common start (../docs/common_start.md), derived from another one. As bytes they
// are 8 bytes that no module begins with, numbers, and the other module's bytes, so that they
// travel as a module does. They come from this process or one that trusts it alone: nobody uploads
// one.

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "compiler/base/bytes.h"
#include "compiler/base/status.h"
#include "compiler/wasm/module.h"

namespace wb {

struct StartedMemory {
  uint32_t memory = 0;
  uint32_t address = 0;
  Bytes bytes;
};

// What the instances of a call do that have begun alike.
struct StartWish {
  uint32_t function = 0;  // that is called first
  std::vector<CommonStart::Link> links;
  std::vector<uint32_t> also;  // further functions that the lane program calls; the first is not
                               // called again
};

// An instance at the start's point.
struct StartPicture {
  uint32_t fuel = 0;
  std::vector<uint64_t> values;       // as in CommonStart
  std::vector<uint32_t> globals;      // words of all globals of the module (GlobalWords)
  std::vector<StartedMemory> memory;  // what is not zero, apart from one another
};

// The instances of the module end where they may first differ.
Result<std::shared_ptr<const Module>> BeginningOf(const Module& module, const StartWish& wish);
// They begin there. WASM_MALFORMED: the picture is not of that module.
Result<std::shared_ptr<const Module>> RestOf(const Module& module, const StartWish& wish,
                                             const StartPicture& picture);

bool IsStartedModule(ByteView bytes);
// `load`: of the module that it was derived from.
using ModuleLoader = Result<std::shared_ptr<const Module>> (*)(ByteView bytes);
Result<std::shared_ptr<const Module>> LoadStartedModule(ByteView bytes, ModuleLoader load);

}  // namespace wb
