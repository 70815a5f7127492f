#pragma once

// ProfileNames: what a job's modules call their functions, for a profile. The modules come from
// their callers: names are bounded, and so is what all of them add to an answer.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "compiler/debug/debug_info.h"
#include "daemon/services/services.h"

namespace wb {

class ProfileNames {
 public:
  static constexpr size_t kMostBytes = size_t{1} << 20;  // of all names; the rest are numbers alone

  // `main`: the job's module; `whole`: what it was linked to, which may be the same.
  ProfileNames(const ServiceContext& context, std::shared_ptr<const Module> main,
               std::shared_ptr<const Module> whole);

  // Of the linked module; "wasmburst" of what the engine answers; empty for the job's own.
  std::string ModuleOf(uint32_t instance, uint32_t function) const;
  // `instance`: as in ProfileFrame. Empty: not known.
  std::string FunctionOf(uint32_t instance, uint32_t function);

 private:
  // The name of what the engine answers; empty: the function is none of those.
  std::string_view PrimitiveOf(uint32_t instance, uint32_t function) const;
  // Null: it is not stored any more.
  DebugInfo* InfoOf(uint32_t instance);
  std::shared_ptr<const Module> Find(const Digest& digest) const;

  const ServiceContext& context_;
  const std::shared_ptr<const Module> main_;
  const std::shared_ptr<const Module> whole_;
  std::map<uint32_t, std::unique_ptr<DebugInfo>> infos_;  // by instance
  size_t left_ = kMostBytes;
};

}  // namespace wb
