#pragma once

#include <memory>

#include "compiler/base/bytes.h"
#include "compiler/base/digest.h"
#include "compiler/compiler.h"
#include "scheduler/devices/kernel_build.h"

namespace wb {

// What a device needs to run a module.
struct PreparedPipeline {
  Digest key;  // of module, kernel text and device target
  std::shared_ptr<const LoweredModule> module;
  std::shared_ptr<const Bytes> binary;
  bool fast32 = false;  // it flushes f32 subnormals
  KernelBuild build = KernelBuild::kFull;
  bool IsQuick() const { return build == KernelBuild::kQuick; }  // a full one may follow, same key
};

}  // namespace wb
