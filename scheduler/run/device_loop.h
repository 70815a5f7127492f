#pragma once

// DeviceLoop: a device and the one thread that owns it, as other threads use them. The thread runs
// bursts of the device's jobs in turn, rests between bursts, and starts the device again when it is
// lost. Where a device takes several launches at once the next one is begun while one runs, so that
// results are taken and seats filled beside it.
//
// Threads: Open() first; then all methods from any thread; Close() last.

#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "scheduler/pipelines/build_target.h"
#include "scheduler/run/device_parts.h"

namespace wb {

class DeviceLoop : public BuildTarget {
 public:
  using Common = SharedByDevices;
  DeviceLoop(std::string id, DeviceStarter starter, const DeviceSettings& settings, Clock& clock,
             const Common& common, DeviceEvents events);
  ~DeviceLoop() override;
  DeviceLoop(const DeviceLoop&) = delete;
  DeviceLoop& operator=(const DeviceLoop&) = delete;

  Status Open() {
    BeginOpen();
    return AwaitOpen();
  }
  void BeginOpen();    // starts the thread, which starts the device
  Status AwaitOpen();  // the starter's error
  void Close();        // joins the thread; jobs still here are dropped without OnEnd

  // After job->Join() of this device.
  void Add(ActiveJobRef job, PreparedPipeline pipeline);
  void Cancelled(const ActiveJob* job);  // after job->cancelled was set
  // Ends its launch soon and gives the job back, kEvicted: its seated instances take their state
  // along or start again, attempt unchanged. No effect on one that has ended or is not here.
  void Evict(ActiveJobRef job);
  // Ends its launch soon; it goes on with this pipeline, of the same key: its seated instances go
  // on there or start again, attempt unchanged. No effect likewise.
  void SwapPipeline(ActiveJobRef job, PreparedPipeline pipeline);
  // Why the job stays here, for its progress; no effect likewise.
  void Explain(ActiveJobRef job, std::string placement_reason);
  void Wake();  // a sink's room has grown

  // The device if it is up by `until`, for Build() (any thread); DEVICE_LOST if not.
  Result<std::shared_ptr<Device>> AwaitDevice(TimePoint until) override;
  // Closes the device to instances or opens it. Jobs without seated instances are given back,
  // kClosed; at the deadline of a drain all others too, their seated instances with the attempt
  // unchanged. False: it was so already.
  bool Order(const GateOrder& order);
  bool IsOpen() const { return parts_.gate.IsOpen(); }

  // What holds up all jobs that wait for the device.
  std::vector<WaitReason> Waits() const;
  bool Runs(const ActiveJob& job) const;  // a launch of it is under way
  // Why a job that is here does not run now, all of it. Empty: it runs, or is not here.
  std::vector<WaitReason> WaitsOf(const ActiveJob& job) const;

  // For a choice between devices.
  struct Standing {
    bool open = true;
    bool healthy = true;
    uint64_t jobs = 0;  // that are here
  };
  Standing Look() const;

  const std::string& id() const { return parts_.id; }
  DeviceInfo info() const override;  // of the device as it last was
  std::vector<PipelineStatus> Pipelines(const Digest& module) const {
    return parts_.pipelines.book().Of(module);
  }
  DeviceStatus Snapshot() const;  // its sensors are read for a while from now on

 private:
  void Post(LoopInbox::Command command);

  mutable DeviceParts parts_;  // mutable: to look at a device has its sensors read
  std::thread thread_;
};

}  // namespace wb
