#include "scheduler/sensors/nvml.h"

#include <utility>
#include <vector>

#include "scheduler/base/dynamic_library.h"
#include "scheduler/base/quoted.h"
#include "scheduler/sensors/sensors.h"

namespace wb {
namespace {

// The value that a call gives for the GPU, if it gives one.
template <typename Value, typename Call, typename... Arguments>
std::optional<Value> Ask(Call call, void* gpu, Arguments... arguments) {
  Value value{};
  if (call == nullptr || call(gpu, arguments..., &value) != 0) return std::nullopt;
  return value;
}

std::optional<float> Thousandth(std::optional<unsigned> value) {
  if (!value) return std::nullopt;
  return static_cast<float>(*value) / 1000;
}

class NvidiaSensors final : public Sensors {
 public:
  NvidiaSensors(NvmlRef nvml, void* gpu) : nvml_(std::move(nvml)), gpu_(gpu) {}

  Telemetry Read() override {
    Telemetry telemetry;
    const auto celsius = Ask<unsigned>(nvml_->temperature, gpu_, 0);
    if (celsius) telemetry.celsius = static_cast<float>(*celsius);
    telemetry.watts = Thousandth(Ask<unsigned>(nvml_->power_usage, gpu_));
    telemetry.watts_limit = Thousandth(Ask<unsigned>(nvml_->power_limit, gpu_));
    const auto millijoules = Ask<unsigned long long>(nvml_->total_energy, gpu_);
    if (millijoules) telemetry.joules = static_cast<double>(*millijoules) / 1000;
    const auto reasons = Ask<unsigned long long>(nvml_->throttle_reasons, gpu_);
    telemetry.throttled = (reasons.value_or(0) & kNvmlSlowedDown) != 0;
    if (const auto load = Ask<NvmlUtilisation>(nvml_->utilisation, gpu_)) {
      telemetry.utilisation = static_cast<float>(load->gpu) / 100;
    }
    if (const auto memory = Ask<NvmlMemory>(nvml_->memory_info, gpu_)) {
      telemetry.memory_used = memory->used;
      telemetry.memory_total = memory->total;
    }
    return telemetry;
  }

 private:
  const NvmlRef nvml_;
  void* const gpu_;
};

}  // namespace

Result<NvmlRef> OpenNvml(const std::string& path) {
  const std::vector<std::string> places =
      path.empty() ? std::vector<std::string>{"libnvidia-ml.so.1", "libnvidia-ml.so"}
                   : std::vector<std::string>{path};
  WB_ASSIGN(const DynamicLibrary library,
            DynamicLibrary::Open("NVIDIA's management library", places));
  auto nvml = std::make_shared<Nvml>();
#define WB_NVML(member, name, parameters) \
  nvml->member = reinterpret_cast<decltype(nvml->member)>(library.Find(name));
#include "scheduler/sensors/nvml.def"
#undef WB_NVML
  if (nvml->init == nullptr) return library.Lacks("nvmlInit_v2");
  if (const int result = nvml->init(); result != 0) {
    return Status(Reason::kConfigInvalid,
                  "NVIDIA's management library at " + Quoted(library.place()) +
                      " does not start; it said " + Quoted(std::to_string(result)) + ".");
  }
  return NvmlRef(std::move(nvml));
}

Result<std::unique_ptr<Sensors>> OpenNvidiaSensors(const std::string& path,
                                                   const std::string& bus) {
  WB_ASSIGN(NvmlRef nvml, OpenNvml(path));
  void* gpu = nullptr;
  const bool first = bus.empty();
  const bool known = first ? nvml->by_index != nullptr && nvml->by_index(0, &gpu) == 0
                           : nvml->by_bus != nullptr && nvml->by_bus(bus.c_str(), &gpu) == 0;
  if (!known) {
    return Status(Reason::kConfigInvalid, "NVIDIA's management library knows no GPU " +
                                              Quoted(first ? "at all" : "at " + bus) + ".");
  }
  return std::unique_ptr<Sensors>(new NvidiaSensors(std::move(nvml), gpu));
}

}  // namespace wb
