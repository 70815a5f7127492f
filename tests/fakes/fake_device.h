#pragma once

// FakeEngine: devices that do with lanes what a test says, without running anything. It outlives
// the devices it starts, as a machine outlives the engine hosts on it.
//
// The fake runs no program: an instance's first column word, as a number, stands for the instance,
// and a lane that is done reports that number plus one in register 0.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compiler/base/mutex.h"
#include "scheduler/devices/device.h"
#include "scheduler/devices/started_device.h"
#include "scheduler/pipelines/lowering.h"

namespace wb::test {

enum class LaneAct : uint8_t {
  kDone,
  kStay,         // left midway
  kQueued,       // no lane took its seat
  kNeedsMemory,  // from the start, unless the dispatch reserves all there is
  kWaits,        // likewise: left midway for want of `wanted_pages`
  kNeedsStack,   // likewise
  kTrap,
  kNonsense,    // a record that no sound engine writes
  kKillEngine,  // the launch ends with DEVICE_LOST
};

struct FakeLane {
  uint32_t number = 0;  // the instance's first column word
  uint32_t capacity_pages = 0;
  uint32_t lanes = 0;  // seats of the dispatch
  uint32_t capacity_stack = 0;
};

struct FakeLaunch {
  uint32_t seats = 0;  // of the dispatch
  uint32_t taken = 0;  // running or to be started
  uint32_t capacity_pages = 0;
  uint32_t steps = 0;
  std::chrono::nanoseconds max_duration{};
  uint32_t most_idle = 0;
  uint32_t lanes = 0;  // of the dispatch
  Occupancy occupancy;
  uint64_t slice_fuel = 0;
  uint32_t group_wait = 0;
  uint32_t quantum = 0;
};

class FakeEngine {
 public:
  explicit FakeEngine(Engine engine, uint64_t memory_bytes = uint64_t{1} << 30,
                      uint32_t ordinal = 0);

  DeviceStarter Starter();  // for AssembleScheduler

  // What lanes do; called on the device's thread. Set before the scheduler starts.
  std::function<LaneAct(const FakeLane&)> act;
  // Builds give this binary, after `on_build`; errors instead of it while there are any.
  std::function<Result<Bytes>(const KernelSource&)> on_build;
  std::function<Result<Bytes>(const KernelSource&)> on_quick_build;  // of quick ones, instead
  std::function<Result<Bytes>(const KernelSource&)> on_best_build;   // of best ones, likewise
  std::function<Status(ByteView)> on_load;
  std::function<Status(const DispatchShape&)> on_allocate;
  bool blocks_until_stop = false;  // launches wait for Stop() (or Release()) first
  std::string target = "fake-1";
  std::string name = "fake";
  bool adopts_pipelines = false;
  std::atomic<uint32_t> adoptions{0};
  uint64_t quick_text_from = 0;
  uint64_t quick_text_below = 0;
  uint64_t best_text_below = 0;
  Floats floats = Floats::kNative;
  uint32_t gpus = 1;  // that its driver counts
  uint32_t threads = 2;
  uint32_t processors = 0;
  uint32_t seats_per_lane = 1;
  uint32_t launches_at_once = 1;
  LaneFuel lane_fuel;      // that each launch reports
  PipelineFacts facts;     // of each pipeline
  uint64_t stay_fuel = 0;  // that a lane which stays uses in a launch, if its slice has so much
  std::chrono::nanoseconds busy{std::chrono::milliseconds(1)};           // that a launch took
  std::function<std::chrono::nanoseconds(const FakeLaunch&)> on_launch;  // instead; before `act`
  // Lanes move: an image is a record. Asked of each that is given out, and of each that is put in.
  bool moves_lanes = true;
  bool maps_inputs = false;
  std::function<Status(const InputBytes&)> on_keep;  // before an input is kept
  std::function<Status(uint32_t seat)> on_export_lanes;
  std::function<Status(const LaneImage&)> on_import_lanes;  // DEVICE_LOST: of the device
  uint32_t wanted_pages = 0;
  uint64_t done_fuel = 7;  // that a lane which is done uses in its last launch
  bool adds_fuel = false;  // a lane that is done has used what it used as it stayed as well
  std::function<Telemetry()> sensors;  // on the device's thread

  void FailStarts(uint32_t count);   // the next starts
  void LoseCurrent();                // as if its host had died while idle
  void ReleaseLaunches();            // what blocks_until_stop holds, now and later
  void AwaitLaunch(uint64_t count);  // until so many launches have begun
  void AwaitBuild(uint64_t count);   // likewise
  void AwaitKills(uint64_t count);   // until so many hosts have been ended by the scheduler

  uint32_t starts() const;
  uint32_t builds() const;
  uint32_t loads() const;
  uint32_t given_out() const { return given_out_; }  // lanes
  uint32_t import_lanes() const { return put_in_; }
  uint32_t uploads() const { return uploads_; }  // of inputs
  uint32_t kept() const { return kept_; }        // that live
  std::vector<FakeLaunch> launches() const;

 private:
  friend class FakeDevice;
  Result<StartedDevice> Start(std::function<void()> on_lost);
  std::shared_ptr<Device> MakeDevice(DeviceInfo info);

  std::atomic<uint32_t> given_out_{0};
  std::atomic<uint32_t> put_in_{0};
  std::atomic<uint32_t> uploads_{0}, kept_{0};
  const Engine engine_;
  const uint64_t memory_bytes_;
  const uint32_t ordinal_;
  mutable Mutex mutex_;
  CondVar changed_;
  uint32_t starts_ WB_GUARDED_BY(mutex_) = 0;
  uint32_t failing_starts_ WB_GUARDED_BY(mutex_) = 0;
  uint32_t builds_ WB_GUARDED_BY(mutex_) = 0;
  uint32_t loads_ WB_GUARDED_BY(mutex_) = 0;
  uint32_t kills_ WB_GUARDED_BY(mutex_) = 0;
  bool stopped_ WB_GUARDED_BY(mutex_) = false;
  bool released_ WB_GUARDED_BY(mutex_) = false;
  std::vector<FakeLaunch> launches_ WB_GUARDED_BY(mutex_);
  std::function<void()> on_lost_ WB_GUARDED_BY(mutex_);
};

// A compiler that compiles nothing: kernel text named after the module. `refuse`: no kernel text.
CompilerCalls FakeCompiler(bool refuse = false);

}  // namespace wb::test
