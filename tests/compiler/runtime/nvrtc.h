#pragma once

// Test only: NVRTC by its C interface, loaded at run time (its names are those of nvrtc.h).

#include <cstddef>
#include <string>
#include <vector>

namespace wb {

class Nvrtc {
 public:
  Nvrtc();
  bool here() const { return library_ != nullptr; }

  // Kernel text and an epilogue of the prelude to code for sm_90, by the usual options and `more`.
  // The compiler's log, and in `cubin_bytes` the size of the code (0: it failed).
  std::string Compile(const std::string& text, size_t* cubin_bytes,
                      const std::vector<const char*>& more = {}, bool resident = false) const;

 private:
  template <typename... Args>
  int Call(const char* name, Args... args) const;
  void* library_ = nullptr;
};

}  // namespace wb
