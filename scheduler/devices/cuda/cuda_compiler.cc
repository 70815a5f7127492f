#include "scheduler/devices/cuda/cuda_compiler.h"

#include "compiler/base/digest.h"
#include "compiler/runtime/runtime.h"
#include "scheduler/devices/cuda/library.h"

namespace wb {

struct Nvrtc {
#define WB_NVRTC(member, name, parameters) int(*member) parameters = nullptr;
#include "scheduler/devices/cuda/nvrtc.def"
#undef WB_NVRTC
};

namespace {

// No contraction: a fused multiply-add rounds once where wasm rounds twice. The text includes only
// the prelude, given by name; the warnings are about Metal's attributes.
constexpr const char* kFlags[] = {"-default-device", "-fmad=false", "-std=c++17", "-w"};
constexpr size_t kLogBytes = 2000;

std::vector<std::string> Places(const std::string& path) {
  if (!path.empty()) return {path};
  std::vector<std::string> places;
  for (const std::string folder : {"", "/usr/local/cuda/lib64/", "/usr/local/cuda/lib/"}) {
    for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"}) {
      places.push_back(folder + name);
    }
  }
  return places;
}

Result<std::shared_ptr<const Nvrtc>> Bind(const Library& library) {
  auto nvrtc = std::make_shared<Nvrtc>();
#define WB_NVRTC(member, name, parameters)                                       \
  nvrtc->member = reinterpret_cast<decltype(nvrtc->member)>(library.Find(name)); \
  if (nvrtc->member == nullptr) return library.Lacks(name);
#include "scheduler/devices/cuda/nvrtc.def"
#undef WB_NVRTC
  return std::shared_ptr<const Nvrtc>(std::move(nvrtc));
}

// One compilation; what NVRTC holds of it goes when this goes.
class Program {
 public:
  explicit Program(const Nvrtc& nvrtc) : nvrtc_(nvrtc) {}
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() {
    if (program_ != nullptr) nvrtc_.destroy(&program_);
  }

  Result<Bytes> Compile(const std::string& text, const std::vector<const char*>& flags) {
    const std::string prelude(PreludeText("cuda/metal_stdlib"));
    const char* header_names[] = {"metal_stdlib"};
    const char* header_texts[] = {prelude.c_str()};
    int result =
        nvrtc_.create(&program_, text.c_str(), "kernel.metal", 1, header_texts, header_names);
    if (result == 0) {
      result = nvrtc_.compile(program_, static_cast<int>(flags.size()), flags.data());
    }
    if (result != 0) return Failed(result);
    size_t size = 0;
    result = nvrtc_.cubin_size(program_, &size);
    Bytes cubin(size);
    if (result == 0) result = nvrtc_.cubin(program_, reinterpret_cast<char*>(cubin.data()));
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
      log.resize(std::min(log.find('\0'), std::min(log.size(), kLogBytes)));
    }
    return {Reason::kCompileFailed,
            "NVRTC ended with [" + std::to_string(result) + "]" + (log.empty() ? "." : ": " + log)};
  }

  const Nvrtc& nvrtc_;
  void* program_ = nullptr;
};

}  // namespace

Result<CudaCompiler> CudaCompiler::Find(const std::string& path, uint32_t capability) {
  WB_ASSIGN(const Library library, Library::Open("NVIDIA's compiler NVRTC", Places(path)));
  CudaCompiler compiler;
  WB_ASSIGN(compiler.nvrtc_, Bind(library));
  int major = 0, minor = 0;
  if (compiler.nvrtc_->version(&major, &minor) != 0) return library.Lacks("nvrtcVersion");
  compiler.version_ = std::to_string(major) + "." + std::to_string(minor);
  compiler.arch_ = "sm_" + std::to_string(capability);
  return compiler;
}

std::string CudaCompiler::target() const {
  std::string target = "cuda nvrtc-" + version_ + " " + arch_;
  for (const char* flag : kFlags) target += std::string(" ") + flag;
  return target + " " +
         DigestBuilder()
             .Add(PreludeText("cuda/metal_stdlib"))
             .Add(PreludeText("cuda/epilogue.cu"))
             .Finish()
             .Hex();
}

Result<Bytes> CudaCompiler::Build(const KernelSource& source) const {
  const std::string arch = "-arch=" + arch_;
  std::vector<const char*> flags = {arch.c_str()};
  flags.insert(flags.end(), std::begin(kFlags), std::end(kFlags));
  // As on a Mac, which is what these floats are for.
  if (source.options.floats != Floats::kNative) flags.push_back("-ftz=true");
  return Program(*nvrtc_).Compile(source.text + std::string(PreludeText("cuda/epilogue.cu")),
                                  flags);
}

}  // namespace wb
