// Modules, launches and the kernel that stays, of the fake GPU. A launch runs at once, on the
// thread that asked for it; a kernel that stays is a thread.

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <utility>

#include "compiler/base/check.h"
#include "scheduler/devices/cpu/shared_object.h"
#include "tests/fakes/fake_gpu_calls.h"
#include "tests/fakes/fake_reorder.h"
#include "tests/fakes/voting_lanes.h"

namespace wb::test {

using LaunchClock = std::chrono::steady_clock;
using KernelFunction = void (*)(uint32_t* state, uint32_t* records, const uint32_t* program,
                                const uint32_t* columns, const uint32_t* blob,
                                const uint32_t* image, uint32_t* control, const abi::Params* params,
                                const uint32_t* kept, uint32_t gid);

struct FakeGpuCalls::Kernel {
  KernelFunction run = nullptr;
  bool stays = false;
  bool reorders = false;
  int most_threads = 0;  // of a block, as the kernel says; 0: it says nothing
};

namespace {

// A module: the shared object and its kernel, which two entries lead to.
struct Loaded {
  SharedObject object;
  FakeGpuCalls::Kernel entry;
  FakeGpuCalls::Kernel resident{nullptr, true};
  FakeGpuCalls::Kernel reorder{nullptr, false, true};
};

}  // namespace

// A "cubin": its length in 8 bytes, then a shared object.
int FakeGpuCalls::Load(void** module, const void* image, unsigned, int*, void**) {
  if (const int asked = Asked("module_load")) return asked;
  uint64_t size = 0;
  std::memcpy(&size, image, sizeof size);
  auto object = SharedObject::Load({static_cast<const uint8_t*>(image) + sizeof size, size});
  if (!object.ok()) return kInvalidImage;
  auto loaded = std::make_unique<Loaded>(Loaded{std::move(object).value(), {}});
  loaded->entry.run = reinterpret_cast<KernelFunction>(loaded->object.Find("wb_main"));
  if (void* const votes = loaded->object.Find("wb_votes"))
    *static_cast<const LaneVotes**>(votes) = VotesOfLanes();
  loaded->resident.run = loaded->entry.run;
  if (void* const lanes = loaded->object.Find("wb_block_lanes"))
    loaded->entry.most_threads = static_cast<int>(*static_cast<const uint32_t*>(lanes));
  *module = loaded.release();
  return 0;
}

// What is linked: the bytes of all parts, in their order.
int FakeGpuCalls::Link(void* link, int kind, void* data, size_t bytes, const char*, unsigned, int*,
                       void**) {
  if (const int asked = Asked("link_add")) return asked;
  if (kind != 0) return kInvalidValue;
  const auto* part = static_cast<const uint8_t*>(data);
  auto* linked = static_cast<Bytes*>(link);
  linked->insert(linked->end(), part, part + bytes);
  return 0;
}

int FakeGpuCalls::Linked(void* link, void** cubin, size_t* bytes) {
  if (const int asked = Asked("link_complete")) return asked;
  *cubin = static_cast<Bytes*>(link)->data();
  *bytes = static_cast<Bytes*>(link)->size();
  return 0;
}

int FakeGpuCalls::Unload(void* module) {
  delete static_cast<Loaded*>(module);
  return 0;
}

int FakeGpuCalls::FunctionOf(void** function, void* module, const char* name) {
  auto* loaded = static_cast<Loaded*>(module);
  if (std::string_view(name) == "wb_entry") return *function = &loaded->entry, 0;
  if (std::string_view(name) == "wb_resident") return *function = &loaded->resident, 0;
  if (std::string_view(name) == "wb_reorder") return *function = &loaded->reorder, 0;
  return kNotFound;
}

int FakeGpuCalls::MostThreads(const void* function) {
  const int says = static_cast<const Kernel*>(function)->most_threads;
  return says != 0 ? std::min(says, current->most_threads) : current->most_threads;
}

void FakeGpuCalls::RunGrid(uint32_t lanes, const std::function<void(uint32_t gid)>& run) {
  if (current->lanes_vote) return RunLanesThatVote(lanes, run);
  for (uint32_t gid = 0; gid < lanes; ++gid) run(gid);
}

// At once: a thread that waits for the stream finds it done. A kernel that stays is a thread.
int FakeGpuCalls::Launch(void* function, unsigned grid, unsigned, unsigned, unsigned block,
                         unsigned, unsigned, unsigned shared_bytes, void* stream, void** arguments,
                         void**) {
  if (const int asked = Asked("launch")) return asked;
  if (static_cast<const Kernel*>(function)->reorders) return Reorder(arguments);
  if (static_cast<int>(block) > MostThreads(function)) return kInvalidValue;
  ++current->launches_;
  current->grid = grid;
  current->block = block;
  current->shared_bytes = shared_bytes;
  current->last_kernel = function;
  const auto* kernel = static_cast<const Kernel*>(function);
  if (kernel->stays) return Stay(*kernel, block, stream, arguments);
  const auto buffer = [arguments](int i) {
    return static_cast<uint32_t*>(Pointer(*static_cast<uint64_t*>(arguments[i])));
  };
  const auto* params = static_cast<const abi::Params*>(arguments[7]);
  RunGrid(grid * block, [&](uint32_t gid) {
    kernel->run(buffer(0), buffer(1), buffer(2), buffer(3), buffer(4), buffer(5), buffer(6), params,
                buffer(8), gid);
  });
  if (current->after_launch) current->after_launch(buffer(1), *params);
  return 0;
}

// As compiler/prelude/cuda/reorder.cu.
int FakeGpuCalls::Reorder(void** arguments) {
  const uint64_t address = *static_cast<uint64_t*>(arguments[0]);
  const uint64_t group_words = *static_cast<uint64_t*>(arguments[1]);
  const uint64_t tiles = *static_cast<uint64_t*>(arguments[2]);
  const uint32_t groups = *static_cast<uint32_t*>(arguments[3]);
  const bool into_tiles = *static_cast<uint32_t*>(arguments[4]) != 0;
  constexpr uint32_t kLanes = abi::GROUP_LANES, kTile = abi::TILE_WORDS;
  ++current->reorders;
  for (uint32_t group = 0; group < groups; ++group) {
    const uint64_t first = address + group * group_words * sizeof(uint32_t);
    CheckRange(first, tiles * kTile * kLanes * sizeof(uint32_t));
    ReorderTiles(static_cast<uint32_t*>(Pointer(first)), tiles, into_tiles);
  }
  return 0;
}

uint64_t FakeGpuCalls::Words() {
  MutexLock lock(current->mutex_);
  return current->words_;
}

// As compiler/prelude/cuda/resident.cu, on one thread.
int FakeGpuCalls::Stay(const Kernel& kernel, unsigned block, void* stream, void** arguments) {
  WB_CHECK(!current->resident_.joinable());  // on a GPU it would wait for ever
  auto* board = static_cast<WbBoard*>(Pointer(*static_cast<uint64_t*>(arguments[0])));
  auto* ends = *static_cast<WbLaunchEnd**>(arguments[1]);
  const uint32_t first = *static_cast<uint32_t*>(arguments[2]);
  current->resident_stream_ = stream;
  current->resident_runs_ = true;
  current->resident_ = std::thread([=] {
    for (uint32_t number = first;;) {
      const uint64_t words = Words();
      WbBoardSlot& slot = board->slots[number % WB_BOARD_SLOTS];
      if (__atomic_load_n(&slot.posted, __ATOMIC_ACQUIRE) == number) {
        RunPosted(kernel, slot.post, block, ends[number % WB_BOARD_SLOTS], number);
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

void FakeGpuCalls::RunPosted(const Kernel& kernel, const WbPost& post, unsigned block,
                             WbLaunchEnd& end, uint32_t number) {
  const auto now = [] {
    return static_cast<uint64_t>(LaunchClock::now().time_since_epoch().count());
  };
  const auto buffer = [](uint64_t address) { return static_cast<uint32_t*>(Pointer(address)); };
  ++current->posts_;
  current->grid = post.blocks;
  end.began = now();
  RunGrid(post.blocks * block, [&](uint32_t gid) {
    kernel.run(buffer(post.state), buffer(post.records), buffer(post.program), buffer(post.columns),
               buffer(post.blob), buffer(post.image), buffer(post.control), &post.params,
               buffer(post.kept), gid);
  });
  if (current->after_launch) current->after_launch(buffer(post.records), post.params);
  end.ended = now();
  std::memcpy(end.counts, buffer(post.control) + abi::CONTROL_USEFUL_LO, sizeof end.counts);
  if (Asked("stream_query") != 0) return;  // a kernel that faulted says nothing any more
  __atomic_store_n(&end.number, number, __ATOMIC_RELEASE);
}

int FakeGpuCalls::Query(void* stream) {
  if (const int asked = Asked("stream_query")) return asked;
  return stream == current->resident_stream_ && current->resident_runs_ ? kNotReady : 0;
}

int FakeGpuCalls::Record(void* event, void*) {
  *static_cast<LaunchClock::time_point*>(event) = LaunchClock::now();
  return 0;
}

int FakeGpuCalls::Elapsed(float* milliseconds, void* begin, void* end) {
  const auto passed =
      *static_cast<LaunchClock::time_point*>(end) - *static_cast<LaunchClock::time_point*>(begin);
  *milliseconds = std::chrono::duration<float, std::milli>(passed).count();
  return 0;
}

int FakeGpuCalls::Synchronize(void* stream) {
  if (stream == current->resident_stream_ && current->resident_.joinable()) {
    current->resident_.join();
  }
  return Asked("stream_synchronize");
}

int FakeGpuCalls::AwaitEvent(void*) { return Asked("event_synchronize"); }

}  // namespace wb::test
