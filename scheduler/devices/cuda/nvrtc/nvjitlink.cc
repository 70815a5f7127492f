#include "scheduler/devices/cuda/nvrtc/nvjitlink.h"

#include <algorithm>

#include "scheduler/base/dynamic_library.h"
#include "scheduler/devices/cuda/nvrtc/fewer_calls.h"

namespace wb {
namespace {

constexpr int kCubin = 1;  // NVJITLINK_INPUT_CUBIN

// What the library holds of one link; it goes when this goes.
class Linking {
 public:
  explicit Linking(const NvJitLink& linker) : linker_(linker) {}
  Linking(const Linking&) = delete;
  Linking& operator=(const Linking&) = delete;
  ~Linking() {
    if (link_ != nullptr) linker_.destroy(&link_);
  }

  Result<std::string> Run(const std::string& arch, const std::vector<std::string>& cubins) {
    const std::string option = "-arch=" + arch;
    const char* options[] = {option.c_str()};
    int result = linker_.create(&link_, 1, options);
    for (const std::string& cubin : cubins) {
      if (result == 0) result = linker_.add(link_, kCubin, cubin.data(), cubin.size(), "chunk");
    }
    if (result == 0) result = linker_.complete(link_);
    size_t size = 0;
    if (result == 0) result = linker_.cubin_size(link_, &size);
    std::string linked(size, '\0');
    if (result == 0) result = linker_.cubin(link_, linked.data());
    if (result != 0 || size == 0) return Failed(result);
    return linked;
  }

 private:
  Status Failed(int result) const {
    std::string log;
    size_t size = 0;
    if (link_ != nullptr && linker_.log_size(link_, &size) == 0 && size > 1) {
      log.resize(size);
      if (linker_.log(link_, log.data()) != 0) log.clear();
      log.resize(std::min(log.find('\0'), log.size()));
    }
    return {Reason::kCompileFailed, "nvJitLink ended with [" + std::to_string(result) + "]" +
                                        (log.empty() ? "." : ": " + log)};
  }

  const NvJitLink& linker_;
  void* link_ = nullptr;
};

}  // namespace

std::vector<std::string> NvJitLinkPlaces(const std::string& nvrtc_place,
                                         const std::string& version) {
  const std::string name = "libnvJitLink.so." + version.substr(0, version.find('.'));
  const size_t slash = nvrtc_place.rfind('/');
  std::vector<std::string> places;
  if (slash != std::string::npos) places.push_back(nvrtc_place.substr(0, slash + 1) + name);
  for (const char* folder : {"", "/usr/local/cuda/lib64/", "/usr/local/cuda/lib/"}) {
    places.push_back(folder + name);
  }
  return places;
}

Result<NvJitLink> OpenNvJitLink(const std::vector<std::string>& places) {
  WB_ASSIGN(const DynamicLibrary library,
            DynamicLibrary::Open("NVIDIA's linker nvJitLink", places));
  NvJitLink linker;
#define WB_NVJITLINK(member, name, parameters)                                   \
  linker.member = reinterpret_cast<decltype(linker.member)>(library.Find(name)); \
  if (linker.member == nullptr) return library.Lacks(name);
#include "scheduler/devices/cuda/nvrtc/nvjitlink.def"
#undef WB_NVJITLINK
  unsigned int major = 0, minor = 0;
  if (linker.version_of(&major, &minor) != 0) return library.Lacks("nvJitLinkVersion");
  linker.version = std::to_string(major) + "." + std::to_string(minor);
  linker.place = library.place();
  return linker;
}

Result<std::string> LinkCubins(const NvJitLink& linker, const std::string& arch,
                               const std::vector<std::string>& cubins) {
  if (const std::optional<FewerCalls> fewer = WithFewerCalls(cubins)) {
    Result<std::string> linked = Linking(linker).Run(arch, fewer->cubins);
    // The linker has counted the same stack, so it has understood the calls as this has.
    if (linked.ok() && AsksForStack(*linked, fewer->stack_bytes)) return linked;
  }
  return Linking(linker).Run(arch, cubins);
}

}  // namespace wb
