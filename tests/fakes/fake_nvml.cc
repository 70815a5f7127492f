// A library that looks like NVML: two GPUs, the second at bus 0000:3b:00.0, whose figures stand in
// the file that FAKE_NVML names: celsius, milliwatts, limit in milliwatts, throttle reasons,
// millijoules so far. A figure of -1, or that is missing, is one that this GPU does not give.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include "scheduler/sensors/nvml.h"

namespace {

constexpr int kNotSupported = 3;
int gpus[2];

long Figure(int which) {
  const char* path = std::getenv("FAKE_NVML");
  std::ifstream file(path == nullptr ? "" : path);
  long figure = -1;
  for (int i = 0; i <= which; ++i) {
    if (!(file >> figure)) return -1;
  }
  return figure;
}

template <typename Value>
int Give(int which, void* gpu, Value* value) {
  const long figure = Figure(which);
  if (gpu != &gpus[1] || figure < 0) return kNotSupported;
  *value = static_cast<Value>(figure);
  return 0;
}

}  // namespace

extern "C" {

int nvmlInit_v2() { return Figure(0) == -2 ? 9 : 0; }  // NVML_ERROR_DRIVER_NOT_LOADED
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  if (index > 1) return 2;
  *device = &gpus[index];
  return 0;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char* bus, void** device) {
  if (std::strcmp(bus, "0000:3b:00.0") != 0) return 6;  // NVML_ERROR_NOT_FOUND
  *device = &gpus[1];
  return 0;
}
int nvmlDeviceGetTemperature(void* device, int sensor, unsigned* celsius) {
  return sensor != 0 ? kNotSupported : Give(0, device, celsius);
}
int nvmlDeviceGetPowerUsage(void* device, unsigned* milliwatts) {
  return Give(1, device, milliwatts);
}
int nvmlDeviceGetEnforcedPowerLimit(void* device, unsigned* milliwatts) {
  return Give(2, device, milliwatts);
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void* device, unsigned long long* reasons) {
  return Give(3, device, reasons);
}
int nvmlDeviceGetTotalEnergyConsumption(void* device, unsigned long long* millijoules) {
  return Give(4, device, millijoules);
}
int nvmlDeviceGetMemoryInfo(void* device, wb::NvmlMemory* memory) {
  if (device != &gpus[1]) return kNotSupported;
  *memory = {1000, 600, 400};
  return 0;
}
// No nvmlDeviceGetUtilizationRates: old libraries lack what new ones have.
}
