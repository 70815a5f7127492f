#include "tests/fakes/fake_gpu.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "compiler/base/check.h"
#include "scheduler/devices/cpu/cpu_compiler.h"
#include "scheduler/devices/cpu/shared_object.h"
#include "scheduler/devices/cuda/cubins.h"
#include "scheduler/devices/cuda/resident_kernel.h"

namespace wb::test {
namespace {

FakeGpu* current = nullptr;

using Clock = std::chrono::steady_clock;
using KernelFunction = void (*)(uint32_t* state, uint32_t* records, const uint32_t* program,
                                const uint32_t* columns, const uint32_t* blob,
                                const uint32_t* image, uint32_t* control, const abi::Params* params,
                                uint32_t gid);

// A module: the shared object and its kernel, which two entries lead to.
struct Loaded {
  struct Entry {
    KernelFunction kernel = nullptr;
    bool stays = false;
  };
  SharedObject object;
  Entry entry;
  Entry resident{nullptr, true};
};

constexpr int kInvalidValue = 1;
constexpr int kOutOfMemory = 2;
constexpr int kInvalidImage = 200;
constexpr int kNotFound = 500;

void* Pointer(uint64_t address) { return reinterpret_cast<void*>(address); }
uint64_t Address(const void* pointer) { return reinterpret_cast<uint64_t>(pointer); }

}  // namespace

struct FakeGpuCalls {
  // What Fail() asked of this call, else 0.
  static int Asked(std::string_view call) {
    MutexLock lock(current->mutex_);
    return call == current->failing_ ? current->failure_ : 0;
  }

  // Inside one allocation, or what is mapped, or the process stops: on a GPU it would be somebody
  // else's memory.
  static void CheckRange(uint64_t address, uint64_t bytes) {
    if (current->mapping_.Reserves(address)) {
      WB_CHECK(current->mapping_.IsUsable(address, bytes));
      return;
    }
    MutexLock lock(current->mutex_);
    auto next = current->sizes_.upper_bound(address);
    WB_CHECK(next != current->sizes_.begin());
    --next;
    WB_CHECK(address + bytes <= next->first + next->second);
  }

  static int Count(int* count) {
    *count = current->gpus;
    return Asked("device_count");
  }
  static int Attribute(int* value, int attribute, int) {
    constexpr int kProcessors = 16, kThreads = 39, kMajor = 75, kMinor = 76, kMaps = 102;
    switch (attribute) {
      case kProcessors: *value = 4; return 0;
      case kThreads: *value = 64; return 0;
      case kMajor: *value = 9; return 0;
      case kMinor: *value = 0; return 0;
      case kMaps: *value = current->gpu_maps ? 1 : 0; return 0;
      default: return kInvalidValue;
    }
  }
  static int Allocate(uint64_t* address, size_t bytes) {
    if (const int asked = Asked("memory_alloc")) return asked;
    MutexLock lock(current->mutex_);
    if (current->used_ + bytes > current->memory_bytes_) return kOutOfMemory;
    *address = Address(std::malloc(bytes));
    std::memset(Pointer(*address), 0xcd, bytes);  // never zero by luck
    current->sizes_[*address] = bytes;
    current->used_ += bytes;
    return 0;
  }
  static int Free(uint64_t address) {
    MutexLock lock(current->mutex_);
    const auto at = current->sizes_.find(address);
    WB_CHECK(at != current->sizes_.end());
    current->used_ -= at->second;
    current->sizes_.erase(at);
    std::free(Pointer(address));
    return 0;
  }
  static int Granularity(size_t* bytes, const CudaAllocation*, unsigned which) {
    *bytes = FakeMapping::kGranule;
    return which == 0 ? 0 : kInvalidValue;
  }
  static int ReserveAddresses(uint64_t* address, size_t bytes, size_t alignment, uint64_t wanted,
                              unsigned long long flags) {
    if (const int asked = Asked("address_reserve")) return asked;
    if (wanted != 0 || flags != 0) return kInvalidValue;
    return current->mapping_.Reserve(address, bytes, alignment);
  }
  static int FreeAddresses(uint64_t address, size_t bytes) {
    return current->mapping_.Free(address, bytes);
  }
  static int CreateMemory(uint64_t* memory, size_t bytes, const CudaAllocation* of,
                          unsigned long long flags) {
    if (const int asked = Asked("physical_create")) return asked;
    if (flags != 0) return kInvalidValue;
    MutexLock lock(current->mutex_);
    if (current->used_ + bytes > current->memory_bytes_) return kOutOfMemory;
    current->used_ += bytes;
    *memory = current->mapping_.Create(bytes, *of);
    return 0;
  }
  static int ReleaseMemory(uint64_t memory) {
    const uint64_t freed = current->mapping_.Release(memory);
    MutexLock lock(current->mutex_);
    current->used_ -= freed;
    return 0;
  }
  static int MapMemory(uint64_t address, size_t bytes, size_t offset, uint64_t memory,
                       unsigned long long) {
    if (const int asked = Asked("memory_map")) return asked;
    current->mapping_.Map(address, bytes, offset, memory);
    return 0;
  }
  static int UnmapMemory(uint64_t address, size_t bytes) {
    const uint64_t freed = current->mapping_.Unmap(address, bytes);
    MutexLock lock(current->mutex_);
    current->used_ -= freed;
    return 0;
  }
  static int AllowAccess(uint64_t address, size_t bytes, const CudaAccess* access, size_t count) {
    if (const int asked = Asked("memory_access")) return asked;
    if (count != 1) return kInvalidValue;
    current->mapping_.Allow(address, bytes, *access);
    return 0;
  }
  static int Info(size_t* free, size_t* total) {
    MutexLock lock(current->mutex_);
    *total = current->memory_bytes_;
    *free = *total - current->used_;
    return 0;
  }
  static int Set(uint64_t address, unsigned char value, size_t bytes, void*) {
    CheckRange(address, bytes);
    std::memset(Pointer(address), value, bytes);
    return 0;
  }
  // Single words are read by a kernel that runs meanwhile.
  static int ToDevice(uint64_t to, const void* from, size_t bytes, void*) {
    if (const int asked = Asked("copy_to_device")) return asked;
    CheckRange(to, bytes);
    if (bytes == sizeof(uint32_t)) {
      uint32_t word = 0;
      std::memcpy(&word, from, sizeof word);
      __atomic_store_n(static_cast<uint32_t*>(Pointer(to)), word, __ATOMIC_RELEASE);
      {
        MutexLock lock(current->mutex_);
        ++current->words_;
      }
      current->words_changed_.NotifyAll();
      return 0;
    }
    ++current->uploads_;
    std::memcpy(Pointer(to), from, bytes);
    return 0;
  }
  static int ToHost(void* to, uint64_t from, size_t bytes, void*) {
    if (const int asked = Asked("copy_to_host")) return asked;
    CheckRange(from, bytes);
    std::memcpy(to, Pointer(from), bytes);
    return 0;
  }
  // A "cubin": its length in 8 bytes, then a shared object.
  static int Load(void** module, const void* image, unsigned, int*, void**) {
    if (const int asked = Asked("module_load")) return asked;
    uint64_t size = 0;
    std::memcpy(&size, image, sizeof size);
    auto object = SharedObject::Load({static_cast<const uint8_t*>(image) + sizeof size, size});
    if (!object.ok()) return kInvalidImage;
    auto loaded = std::make_unique<Loaded>(Loaded{std::move(object).value(), {}});
    loaded->entry.kernel = reinterpret_cast<KernelFunction>(loaded->object.Find("wb_main"));
    loaded->resident.kernel = loaded->entry.kernel;
    *module = loaded.release();
    return 0;
  }
  // What is linked: the bytes of all parts, in their order.
  static int Link(void* link, int kind, void* data, size_t bytes, const char*, unsigned, int*,
                  void**) {
    if (const int asked = Asked("link_add")) return asked;
    if (kind != 0) return kInvalidValue;
    const auto* part = static_cast<const uint8_t*>(data);
    auto* linked = static_cast<Bytes*>(link);
    linked->insert(linked->end(), part, part + bytes);
    return 0;
  }
  static int Linked(void* link, void** cubin, size_t* bytes) {
    if (const int asked = Asked("link_complete")) return asked;
    *cubin = static_cast<Bytes*>(link)->data();
    *bytes = static_cast<Bytes*>(link)->size();
    return 0;
  }
  static int Unload(void* module) {
    delete static_cast<Loaded*>(module);
    return 0;
  }
  static int FunctionOf(void** function, void* module, const char* name) {
    auto* loaded = static_cast<Loaded*>(module);
    if (std::string_view(name) == "wb_entry") return *function = &loaded->entry, 0;
    if (std::string_view(name) == "wb_resident") return *function = &loaded->resident, 0;
    return kNotFound;
  }
  // At once: whoever waits for the stream finds it done. A kernel that stays is a thread.
  static int Launch(void* function, unsigned grid, unsigned, unsigned, unsigned block, unsigned,
                    unsigned, unsigned, void* stream, void** arguments, void**) {
    if (const int asked = Asked("launch")) return asked;
    ++current->launches_;
    current->grid = grid;
    current->block = block;
    const auto* entry = static_cast<const Loaded::Entry*>(function);
    if (entry->stays) return Stay(*entry, block, stream, arguments);
    const auto buffer = [arguments](int i) {
      return static_cast<uint32_t*>(Pointer(*static_cast<uint64_t*>(arguments[i])));
    };
    const auto* params = static_cast<const abi::Params*>(arguments[7]);
    for (uint32_t gid = 0; gid < grid * block; ++gid) {
      entry->kernel(buffer(0), buffer(1), buffer(2), buffer(3), buffer(4), buffer(5), buffer(6),
                    params, gid);
    }
    if (current->after_launch) current->after_launch(buffer(1), *params);
    return 0;
  }

  static uint64_t Words() {
    MutexLock lock(current->mutex_);
    return current->words_;
  }

  // As compiler/prelude/cuda/resident.cu, on one thread.
  static int Stay(const Loaded::Entry& entry, unsigned block, void* stream, void** arguments) {
    WB_CHECK(!current->resident_.joinable());  // on a GPU it would wait for ever
    auto* board = static_cast<WbBoard*>(Pointer(*static_cast<uint64_t*>(arguments[0])));
    auto* notices = *static_cast<WbNotice**>(arguments[1]);
    const uint32_t first = *static_cast<uint32_t*>(arguments[2]);
    current->resident_stream_ = stream;
    current->resident_runs_ = true;
    current->resident_ = std::thread([=, kernel = entry.kernel] {
      for (uint32_t number = first;;) {
        const uint64_t words = Words();
        WbBoardSlot& slot = board->slots[number % WB_BOARD_SLOTS];
        if (__atomic_load_n(&slot.posted, __ATOMIC_ACQUIRE) == number) {
          RunPosted(kernel, slot.post, block, notices[number % WB_BOARD_SLOTS], number);
          ++number;
        } else if (__atomic_load_n(&board->leaves, __ATOMIC_ACQUIRE) != 0) {
          break;
        } else {
          MutexLock lock(current->mutex_);
          while (current->words_ == words) current->words_changed_.Wait(current->mutex_);
        }
      }
      current->resident_runs_ = false;
    });
    return 0;
  }
  static void RunPosted(KernelFunction kernel, const WbPost& post, unsigned block, WbNotice& notice,
                        uint32_t number) {
    const auto now = [] { return static_cast<uint64_t>(Clock::now().time_since_epoch().count()); };
    const auto buffer = [](uint64_t address) { return static_cast<uint32_t*>(Pointer(address)); };
    ++current->posts_;
    current->grid = post.blocks;
    notice.began = now();
    for (uint32_t gid = 0; gid < post.blocks * block; ++gid) {
      kernel(buffer(post.state), buffer(post.records), buffer(post.program), buffer(post.columns),
             buffer(post.blob), buffer(post.image), buffer(post.control), &post.params, gid);
    }
    if (current->after_launch) current->after_launch(buffer(post.records), post.params);
    notice.ended = now();
    if (Asked("stream_query") != 0) return;  // a kernel that faulted says nothing any more
    __atomic_store_n(&notice.number, number, __ATOMIC_RELEASE);
  }
  static int Query(void* stream) {
    if (const int asked = Asked("stream_query")) return asked;
    constexpr int kNotReady = 600;
    return stream == current->resident_stream_ && current->resident_runs_ ? kNotReady : 0;
  }
  static int Record(void* event, void*) {
    *static_cast<Clock::time_point*>(event) = Clock::now();
    return 0;
  }
  static int Elapsed(float* milliseconds, void* begin, void* end) {
    const auto passed =
        *static_cast<Clock::time_point*>(end) - *static_cast<Clock::time_point*>(begin);
    *milliseconds = std::chrono::duration<float, std::milli>(passed).count();
    return 0;
  }
  static int Synchronize(void* stream) {
    if (stream == current->resident_stream_ && current->resident_.joinable()) {
      current->resident_.join();
    }
    return Asked("stream_synchronize");
  }
  static int AwaitEvent(void*) { return Asked("event_synchronize"); }
};

namespace {

// The rest does nothing, or little.
CudaDriver Driver() {
  CudaDriver driver;
  driver.init = [](unsigned) { return 0; };
  driver.error_name = [](int result, const char** name) {
    *name = result == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR";
    return 0;
  };
  driver.driver_version = [](int* version) { return *version = 13000, 0; };
  driver.device_count = &FakeGpuCalls::Count;
  driver.device_get = [](int* device, int ordinal) { return *device = ordinal, 0; };
  driver.device_name = [](char* name, int, int) { return std::strcpy(name, "Fake GPU"), 0; };
  driver.device_attribute = &FakeGpuCalls::Attribute;
  driver.context_retain = [](void** context, int) { return *context = current, 0; };
  driver.context_release = [](int) { return 0; };
  driver.context_flags = [](int, unsigned) { return 0; };
  driver.context_current = [](void* context) { return context == current ? 0 : kInvalidValue; };
  driver.memory_info = &FakeGpuCalls::Info;
  driver.memory_alloc = &FakeGpuCalls::Allocate;
  driver.memory_free = &FakeGpuCalls::Free;
  driver.memory_set = &FakeGpuCalls::Set;
  driver.copy_to_device = &FakeGpuCalls::ToDevice;
  driver.copy_to_host = &FakeGpuCalls::ToHost;
  driver.host_register = [](void*, size_t, unsigned) { return 0; };
  driver.host_unregister = [](void*) { return 0; };
  driver.host_alloc = [](void** memory, size_t bytes) { return *memory = std::malloc(bytes), 0; };
  driver.host_free = [](void* memory) { return std::free(memory), 0; };
  driver.stream_create = [](void** stream, unsigned) { return *stream = new char, 0; };
  driver.stream_destroy = [](void* stream) { return delete static_cast<char*>(stream), 0; };
  driver.stream_query = &FakeGpuCalls::Query;
  driver.blocks_per_processor = [](int* blocks, void*, int, size_t) { return *blocks = 2, 0; };
  driver.stream_synchronize = &FakeGpuCalls::Synchronize;
  // Streams do their work at once, so whatever an event waits for is done.
  driver.stream_wait_event = [](void*, void*, unsigned) { return 0; };
  driver.event_synchronize = &FakeGpuCalls::AwaitEvent;
  driver.event_create = [](void** event, unsigned) { return *event = new Clock::time_point, 0; };
  driver.event_destroy = [](void* event) {
    return delete static_cast<Clock::time_point*>(event), 0;
  };
  driver.event_record = &FakeGpuCalls::Record;
  driver.event_elapsed = &FakeGpuCalls::Elapsed;
  driver.link_create = [](unsigned, int*, void**, void** link) { return *link = new Bytes, 0; };
  driver.link_add = &FakeGpuCalls::Link;
  driver.link_complete = &FakeGpuCalls::Linked;
  driver.link_destroy = [](void* link) { return delete static_cast<Bytes*>(link), 0; };
  driver.module_load = &FakeGpuCalls::Load;
  driver.module_unload = &FakeGpuCalls::Unload;
  driver.module_function = &FakeGpuCalls::FunctionOf;
  driver.function_attribute = [](int* value, int attribute, void*) {
    constexpr int kMostThreads = 0;
    return *value = attribute == kMostThreads ? current->most_threads : 0, 0;
  };
  driver.launch = &FakeGpuCalls::Launch;
  if (!current->driver_maps) return driver;
  driver.memory_granularity = &FakeGpuCalls::Granularity;
  driver.address_reserve = &FakeGpuCalls::ReserveAddresses;
  driver.address_free = &FakeGpuCalls::FreeAddresses;
  driver.physical_create = &FakeGpuCalls::CreateMemory;
  driver.physical_release = &FakeGpuCalls::ReleaseMemory;
  driver.memory_map = &FakeGpuCalls::MapMemory;
  driver.memory_unmap = &FakeGpuCalls::UnmapMemory;
  driver.memory_access = &FakeGpuCalls::AllowAccess;
  return driver;
}

Result<Bytes> BuildHere(const KernelSource& source) {
  WB_ASSIGN(const CpuCompiler compiler, CpuCompiler::Find("", "", {}));
  WB_ASSIGN(const Bytes object, compiler.Build(source));
  const uint64_t size = object.size();
  Bytes cubin(sizeof size);
  std::memcpy(cubin.data(), &size, sizeof size);
  cubin.insert(cubin.end(), object.begin(), object.end());
  std::vector<Bytes> parts;
  const size_t part = cubin.size() / current->cubins;
  for (uint32_t i = 0; i < current->cubins; ++i) {
    const auto end = i + 1 == current->cubins ? cubin.end() : cubin.begin() + (i + 1) * part;
    parts.emplace_back(cubin.begin() + i * part, end);
  }
  return JoinCubins(parts);
}

}  // namespace

FakeGpu::FakeGpu() {
  WB_CHECK(current == nullptr);
  current = this;
}
FakeGpu::~FakeGpu() {
  WB_CHECK(!resident_.joinable());  // the device is gone, and with it the kernel that stays
  current = nullptr;
}

CudaParts FakeGpu::Parts() const {
  CudaParts parts;
  parts.driver = std::make_shared<const CudaDriver>(Driver());
  parts.target = "fake";
  parts.build = &BuildHere;
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
