#include "scheduler/base/dynamic_library.h"

#include <dlfcn.h>

namespace wb {

Result<DynamicLibrary> DynamicLibrary::Open(const std::string& what,
                                            const std::vector<std::string>& places) {
  DynamicLibrary library;
  library.what_ = what;
  std::string looked;
  for (const std::string& place : places) {
    library.handle_ = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library.handle_ != nullptr) {
      library.place_ = place;
      return library;
    }
    looked += (looked.empty() ? "[" : ", [") + place + "]";
  }
  return Status(Reason::kConfigInvalid, what + " was not found; looked for " + looked + ".");
}

void* DynamicLibrary::Find(const char* symbol) const { return dlsym(handle_, symbol); }

Status DynamicLibrary::Lacks(const char* symbol) const {
  return {Reason::kConfigInvalid,
          what_ + " at [" + place_ + "] has no [" + symbol + "]; it is too old."};
}

}  // namespace wb
