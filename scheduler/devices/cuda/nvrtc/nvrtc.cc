#include "scheduler/devices/cuda/nvrtc/nvrtc.h"

#include "scheduler/base/dynamic_library.h"

namespace wb {
namespace {

// What NVRTC holds of one compilation; it goes when this goes.
class Program {
 public:
  explicit Program(const Nvrtc& nvrtc) : nvrtc_(nvrtc) {}
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() {
    if (program_ != nullptr) nvrtc_.destroy(&program_);
  }

  Result<std::string> Compile(const NvrtcTask& task) {
    const char* header_names[] = {"metal_stdlib"};
    const char* header_texts[] = {task.prelude.c_str()};
    std::vector<const char*> flags;
    for (const std::string& flag : task.flags) flags.push_back(flag.c_str());
    int result =
        nvrtc_.create(&program_, task.text.c_str(), "kernel.metal", 1, header_texts, header_names);
    if (result == 0) {
      result = nvrtc_.compile(program_, static_cast<int>(flags.size()), flags.data());
    }
    size_t size = 0;
    if (result == 0) result = nvrtc_.cubin_size(program_, &size);
    std::string cubin(size, '\0');
    if (result == 0) result = nvrtc_.cubin(program_, cubin.data());
    if (result != 0 || size == 0) return Failed(result);
    return cubin;
  }

 private:
  Status Failed(int result) const {
    std::string log;
    size_t size = 0;
    if (program_ != nullptr && nvrtc_.log_size(program_, &size) == 0 && size > 1) {
      log.resize(size);
      if (nvrtc_.log(program_, log.data()) != 0) log.clear();
      log.resize(std::min(log.find('\0'), log.size()));
    }
    return {Reason::kCompileFailed,
            "NVRTC ended with [" + std::to_string(result) + "]" + (log.empty() ? "." : ": " + log)};
  }

  const Nvrtc& nvrtc_;
  void* program_ = nullptr;
};

}  // namespace

Result<Nvrtc> OpenNvrtc(const std::vector<std::string>& places) {
  WB_ASSIGN(const DynamicLibrary library, DynamicLibrary::Open("NVIDIA's compiler NVRTC", places));
  Nvrtc nvrtc;
#define WB_NVRTC(member, name, parameters)                                     \
  nvrtc.member = reinterpret_cast<decltype(nvrtc.member)>(library.Find(name)); \
  if (nvrtc.member == nullptr) return library.Lacks(name);
#include "scheduler/devices/cuda/nvrtc/nvrtc.def"
#undef WB_NVRTC
  int major = 0, minor = 0;
  if (nvrtc.version_of(&major, &minor) != 0) return library.Lacks("nvrtcVersion");
  nvrtc.version = std::to_string(major) + "." + std::to_string(minor);
  nvrtc.place = library.place();
  return nvrtc;
}

Result<std::string> Compile(const Nvrtc& nvrtc, const NvrtcTask& task) {
  return Program(nvrtc).Compile(task);
}

}  // namespace wb
