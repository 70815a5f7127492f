#include "scheduler/devices/metal/metal_gpu.h"

#include <IOKit/IOKitLib.h>

#include <algorithm>

#include "scheduler/devices/metal/gpu_width.h"

namespace wb {
namespace {

constexpr uint64_t kLeastBytes = 64;

bool IsNewEnough(id<MTLDevice> device) { return [device supportsFamily:MTLGPUFamilyApple7]; }

// The GPU that was asked for; else the one with the most memory.
id<MTLDevice> Choose(NSArray* devices, const MetalSettings& settings) {
  id<MTLDevice> chosen = nil;
  for (id<MTLDevice> device in devices) {
    if (!settings.gpu.empty() && TextOf(device.name) != settings.gpu) continue;
    if (!settings.any_gpu && !IsNewEnough(device)) continue;
    if (chosen == nil ||
        device.recommendedMaxWorkingSetSize > chosen.recommendedMaxWorkingSetSize) {
      chosen = device;
    }
  }
  return chosen;
}

std::string Names(NSArray* devices) {
  std::string names;
  for (id<MTLDevice> device in devices) {
    names += (names.empty() ? "[" : ", [") + TextOf(device.name) + "]";
  }
  return names.empty() ? "none" : names;
}

}  // namespace

std::string TextOf(NSString* string) {
  const char* text = [string UTF8String];
  return text != nullptr ? text : "";
}

MetalError ErrorOf(NSError* error) {
  MetalError out;
  if (error == nil) return out;
  out.domain = TextOf([error domain]);
  out.code = [error code];
  out.text = TextOf([error localizedDescription]);
  return out;
}

Result<std::shared_ptr<const MetalGpu>> MetalGpu::Open(const MetalSettings& settings) {
  @autoreleasepool {
    const auto devices = Ref<NSArray*>::Owned(MTLCopyAllDevices());
    std::shared_ptr<MetalGpu> gpu(new MetalGpu);
    gpu->device_ = Ref<id<MTLDevice>>::Shared(Choose(devices.get(), settings));
    if (!gpu->device_) {
      const std::string wanted = settings.gpu.empty() ? "GPU" : "GPU [" + settings.gpu + "]";
      return Status(Reason::kConfigInvalid, "Metal has no " + wanted +
                                                " of family Apple7 (M1) or later; it has " +
                                                Names(devices.get()) + ".");
    }
    gpu->queue_ = Ref<id<MTLCommandQueue>>::Owned([gpu->device() newCommandQueue]);
    if (!gpu->queue_) {
      return Status(Reason::kConfigInvalid, "Metal gave no command queue on [" + gpu->name() +
                                                "]; outside a login session a GPU may be refused.");
    }
    gpu->queue().label = @"WasmBurst";
    gpu->longest_buffer_ = [gpu->device() maxBufferLength];
    if (settings.max_buffer_bytes != 0) {
      gpu->longest_buffer_ = std::min(gpu->longest_buffer_, settings.max_buffer_bytes);
    }
    return std::shared_ptr<const MetalGpu>(std::move(gpu));
  }
}

std::string MetalGpu::name() const {
  @autoreleasepool {
    return TextOf(device().name);
  }
}

// The compiler comes with the system, and the system's version names its build.
std::string MetalGpu::target() const {
  @autoreleasepool {
    return "metal " + name() + " / " +
           TextOf([[NSProcessInfo processInfo] operatingSystemVersionString]);
  }
}

uint64_t MetalGpu::working_bytes() const { return device().recommendedMaxWorkingSetSize; }
uint64_t MetalGpu::longest_buffer() const { return longest_buffer_; }

uint32_t MetalGpu::cores() const {
  @autoreleasepool {
    const io_service_t entry = IOServiceGetMatchingService(
        kIOMainPortDefault, IORegistryEntryIDMatching(device().registryID));
    if (entry == 0) return 0;
    const auto said = Ref<id>::Owned((id)IORegistryEntrySearchCFProperty(
        entry, kIOServicePlane, (CFStringRef) @"gpu-core-count", kCFAllocatorDefault,
        kIORegistryIterateRecursively | kIORegistryIterateParents));
    IOObjectRelease(entry);
    if (![said.get() isKindOfClass:[NSNumber class]]) return 0;
    return [(NSNumber*)said.get() unsignedIntValue];
  }
}

int64_t MetalGpu::family() const {
  int64_t latest = 0;
  for (const GpuFamily& known : kGpuFamilies) {
    if ([device() supportsFamily:static_cast<MTLGPUFamily>(known.family)]) latest = known.family;
  }
  return latest;
}

MetalConditions MetalGpu::Conditions() const {
  @autoreleasepool {
    NSProcessInfo* process = [NSProcessInfo processInfo];
    MetalConditions conditions;
    conditions.thermal_state = process.thermalState;
    if (@available(macOS 12.0, *)) conditions.low_power_mode = process.isLowPowerModeEnabled;
    conditions.headless = device().isHeadless;
    return conditions;
  }
}

Result<MetalBuffer> MetalGpu::Shared(uint64_t bytes) const {
  bytes = std::max(bytes, kLeastBytes);
  MetalBuffer buffer;
  if (bytes <= longest_buffer_) {
    buffer = MetalBuffer::Owned([device() newBufferWithLength:bytes
                                                      options:MTLResourceStorageModeShared]);
  }
  if (buffer) return buffer;
  return Status(Reason::kNoDeviceFits, "Metal has no buffer of [" + std::to_string(bytes) +
                                           "] bytes; its longest has [" +
                                           std::to_string(longest_buffer_) + "].");
}

Result<MetalBuffer> MetalGpu::Holding(const std::vector<uint32_t>& words) const {
  WB_ASSIGN(MetalBuffer buffer, Shared(words.size() * sizeof(uint32_t)));
  std::copy(words.begin(), words.end(), static_cast<uint32_t*>([buffer.get() contents]));
  return buffer;
}

}  // namespace wb
