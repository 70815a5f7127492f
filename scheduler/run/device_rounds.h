#pragma once

// DeviceRounds: what a device's thread does, round after round: it takes what other threads have
// left, applies the operator's gate, starts a device that is down, and gives the next job its turn.
// Where there is nothing to do it waits. Only on the device's own thread.

#include <cstdint>
#include <map>

#include "compiler/base/digest.h"
#include "scheduler/run/device_parts.h"
#include "scheduler/run/launch_cycle.h"

namespace wb {

class DeviceRounds {
 public:
  explicit DeviceRounds(DeviceParts& parts) : parts_(parts), cycle_(parts) {}  // outlives it
  DeviceRounds(const DeviceRounds&) = delete;
  DeviceRounds& operator=(const DeviceRounds&) = delete;

  // Until the inbox is closed. Jobs that are here then are dropped without OnEnd.
  void Run();

 private:
  bool StartFirst();
  bool StartDevice(TimePoint now);
  void OnStarted();
  void RecordFailedStart(const Status& why);

  bool TakeInbox();
  void Add(LoopInbox::Arrival arrival);
  void Apply(const LoopInbox::Command& command);
  void SwapPipeline(DeviceJob& job, const PreparedPipeline& better);
  void ApplyGate(TimePoint now);
  bool MayWork(TimePoint now);
  void AwaitMore(TimePoint now);

  void TakeTurn(DeviceJob& job);
  bool MakeAlone(const DeviceJob& job);
  bool LoadPipeline(DeviceJob& job);
  void GatherFor(const DeviceJob& leader);
  bool Launch(DeviceJob& job, TimePoint now);
  void AwaitMemory(DeviceJob& job);
  void Delay(DeviceJob& job, const Status& why);
  void SetupLost(DeviceJob& job, const Status& why);

  DeviceParts& parts_;
  LaunchCycle cycle_;
  uint32_t start_failures_ = 0;  // in a row
  // By pipelines: engines that ended while they loaded one, since it was launched last.
  std::map<Digest, uint32_t> setup_losses_;
};

}  // namespace wb
