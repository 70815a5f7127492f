#pragma once

// A kernel binary mapped into this process.

#include <memory>
#include <string>
#include <utility>

#include "compiler/base/bytes.h"
#include "compiler/base/status.h"

namespace wb {

class SharedObject {
 public:
  // Loads from memory, so that no file is left that could be replaced. COMPILE_FAILED when the
  // bytes are no shared object for this machine.
  static Result<SharedObject> Load(ByteView bytes);
  SharedObject(SharedObject&& other) noexcept
      : handle_(std::exchange(other.handle_, nullptr)), file_(std::exchange(other.file_, -1)) {}
  SharedObject& operator=(SharedObject&& other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(file_, other.file_);
    return *this;
  }
  ~SharedObject();

  void* Find(const char* symbol) const;  // nullptr if it has none

 private:
  SharedObject(void* handle, int file) : handle_(handle), file_(file) {}
  void* handle_ = nullptr;
  // The memory file stays open. glibc takes an object for one that it already has when their paths
  // are equal, and the path is the descriptor's number.
  int file_ = -1;
};

}  // namespace wb
