#include "tests/standin/metal/state.h"

#include <pthread.h>

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

#include "compiler/base/check.h"
#include "compiler/base/mutex.h"
#include "scheduler/devices/cpu/cpu_compiler.h"
#include "tests/built_objects/built_objects.h"

// What GNUstep and its runtime never give back is no leak of ours.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libobjc.so\nleak:libgnustep-base.so\n";
}
#endif
#endif

namespace wb::standin {
namespace {

constexpr size_t kStackBytes = size_t{256} << 20;  // kernels are compiled without optimisation

struct State {
  Mutex mutex;
  Traits traits WB_GUARDED_BY(mutex);
  Fault fault WB_GUARDED_BY(mutex);
  Counts counts WB_GUARDED_BY(mutex);
  std::map<Digest, Bytes> objects WB_GUARDED_BY(mutex);
  std::function<void(const std::string&)> listener WB_GUARDED_BY(mutex);
  void Tell(const std::string& event) WB_REQUIRES(mutex) {
    if (listener) listener(event);
  }
};
State& The() {
  static State& state = *new State;  // the GPU's thread outlives main()
  return state;
}

struct NamedError {
  int64_t code;
  const char* text;
};
// As reports of users quote them; the number in brackets is the driver's own.
constexpr NamedError kTexts[] = {
    {1, "Internal Error (00000001:kIOGPUCommandBufferCallbackErrorInternal)"},
    {2, "Caused GPU Timeout Error (00000002:kIOGPUCommandBufferCallbackErrorTimeout)"},
    {3, "Caused GPU Address Fault Error (0000000b:kIOGPUCommandBufferCallbackErrorPageFault)"},
    {4,
     "Ignored (for causing prior/excessive GPU errors) "
     "(00000004:kIOGPUCommandBufferCallbackErrorSubmissionsIgnored)"},
    {8, "Insufficient Memory (00000008:kIOGPUCommandBufferCallbackErrorOutOfMemory)"},
    {kInteractivity,
     "Impacting Interactivity (0000000e:kIOGPUCommandBufferCallbackErrorImpactingInteractivity)"},
};

std::string TextOf(int64_t code) {
  for (const NamedError& error : kTexts) {
    if (error.code == code) return error.text;
  }
  return "Error " + std::to_string(code);
}

class Gpu {
 public:
  Gpu() {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, kStackBytes);
    pthread_t thread;
    WB_CHECK(pthread_create(&thread, &attributes, &Gpu::Main, this) == 0);
    pthread_attr_destroy(&attributes);
    pthread_detach(thread);
  }

  void Post(std::function<void()> work) {
    MutexLock lock(mutex_);
    work_.push_back(std::move(work));
    posted_.NotifyOne();
  }

 private:
  static void* Main(void* gpu) { static_cast<Gpu*>(gpu)->Run(); }
  [[noreturn]] void Run() {
    for (;;) {
      std::function<void()> next;
      {
        MutexLock lock(mutex_);
        while (work_.empty()) posted_.Wait(mutex_);
        next = std::move(work_.front());
        work_.pop_front();
      }
      next();
    }
  }

  Mutex mutex_;
  CondVar posted_;
  std::deque<std::function<void()>> work_ WB_GUARDED_BY(mutex_);
};

}  // namespace

void Reset() {
  MutexLock lock(The().mutex);
  The().traits = {};
  The().fault = {};
  const Counts before = std::exchange(The().counts, {});
  The().counts.in_flight = before.in_flight;
  The().counts.buffers = before.buffers;
  The().counts.buffer_bytes = before.buffer_bytes;
}
void Set(const Traits& traits) {
  MutexLock lock(The().mutex);
  The().traits = traits;
}
Traits Now() {
  MutexLock lock(The().mutex);
  return The().traits;
}
void Fail(const Fault& fault) {
  MutexLock lock(The().mutex);
  The().fault = fault;
}
Counts Counted() {
  MutexLock lock(The().mutex);
  Counts counts = The().counts;
  counts.io_objects = HeldByIoKit();
  return counts;
}
void Listen(std::function<void(const std::string&)> listener) {
  MutexLock lock(The().mutex);
  The().listener = std::move(listener);
}
void ForgetTexts() {
  MutexLock lock(The().mutex);
  The().objects.clear();
}

Verdict NextVerdict() {
  MutexLock lock(The().mutex);
  Fault& fault = The().fault;
  if (fault.code == 0) return {};
  if (fault.after > 0) {
    --fault.after;
    return {};
  }
  if (fault.times > 0) {
    --fault.times;
    The().Tell("fault " + std::to_string(fault.code));
    return {fault.code, fault.share, TextOf(fault.code)};
  }
  if (fault.then_ignored > 0) {
    --fault.then_ignored;
    return {4, 0, TextOf(4)};
  }
  fault = {};
  return {};
}

void RecordCommitted() {
  MutexLock lock(The().mutex);
  ++The().counts.committed;
  Counts& counts = The().counts;
  counts.most_in_flight = std::max(counts.most_in_flight, ++counts.in_flight);
}
void RecordCompleted() {
  MutexLock lock(The().mutex);
  --The().counts.in_flight;
}
void RecordArchiveHit() {
  MutexLock lock(The().mutex);
  ++The().counts.archive_hits;
  The().Tell("archive");
}
void RecordCapture() {
  MutexLock lock(The().mutex);
  ++The().counts.captures;
  The().Tell("capture");
}

bool TakeMemory(uint64_t bytes) {
  MutexLock lock(The().mutex);
  if (The().counts.buffer_bytes + bytes > The().traits.memory_bytes) return false;
  The().counts.buffer_bytes += bytes;
  ++The().counts.buffers;
  return true;
}
void GiveMemory(uint64_t bytes) {
  MutexLock lock(The().mutex);
  The().counts.buffer_bytes -= bytes;
  --The().counts.buffers;
}
uint64_t MemoryInUse() { return Counted().buffer_bytes; }

Digest KeyOf(const std::string& text) { return DigestBuilder().Add(text).Finish(); }

void Know(const Digest& key, const Bytes& object) {
  MutexLock lock(The().mutex);
  The().objects[key] = object;
}

Result<Bytes> ObjectOf(const std::string& text) {
  const Digest key = KeyOf(text);
  {
    MutexLock lock(The().mutex);
    const auto known = The().objects.find(key);
    if (known != The().objects.end()) return known->second;
  }
  static const auto compiler = CpuCompiler::Find("", "", {});
  if (!compiler.ok()) return compiler.status();
  KernelSource source;
  source.text = text;
  WB_ASSIGN(Bytes object,
            test::BuiltObjects::OfThisRun().Get(compiler->target(), text, Effort::kQuick, [&] {
              return compiler->Build(source, Effort::kQuick);
            }));
  MutexLock lock(The().mutex);
  ++The().counts.compiled;
  The().Tell("compiled");
  The().objects[key] = object;
  return object;
}

void RunOnGpu(std::function<void()> work) {
  static Gpu& gpu = *new Gpu;
  gpu.Post(std::move(work));
}

}  // namespace wb::standin
