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
  // What users are told. A best build is a full one to them, since it takes the full one's place.
  KernelBuild build = KernelBuild::kFull;
  bool is_best = false;
  bool IsQuick() const { return build == KernelBuild::kQuick; }  // a full one may follow, same key
  // With the key it says which binary this is.
  Effort effort() const {
    if (IsQuick()) return Effort::kQuick;
    return is_best ? Effort::kBest : Effort::kFull;
  }
};

}  // namespace wb
