#include "tests/compiler/runtime/nvrtc.h"

#include <dlfcn.h>

#include "compiler/runtime/runtime.h"

namespace wb {

Nvrtc::Nvrtc() {
  for (const char* name :
       {"libnvrtc.so", "/usr/local/cuda/lib64/libnvrtc.so", "/usr/local/cuda/lib/libnvrtc.so"}) {
    if (library_ == nullptr) library_ = dlopen(name, RTLD_NOW);
  }
}

template <typename... Args>
int Nvrtc::Call(const char* name, Args... args) const {
  auto function = reinterpret_cast<int (*)(Args...)>(dlsym(library_, name));
  return function == nullptr ? -1 : function(args...);
}

std::string Nvrtc::Compile(const std::string& text, size_t* cubin_bytes,
                           const std::vector<const char*>& more, bool resident) const {
  const std::string whole = text + CudaEpilogue(resident);
  const std::string prelude(PreludeText("cuda/metal_stdlib"));
  const char* header = prelude.c_str();
  const char* header_name = "metal_stdlib";
  void* program = nullptr;
  *cubin_bytes = 0;
  Call("nvrtcCreateProgram", &program, whole.c_str(), "kernel.metal", 1, &header, &header_name);
  std::vector<const char*> options = {"-arch=sm_90", "-default-device", "-fmad=false", "-std=c++17",
                                      "-diag-suppress=161,177"};
  options.insert(options.end(), more.begin(), more.end());
  const int result = Call("nvrtcCompileProgram", program, static_cast<int>(options.size()),
                          static_cast<const char* const*>(options.data()));
  size_t size = 0;
  Call("nvrtcGetProgramLogSize", program, &size);
  std::string log(size, '\0');
  Call("nvrtcGetProgramLog", program, log.data());
  if (result == 0) Call("nvrtcGetCUBINSize", program, cubin_bytes);
  Call("nvrtcDestroyProgram", &program);
  return log.c_str();  // up to its terminating zero
}

}  // namespace wb
