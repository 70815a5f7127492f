#pragma once

// DeviceLoops: owns the devices' loops: opens those that are there at the start, and GPUs that come
// later; finds one by its id; says which devices there are not.
//
// Threads: Open first, Close last; all else from any thread. A loop stays until this ends.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compiler/base/mutex.h"
#include "scheduler/job/job_plan.h"
#include "scheduler/run/device_loop.h"
#include "scheduler/scheduler_parts.h"

namespace wb {

class DeviceLoops {
 public:
  // What every loop is given. All outlive this.
  struct Terms {
    const SchedulerSettings& settings;  // whose log is not empty
    Clock& clock;
    DeviceLoop::Common common;
  };
  explicit DeviceLoops(const Terms& terms) : terms_(terms) {}

  // Takes the starters from `parts`. Errors as CreateScheduler's.
  Status Open(SchedulerParts* parts, DeviceEvents events);
  void Close();  // joins their threads

  // What is called of each GPU that has come: before and after it is one of All().
  struct NewGpu {
    std::function<void(DeviceLoop*)> opened;
    std::function<void(DeviceLoop*)> added;
  };
  // Looks for GPUs that came since; their ids.
  std::vector<std::string> Find(const NewGpu& hears);
  std::vector<std::string> Missing() const;  // a sentence each

  DeviceLoop* cpu() const { return cpu_.get(); }  // nullptr: there is none
  DeviceLoop* interpreter() const { return interpreter_.get(); }
  std::vector<DeviceLoop*> Gpus() const;
  std::vector<DeviceLoop*> All() const;
  Result<DeviceLoop*> Of(const std::string& device) const;  // NOT_FOUND names the devices
  Status CheckFits(const JobPlan& plan) const;              // NO_DEVICE_FITS: its instances in none

 private:
  Status OpenCpu(SchedulerParts* parts);
  Status OpenFirstGpus();
  std::vector<std::unique_ptr<DeviceLoop>> OpenGpus(GpuSearch& search);
  std::string GpuId(uint32_t ordinal) const;
  std::unique_ptr<DeviceLoop> NewGpuLoop(uint32_t ordinal);
  void RecordMissing(std::string words);

  const Terms terms_;
  DeviceEvents events_;  // set by Open
  GpuParts gpu_parts_;   // likewise
  std::unique_ptr<DeviceLoop> cpu_;
  std::unique_ptr<DeviceLoop> interpreter_;
  Mutex finding_;  // one search at a time
  mutable Mutex mutex_;
  std::vector<std::unique_ptr<DeviceLoop>> gpus_ WB_GUARDED_BY(mutex_);  // more may come
  std::vector<std::string> missing_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
