#include "tests/fakes/fake_gpu.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "compiler/base/check.h"
#include "compiler/runtime/runtime.h"
#include "scheduler/devices/cpu/cpu_compiler.h"
#include "scheduler/devices/cuda/cubins.h"
#include "tests/built_objects/built_objects.h"
#include "tests/fakes/fake_gpu_calls.h"
#include "tests/fakes/voting_lanes.h"

namespace wb::test {
namespace {

using EventClock = std::chrono::steady_clock;

Result<Bytes> BuildHere(const KernelSource& source) {
  static const auto compiler = CpuCompiler::Find("", "", {});
  if (!compiler.ok()) return compiler.status();
  KernelSource own = source;
  if (FakeGpuCalls::current->lanes_vote) own.text = TextThatVotes(source.text);
  WB_ASSIGN(const Bytes object,
            BuiltObjects::OfThisRun().Get(compiler->target(), own.text, kEffortForDevices,
                                          [&] { return compiler->Build(own, kEffortForDevices); }));
  const uint64_t size = object.size();
  Bytes cubin(sizeof size);
  std::memcpy(cubin.data(), &size, sizeof size);
  cubin.insert(cubin.end(), object.begin(), object.end());
  std::vector<Bytes> parts;
  const uint32_t count = FakeGpuCalls::current->cubins;
  const size_t part = cubin.size() / count;
  for (uint32_t i = 0; i < count; ++i) {
    const auto end = i + 1 == count ? cubin.end() : cubin.begin() + (i + 1) * part;
    parts.emplace_back(cubin.begin() + i * part, end);
  }
  return JoinCubins(parts);
}

}  // namespace

int FakeGpuCalls::Asked(std::string_view call) {
  MutexLock lock(current->mutex_);
  return call == current->failing_ ? current->failure_ : 0;
}

int FakeGpuCalls::Count(int* count) {
  *count = current->gpus;
  return Asked("device_count");
}

int FakeGpuCalls::Attribute(int* value, int attribute, int) {
  constexpr int kProcessors = 16, kThreads = 39, kMajor = 75, kMinor = 76, kShared = 97,
                kMaps = 102;
  switch (attribute) {
    case kProcessors: *value = 4; return 0;
    case kThreads: *value = 64; return 0;
    case kMajor: *value = 9; return 0;
    case kMinor: *value = 0; return 0;
    case kShared: *value = 227 << 10; return 0;
    case kMaps: *value = current->gpu_maps ? 1 : 0; return 0;
    default: return kInvalidValue;
  }
}

int FakeGpuCalls::FunctionAttribute(int* value, int attribute, void* function) {
  constexpr int kMostThreads = 0, kSharedBytes = 1, kLocalBytes = 3, kRegisters = 4;
  switch (attribute) {
    case kMostThreads: *value = MostThreads(function); return 0;
    case kSharedBytes: *value = 16; return 0;
    case kLocalBytes: *value = 24; return 0;
    case kRegisters: *value = 65536 / (std::max(current->warps, 1) * 32); return 0;
    default: return kInvalidValue;
  }
}

// The rest does nothing, or little.
CudaDriver FakeGpuCalls::Table() {
  CudaDriver driver;
  driver.init = [](unsigned) { return 0; };
  driver.error_name = [](int result, const char** name) {
    *name = result == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR";
    return 0;
  };
  driver.driver_version = [](int* version) { return *version = 13000, 0; };
  driver.device_count = &Count;
  driver.device_get = [](int* device, int ordinal) { return *device = ordinal, 0; };
  driver.device_name = [](char* name, int, int) { return std::strcpy(name, "Fake GPU"), 0; };
  driver.device_attribute = &Attribute;
  driver.context_retain = [](void** context, int) { return *context = current, 0; };
  driver.context_release = [](int) { return 0; };
  driver.context_flags = [](int, unsigned) { return 0; };
  driver.context_current = [](void* context) { return context == current ? 0 : kInvalidValue; };
  driver.memory_info = &Info;
  driver.memory_alloc = &Allocate;
  driver.memory_free = &Free;
  driver.memory_set = &Set;
  driver.copy_to_device = &ToDevice;
  driver.copy_to_host = &ToHost;
  driver.host_register = [](void*, size_t, unsigned) { return 0; };
  driver.host_unregister = [](void*) { return 0; };
  driver.host_alloc = [](void** memory, size_t bytes) { return *memory = std::malloc(bytes), 0; };
  driver.host_free = [](void* memory) { return std::free(memory), 0; };
  driver.stream_create = [](void** stream, unsigned) { return *stream = new char, 0; };
  if (current->driver_has_priorities) {
    driver.stream_priorities = [](int* least, int* greatest) {
      return *least = FakeGpu::kLeastPriority, *greatest = -5, 0;
    };
    driver.stream_create_with = [](void** stream, unsigned, int priority) {
      current->stream_priorities.push_back(priority);
      return *stream = new char, 0;
    };
  }
  driver.stream_destroy = [](void* stream) { return delete static_cast<char*>(stream), 0; };
  driver.stream_query = &Query;
  driver.blocks_per_processor = [](int* blocks, void*, int threads, size_t) {
    return *blocks = current->warps / ((threads + 31) / 32), 0;
  };
  driver.stream_synchronize = &Synchronize;
  // Streams do their work at once, so whatever an event waits for is done.
  driver.stream_wait_event = [](void*, void*, unsigned) { return 0; };
  driver.event_synchronize = &AwaitEvent;
  driver.event_create = [](void** event, unsigned) {
    return *event = new EventClock::time_point, 0;
  };
  driver.event_destroy = [](void* event) {
    return delete static_cast<EventClock::time_point*>(event), 0;
  };
  driver.event_record = &Record;
  driver.event_elapsed = &Elapsed;
  driver.link_create = [](unsigned, int*, void**, void** link) { return *link = new Bytes, 0; };
  driver.link_add = &Link;
  driver.link_complete = &Linked;
  driver.link_destroy = [](void* link) { return delete static_cast<Bytes*>(link), 0; };
  driver.module_load = &Load;
  driver.module_unload = &Unload;
  driver.module_function = &FunctionOf;
  driver.function_attribute = &FunctionAttribute;
  driver.set_function_attribute = [](void*, int, int) { return 0; };
  driver.launch = &Launch;
  if (!current->driver_maps) return driver;
  driver.memory_granularity = &Granularity;
  driver.address_reserve = &ReserveAddresses;
  driver.address_free = &FreeAddresses;
  driver.physical_create = &CreateMemory;
  driver.physical_release = &ReleaseMemory;
  driver.memory_map = &MapMemory;
  driver.memory_unmap = &UnmapMemory;
  driver.memory_access = &AllowAccess;
  return driver;
}

FakeGpu::FakeGpu() {
  WB_CHECK(FakeGpuCalls::current == nullptr);
  FakeGpuCalls::current = this;
}
FakeGpu::~FakeGpu() {
  WB_CHECK(!resident_.joinable());  // the device is gone, and with it the kernel that stays
  FakeGpuCalls::current = nullptr;
}

CudaParts FakeGpu::Parts() const {
  CudaParts parts;
  parts.driver = std::make_shared<const CudaDriver>(FakeGpuCalls::Table());
  parts.builds.target = "fake";
  parts.builds.build = &BuildHere;
  parts.builds.few_registers = few_registers;
  parts.builds.tiled = tiled;
  parts.builds.hot = hot;
  if (few_registers) {
    parts.builds.build = [tiles = tiled, heat = hot,
                          block = hot_lanes](const KernelSource& source) -> Result<Bytes> {
      WB_ASSIGN(const Bytes kernel, BuildHere(source));
      if (!tiles) return JoinKernels({kernel, kernel});
      KernelSource other = source;
      other.text = TiledText(source.text);
      WB_ASSIGN(const Bytes tiled_kernel, BuildHere(other));
      std::vector<Bytes> kernels = {kernel, kernel, tiled_kernel, tiled_kernel};
      other.text = HotText(source.text);
      if (heat && other.text != source.text) {
        // What the flags of a compiler for a GPU make of it (scheduler/devices/cuda/hot_block.h).
        other.text +=
            "\nextern \"C\" __attribute__((visibility(\"default\")))\n"
            "const uint wb_block_lanes = " +
            std::to_string(block) + "u;\n";
        WB_ASSIGN(Bytes hot_kernel, BuildHere(other));
        kernels.push_back(std::move(hot_kernel));
      }
      return JoinKernels(kernels);
    };
  }
  return parts;
}

void FakeGpu::Fail(const std::string& call, int result) {
  MutexLock lock(mutex_);
  failing_ = call;
  failure_ = result;
}

uint64_t FakeGpu::used_bytes() const {
  MutexLock lock(mutex_);
  return used_;
}

uint64_t FakeGpu::allocations() const {
  MutexLock lock(mutex_);
  return sizes_.size() + mapping_.pieces();
}

}  // namespace wb::test
