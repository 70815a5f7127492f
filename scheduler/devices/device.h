#pragma once

// Device: what runs lanes. It is small on purpose: a method is here only when two back ends need it
// to differ. Tests and benches use a device in process. The daemon uses one through an engine host
// (scheduler/engine_host). The interface is the same.
//
// Threads: info() and Build() from any thread. Stop() from any thread at any time. Await() from one
// other thread beside the owner. Everything else only from the one thread that owns the device.
// Errors: DEVICE_LOST means that the device is gone and every object that it gave is dead; the
// owner starts another device. A guest can never cause a Status: its traps are in the records.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/abi/lane.h"
#include "compiler/base/bytes.h"
#include "compiler/base/status.h"
#include "compiler/compiler.h"
#include "scheduler/control/occupancy.h"
#include "scheduler/devices/call_trace.h"
#include "scheduler/devices/fuel_profile.h"
#include "scheduler/devices/kernel_build.h"
#include "scheduler/devices/lane_fuel.h"
#include "scheduler/devices/lane_image.h"
#include "scheduler/devices/pipeline_facts.h"
#include "scheduler/devices/shape.h"
#include "scheduler/sensors/telemetry.h"

namespace wb {

enum class Engine : uint8_t { kCpu, kInterpreter, kCuda, kMetal };
std::string_view EngineName(Engine engine);  // "cpu"
constexpr bool IsGpu(Engine engine) { return engine == Engine::kCuda || engine == Engine::kMetal; }

struct DeviceInfo {
  std::string id;  // "cpu0": unique in the daemon
  Engine engine = Engine::kCpu;
  std::string name;         // for people: processor model, "interpreter"
  std::string target;       // part of every cache key: back end, its version, instruction set
  CompileOptions options;   // how kernels for it are emitted
  uint32_t threads = 1;     // lanes that truly run at the same time
  uint32_t processors = 0;  // that share them equally, each with a cache; 0: nothing known of such
  uint64_t memory_bytes = 0;  // budget for lane state
  std::string sensors;        // what its thermometers are or why it has none; empty: not known
  // Seats worth giving a dispatch for each of its lanes. More than 1: the device idles between two
  // launches, so one launch should be enough for many instances.
  uint32_t seats_per_lane = 1;
  // Launches that may be begun and not yet awaited. More than 1: the next launch starts by itself
  // when the one before it leaves room or ends. The host can seat instances and take results
  // meanwhile.
  uint32_t launches_at_once = 1;
  static constexpr uint32_t kMostLaunchesAtOnce = 16;  // that any device has
  // Kernel texts of so many bytes are worth a quick build before the full one. Both 0: no text is.
  uint64_t quick_text_from = 0;
  uint64_t quick_text_below = 0;
  // Kernel texts with fewer bytes may have a best build that is not the full one. 0: none has.
  uint64_t best_text_below = 0;
  bool moves_lanes = false;    // it gives lanes out and takes them in
  bool maps_memory = false;    // DispatchShape::mapped_pages means something to it
  bool maps_inputs = false;    // inputs that it keeps stay in the host's memory and cost it nothing
  bool few_registers = false;  // pipelines may have a kernel for Occupancy::few_registers
  bool tiled = false;          // ... and for Occupancy::tiled
  bool hot = false;            // ... and for Occupancy::hot
  bool adopts_pipelines = false;  // Adopt() works
  // GPUs of this kind of engine that the driver counts, this one included. 0: not known.
  uint32_t gpus = 0;
};

// Devices of one kind run a module equally fast: "cuda NVIDIA H200, ...".
std::string KindOf(const DeviceInfo& info);

// Lanes with which a device is, on the whole, as fast as it will be. With fewer lanes each lane is
// still as fast as with these. A GPU's lanes wait for memory and for each other's results: with a
// quarter of its threads an H200 did 84 % of what it did with all (bench/README.md, cuda_queue).
uint32_t FullWidth(const DeviceInfo& info);

// A loaded kernel. It is opaque and immutable, and lives as long as a reference to it.
class Pipeline {
 public:
  virtual ~Pipeline() = default;
  virtual PipelineFacts facts() const { return {}; }  // any thread
};
using PipelineRef = std::shared_ptr<const Pipeline>;

// The seats of one dispatch on one device. The spans are memory that the host sees. The host may
// touch them between launches only: not from Begin() of a launch until Await() has returned its
// report. The record of seat i is at i * RecordWords(). Word c of its columns is columns[c *
// Seats() + i]. Its byte inputs are anywhere in the blob. A seat begins with MarkStart().
class Dispatch {
 public:
  virtual ~Dispatch() = default;
  virtual const DispatchShape& shape() const = 0;
  virtual std::span<uint32_t> records() = 0;
  virtual std::span<uint32_t> columns() = 0;
  virtual std::span<uint8_t> blob() = 0;
};

// Marks the seat of this record to start. In a queue of seats it then waits for a lane. Lanes look
// for RECORD_QUEUED alone, since the lane that holds a seat may write the seat's state.
inline void MarkStart(std::span<uint32_t> record) {
  record[abi::RECORD_SEAT] = abi::SEAT_START;
  record[abi::RECORD_QUEUED] = 1;
  // A lane that was left with the seat's last instance sees by this that the instance is gone.
  ++record[abi::RECORD_TURN];
}

// The seat has an instance that was left midway, and its lane is as it was. The instance goes on in
// the next launch, or as soon as it has the memory that it waits for.
inline bool IsLeftMidway(std::span<const uint32_t> record) {
  return record[abi::RECORD_SEAT] == abi::SEAT_RUNNING ||
         (record[abi::RECORD_SEAT] == abi::SEAT_NEEDS_MEMORY &&
          record[abi::RECORD_WANTED_PAGES] != 0);
}

// ... and it waits for the job's caller to answer a call, which no device does.
inline bool AsksHost(std::span<const uint32_t> record) {
  return record[abi::RECORD_SEAT] == abi::SEAT_NEEDS_MEMORY &&
         record[abi::RECORD_WANTED_PAGES] == abi::ASKS_HOST;
}

struct LaunchLimits {
  std::chrono::nanoseconds max_duration{std::chrono::milliseconds(500)};
  uint64_t slice_fuel = uint64_t{1} << 62;  // of lane 0
  uint32_t slice_step = 0;                  // lane i gets slice_fuel + i * slice_step
  uint32_t quantum = 1u << 20;              // fuel between two looks at the stop word
  // Queued seats: the launch ends once more lanes than this have nothing to run; the other
  // instances are left midway. For a caller that can seat other instances.
  uint32_t most_idle = ~0u;
  Occupancy occupancy;
  // Queued seats: a lane that has ended its instance waits so many quanta at most for those of its
  // group that are about as far, so that they begin together. 0: it waits for none.
  uint32_t group_wait = kGroupWait;
  static constexpr uint32_t kGroupWait = 2;
  // False: the host has written nothing into the dispatch since its last launch.
  bool seats_written = true;
  // Of a device that traces or inspects: the lane that is looked at. Once its instance has ended,
  // lanes of its group need not run on. kAllLanes: the last trap of any lane is told.
  static constexpr uint32_t kAllLanes = ~0u;
  uint32_t watched_lane = kAllLanes;
  std::string label = {};  // for tools: whose instances these are; empty: nobody asks
};

struct LaunchReport {
  // Seats in SEAT_START or SEAT_RUNNING. Queued seats: 0 when there is none, else at least 1.
  uint32_t seats_left = 0;
  std::chrono::nanoseconds busy{};
  // Of an interpreter that traces: the calls under way at the last trap, if there was one. Where a
  // primitive traps (an assertion, a collective) the innermost is the primitive's function.
  CallTrace trace = {};
  FuelProfile fuel = {};  // of an interpreter that profiles
  LaneFuel lane_fuel = {};
};

// A lane that is to go on in this seat.
struct LanePlace {
  uint32_t seat = 0;
  std::shared_ptr<const LaneImage> image;
};

class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const = 0;

  // Makes what Load takes from kernel text. Slow (seconds); bounded by the device's own compile
  // limits. The result may be cached under the source's digest and info().target. Errors:
  // COMPILE_FAILED, COMPILE_TIMEOUT. The interpreter returns the module's binary. A device whose
  // compiler has but one way ignores `effort`. No bytes for kBest: the full build is the best one.
  virtual Result<Bytes> Build(const LoweredModule& module, const KernelSource& source,
                              Effort effort = Effort::kFull) = 0;

  // `binary` is what Build returned for this very module.
  virtual Result<PipelineRef> Load(std::shared_ptr<const LoweredModule> module,
                                   ByteView binary) = 0;

  // Has the input on the device, for shapes of dispatches. It takes as long as a copy of the bytes
  // does, which `input` need not outlive; where info().maps_inputs there is no copy. The caller
  // counts its bytes in the device's memory. NO_DEVICE_FITS when there is not so much, or no buffer
  // of the device is so long.
  virtual Result<KeptInputRef> Keep(const InputBytes& input);

  // NO_DEVICE_FITS when the shape needs more memory than there is. All seats are SEAT_EMPTY at
  // first.
  virtual Result<std::unique_ptr<Dispatch>> Allocate(const PipelineRef& pipeline,
                                                     const DispatchShape& shape) = 0;

  // Begins a launch. It runs every seat in SEAT_START or SEAT_RUNNING until the instance ends, its
  // slice is spent, the time is over, or Stop() is called. Ended seats are SEAT_DONE. Launches run
  // one after the other in the order in which they were begun. Each is on a dispatch of its own,
  // and at most info().launches_at_once are begun and not awaited. A launch may begin with what the
  // one before it has left idle, but its time counts from when that one has ended. After an error
  // of Begin the launch has not begun.
  virtual Status Begin(Dispatch& dispatch, const LaunchLimits& limits) = 0;
  // Blocks until the oldest launch not awaited yet is over.
  virtual Result<LaunchReport> Await() = 0;
  Result<LaunchReport> Launch(Dispatch& dispatch, const LaunchLimits& limits) {
    WB_TRY(Begin(dispatch, limits));
    return Await();
  }

  // Launches of the dispatch have this pipeline from now on, another build of its module: lanes go
  // on as they are. Between launches of the dispatch; only where info().adopts_pipelines.
  virtual Status Adopt(Dispatch& dispatch, const PipelineRef& pipeline);

  // Makes every launch that was begun end soon, within a quantum on every thread: the launch that
  // runs and those behind it. No effect otherwise.
  virtual void Stop() = 0;

  // Lanes move where info().moves_lanes, between launches of the dispatch, several at a time.
  // Launches of other dispatches of the device may be under way. An instance that was exported goes
  // on elsewhere as if it had never left.
  //
  // Exports the instances that were left midway (IsLeftMidway) in these seats. They stay there too:
  // the caller empties those seats before another launch. Of an instance that has ended (SEAT_DONE)
  // what it left is exported, with no call under way, where each lane has one seat; a change to the
  // words that it began with, where those were lent and the device has kept them. nullopt for a
  // seat without such an instance, or whose lane no sound engine leaves so.
  virtual Result<std::vector<std::optional<LaneImage>>> ExportLanes(
      Dispatch& dispatch, std::span<const uint32_t> seats);
  // Imports lanes into seats in SEAT_START, whose columns are written. The seats become
  // SEAT_RUNNING, and the next launch has seats_written. The result says what became of each.
  // INVALID_ARGUMENT: the image is not sound, is of something else, or is larger than this
  // dispatch's reserves. NO_DEVICE_FITS: no lane is free. After either the seat starts as if
  // ImportLanes had not been called.
  virtual Result<std::vector<Status>> ImportLanes(Dispatch& dispatch,
                                                  std::span<const LanePlace> lanes);

  virtual Telemetry Sample() = 0;
};

}  // namespace wb
