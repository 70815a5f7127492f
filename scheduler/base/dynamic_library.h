#pragma once

// A shared library found at run time by one of several names. It stays open until the process ends.

#include <string>
#include <vector>

#include "compiler/base/status.h"

namespace wb {

class DynamicLibrary {
 public:
  // The first that opens. CONFIG_INVALID: `what` was not found, with each place and the loader's
  // answer.
  static Result<DynamicLibrary> Open(const std::string& what,
                                     const std::vector<std::string>& places);

  const std::string& place() const { return place_; }
  void* Find(const char* symbol) const;  // null if it has none
  Status Lacks(const char* symbol) const;

 private:
  void* handle_ = nullptr;
  std::string what_;
  std::string place_;
};

}  // namespace wb
