#pragma once

// The few calls of the CUDA driver and of NVRTC that cuda_probe and cuda_floats make, found at run
// time. Any failure ends the program with the call's name.

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace wb::bench {

class SharedLibrary {
 public:
  explicit SharedLibrary(std::initializer_list<const char*> names) {
    for (const char* name : names) {
      if (handle_ == nullptr) handle_ = dlopen(name, RTLD_NOW);
    }
    if (handle_ == nullptr) Fail(*names.begin(), -1);
  }
  template <typename Function>
  void Find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(handle_, name));
    if (function == nullptr) Fail(name, -1);
  }
  [[noreturn]] static void Fail(const char* what, int code) {
    std::fprintf(stderr, "%s failed with code %d\n", what, code);
    std::exit(1);
  }

 private:
  void* handle_ = nullptr;
};

// X(member, exported name, parameters)
#define WB_CUDA_CALLS(X)                                                                         \
  X(cuInit, "cuInit", (unsigned))                                                                \
  X(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", (void**, int))                         \
  X(cuCtxSetCurrent, "cuCtxSetCurrent", (void*))                                                 \
  X(cuModuleLoadData, "cuModuleLoadData", (void**, const void*))                                 \
  X(cuModuleGetFunction, "cuModuleGetFunction", (void**, void*, const char*))                    \
  X(cuFuncGetAttribute, "cuFuncGetAttribute", (int*, int, void*))                                \
  X(cuMemAlloc, "cuMemAlloc_v2", (uint64_t*, size_t))                                            \
  X(cuMemFree, "cuMemFree_v2", (uint64_t))                                                       \
  X(cuDeviceGetAttribute, "cuDeviceGetAttribute", (int*, int, int))                              \
  X(cuMemcpyHtoD, "cuMemcpyHtoD_v2", (uint64_t, const void*, size_t))                            \
  X(cuMemcpyDtoH, "cuMemcpyDtoH_v2", (void*, uint64_t, size_t))                                  \
  X(cuMemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2", (uint64_t, uint64_t, size_t, void*))              \
  X(cuMemsetD8, "cuMemsetD8_v2", (uint64_t, unsigned char, size_t))                              \
  X(cuEventCreate, "cuEventCreate", (void**, unsigned))                                          \
  X(cuEventRecord, "cuEventRecord", (void*, void*))                                              \
  X(cuEventSynchronize, "cuEventSynchronize", (void*))                                           \
  X(cuEventElapsedTime, "cuEventElapsedTime", (float*, void*, void*))                            \
  X(cuLaunchKernel, "cuLaunchKernel",                                                            \
    (void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, \
     void**))

struct CudaDriver {
  CudaDriver() : library({"libcuda.so.1"}) {
#define X(member, name, parameters) library.Find(member, name);
    WB_CUDA_CALLS(X)
#undef X
  }
  void Call(const char* what, int code) {
    if (code != 0) SharedLibrary::Fail(what, code);
  }

  SharedLibrary library;
#define X(member, name, parameters) int(*member) parameters = nullptr;
  WB_CUDA_CALLS(X)
#undef X
};

#define WB_NVRTC_CALLS(X)                                                            \
  X(create, "nvrtcCreateProgram",                                                    \
    (void**, const char*, const char*, int, const char* const*, const char* const*)) \
  X(compile, "nvrtcCompileProgram", (void*, int, const char* const*))                \
  X(log_size, "nvrtcGetProgramLogSize", (void*, size_t*))                            \
  X(log, "nvrtcGetProgramLog", (void*, char*))                                       \
  X(cubin_size, "nvrtcGetCUBINSize", (void*, size_t*))                               \
  X(cubin, "nvrtcGetCUBIN", (void*, char*))                                          \
  X(destroy, "nvrtcDestroyProgram", (void**))

struct Nvrtc {
  Nvrtc() : library({"libnvrtc.so.13", "libnvrtc.so.12", "/usr/local/cuda/lib64/libnvrtc.so"}) {
#define X(member, name, parameters) library.Find(member, name);
    WB_NVRTC_CALLS(X)
#undef X
  }

  std::string Compile(const std::string& text, const std::string& prelude,
                      const std::vector<const char*>& more = {}) {
    void* program = nullptr;
    const char* names[] = {"metal_stdlib"};
    const char* texts[] = {prelude.c_str()};
    if (create(&program, text.c_str(), "kernel.metal", 1, texts, names) != 0) {
      SharedLibrary::Fail("nvrtcCreateProgram", -1);
    }
    std::vector<const char*> options = {"-arch=sm_90", "-default-device", "-fmad=false", "-w",
                                        "-std=c++17"};
    options.insert(options.end(), more.begin(), more.end());
    const int code = compile(program, static_cast<int>(options.size()), options.data());
    if (code != 0) {
      size_t size = 0;
      log_size(program, &size);
      std::string text_of_log(size, '\0');
      log(program, text_of_log.data());
      std::fprintf(stderr, "%s\n", text_of_log.c_str());
      SharedLibrary::Fail("nvrtcCompileProgram", code);
    }
    size_t size = 0;
    cubin_size(program, &size);
    std::string binary(size, '\0');
    cubin(program, binary.data());
    destroy(&program);
    return binary;
  }

  SharedLibrary library;
#define X(member, name, parameters) int(*member) parameters = nullptr;
  WB_NVRTC_CALLS(X)
#undef X
};

}  // namespace wb::bench
