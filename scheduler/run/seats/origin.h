#pragma once

// Where results come from.

#include <string>

#include "scheduler/job/backlog.h"
#include "scheduler/job/job.h"

namespace wb {

struct Origin {
  std::string device;
  bool fast32 = false;
  KernelBuild build = KernelBuild::kFull;
};

// Whose result it is, and who made it.
inline void Sign(const InstanceRef& instance, const Origin& origin, InstanceResult& result) {
  result.instance = instance.instance;
  result.attempt = instance.attempt;
  result.device = origin.device;
  result.fast32 = origin.fast32;
  result.build = origin.build;
}

}  // namespace wb
