#include "scheduler/devices/cuda/driver.h"

#include "scheduler/base/dynamic_library.h"

namespace wb {
namespace {

constexpr int kOutOfMemory = 2;

std::string Describe(const CudaDriver& driver, const char* call, int result) {
  const char* name = nullptr;
  if (driver.error_name == nullptr || driver.error_name(result, &name) != 0) name = nullptr;
  return std::string("The CUDA driver's [") + call + "] failed with [" +
         (name != nullptr ? name : std::to_string(result)) + "]";
}

Result<CudaDriverRef> Bind(const DynamicLibrary& library) {
  auto driver = std::make_shared<CudaDriver>();
#define WB_CUDA(member, name, parameters)                                          \
  driver->member = reinterpret_cast<decltype(driver->member)>(library.Find(name)); \
  if (driver->member == nullptr) return library.Lacks(name);
#define WB_CUDA_OPTIONAL(member, name, parameters) \
  driver->member = reinterpret_cast<decltype(driver->member)>(library.Find(name));
#include "scheduler/devices/cuda/driver.def"
#undef WB_CUDA
  return CudaDriverRef(std::move(driver));
}

}  // namespace

Status CudaDriver::Error(const char* call, int result) const {
  const std::string what = Describe(*this, call, result);
  if (result == kOutOfMemory) return {Reason::kNoDeviceFits, what + ": no memory is left."};
  return {Reason::kDeviceLost, what + "."};
}

bool CudaDriver::MapsMemory() const {
  bool all = true;
#define WB_CUDA(member, name, parameters)
#define WB_CUDA_OPTIONAL(member, name, parameters) all = all && member != nullptr;
#include "scheduler/devices/cuda/driver.def"
#undef WB_CUDA
  return all;
}

Result<CudaDriverRef> OpenCudaDriver(const std::string& path) {
  const std::vector<std::string> places =
      path.empty() ? std::vector<std::string>{"libcuda.so.1", "libcuda.so"}
                   : std::vector<std::string>{path};
  WB_ASSIGN(const DynamicLibrary library,
            DynamicLibrary::Open("The NVIDIA driver's library", places));
  WB_ASSIGN(CudaDriverRef driver, Bind(library));
  int result = driver->init(0);
  int count = 0;
  if (result == 0) result = driver->device_count(&count);
  if (result != 0) {
    return Status(Reason::kConfigInvalid, Describe(*driver, "init", result) +
                                              "; check with nvidia-smi that the driver runs.");
  }
  if (count == 0) return Status(Reason::kConfigInvalid, "The NVIDIA driver finds no GPU.");
  return driver;
}

}  // namespace wb
