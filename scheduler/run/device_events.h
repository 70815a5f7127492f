#pragma once

// What goes between a device's loop and those around it: how a device is started, and what its
// thread tells of its jobs. Callbacks run on the device's thread.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "scheduler/job/active_job.h"
#include "scheduler/devices/device.h"
#include "scheduler/engine_host/silence.h"
#include "scheduler/pipelines/residency_notes.h"

namespace wb {

struct StartedDevice {
  std::shared_ptr<Device> device;
  int64_t host_pid = 0;  // engine host process, 0 if in process
  // Ends the device now: every call into it returns DEVICE_LOST. Any thread; may be empty.
  std::function<void()> kill = {};
  std::shared_ptr<const ShownSilence> silence = {};  // of its process; may be null
};
// Makes a device ready. It may call `on_lost` when the device ends by itself, from any thread.
using DeviceStarter = std::function<Result<StartedDevice>(std::function<void()> on_lost)>;

// Why a device's thread hands a job back to the desk.
enum class GivenBack : uint8_t {
  kBadPipeline,  // its binary does not load
  kKillsEngine,  // loading it ended the engine twice
  kNoEngine,     // the engine does not start any more
  kNoMemory,     // not even one lane fits
  kMachine,      // the machine lacked something, again and again
  kRecalled,     // the desk asked for it
  kClosed,       // the device takes nobody now
};

// A job that a device has no more.
struct Departure {
  ActiveJobRef job;
  std::string device;
  Digest pipeline;  // its key
};

struct DeviceEvents {
  std::function<void(Departure)> ended;  // all results delivered, or cancelled
  std::function<void(Departure, GivenBack, Status)> given_back;
  // Of a job that is on other devices too, or may go there: seats were filled or left here.
  std::function<void(const ActiveJobRef&)> landed;
  std::function<void(const std::string&)> log;
  // What a pipeline's launches on a device of this kind settled on earlier, and to remember what
  // they settle on now; the first may look at the disk. Both may be empty.
  std::function<std::optional<Residency>(const ResidencyOwner&)> recall;
  std::function<void(const ResidencyOwner&, const Residency&)> remember;
};

}  // namespace wb
