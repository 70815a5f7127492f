#include "scheduler/device_loops.h"

#include <algorithm>
#include <set>
#include <utility>

#include "scheduler/base/quoted.h"

namespace wb {

Status DeviceLoops::Open(SchedulerParts* parts, DeviceEvents events) {
  events_ = std::move(events);
  WB_TRY(OpenCpu(parts));
  gpu_parts_ = std::move(parts->gpus);
  WB_TRY(OpenFirstGpus());
  interpreter_ = std::make_unique<DeviceLoop>(
      terms_.settings.device_prefix + "interpreter0", std::move(parts->interpreter),
      terms_.settings.interpreter, terms_.clock, terms_.common, events_);
  return interpreter_->Open();
}

void DeviceLoops::Close() {
  for (DeviceLoop* loop : All()) loop->Close();
}

Status DeviceLoops::OpenCpu(SchedulerParts* parts) {
  if (!parts->cpu) return {};
  cpu_ = std::make_unique<DeviceLoop>(terms_.settings.device_prefix + "cpu0", std::move(parts->cpu),
                                      terms_.settings.cpu, terms_.clock, terms_.common, events_);
  Status opened = cpu_->Open();
  if (opened.reason() != Reason::kConfigInvalid || !parts->cpu_may_lack) return opened;
  RecordMissing("There is no CPU device: " + opened.message());
  cpu_.reset();
  return {};
}

std::string DeviceLoops::GpuId(uint32_t ordinal) const {
  return terms_.settings.device_prefix + gpu_parts_.kind + std::to_string(ordinal);
}

std::unique_ptr<DeviceLoop> DeviceLoops::NewGpuLoop(uint32_t ordinal) {
  return std::make_unique<DeviceLoop>(GpuId(ordinal), gpu_parts_.starter(ordinal),
                                      terms_.settings.cuda, terms_.clock, terms_.common, events_);
}

// Those that opened; the search knows of the others.
std::vector<std::unique_ptr<DeviceLoop>> DeviceLoops::OpenGpus(GpuSearch& search) {
  std::vector<std::unique_ptr<DeviceLoop>> opened;
  for (auto next = search.Next(); !next.empty(); next = search.Next()) {
    std::vector<std::pair<uint32_t, std::unique_ptr<DeviceLoop>>> opening;
    for (const uint32_t ordinal : next) {
      opening.emplace_back(ordinal, NewGpuLoop(ordinal));
      opening.back().second->BeginOpen();
    }
    for (auto& [ordinal, gpu] : opening) {
      if (const Status status = gpu->AwaitOpen(); !status.ok()) {
        search.Failed(ordinal, status);
        continue;
      }
      search.Opened(gpu->info().gpus);
      opened.push_back(std::move(gpu));
    }
  }
  return opened;
}

Status DeviceLoops::OpenFirstGpus() {
  if (!gpu_parts_.starter) return {};
  GpuSearch search(gpu_parts_.choice);
  std::vector<std::unique_ptr<DeviceLoop>> opened = OpenGpus(search);
  {
    MutexLock lock(mutex_);
    gpus_ = std::move(opened);
  }
  WB_TRY(search.End());
  for (std::string& words : search.Words()) RecordMissing(std::move(words));
  return {};
}

std::vector<std::string> DeviceLoops::Find(const NewGpu& hears) {
  MutexLock one(finding_);
  if (!gpu_parts_.starter) return {};
  std::set<std::string> here;
  for (const DeviceLoop* loop : All()) here.insert(loop->id());
  GpuSearch search(gpu_parts_.choice,
                   [&](uint32_t ordinal) { return here.count(GpuId(ordinal)) > 0; });
  std::vector<std::string> found;
  for (std::unique_ptr<DeviceLoop>& gpu : OpenGpus(search)) {
    found.push_back(gpu->id());
    DeviceLoop* const loop = gpu.get();
    hears.opened(loop);
    {
      MutexLock lock(mutex_);
      gpus_.push_back(std::move(gpu));
    }
    hears.added(loop);
  }
  MutexLock lock(mutex_);
  if (!found.empty()) missing_ = search.Words();
  return found;
}

std::vector<std::string> DeviceLoops::Missing() const {
  MutexLock lock(mutex_);
  return missing_;
}

void DeviceLoops::RecordMissing(std::string words) {
  terms_.settings.log(Severity::kWarning, words);
  MutexLock lock(mutex_);
  missing_.push_back(std::move(words));
}

std::vector<DeviceLoop*> DeviceLoops::Gpus() const {
  std::vector<DeviceLoop*> loops;
  MutexLock lock(mutex_);
  for (const auto& gpu : gpus_) loops.push_back(gpu.get());
  return loops;
}

std::vector<DeviceLoop*> DeviceLoops::All() const {
  std::vector<DeviceLoop*> loops = Gpus();
  if (cpu_) loops.insert(loops.begin(), cpu_.get());
  if (interpreter_) loops.push_back(interpreter_.get());
  return loops;
}

Result<DeviceLoop*> DeviceLoops::Of(const std::string& device) const {
  std::string known;
  for (DeviceLoop* loop : All()) {
    if (loop->id() == device) return loop;
    known += (known.empty() ? "" : ", ") + loop->id();
  }
  return Status(Reason::kNotFound,
                "There is no device " + Quoted(device) + "; there are " + Quoted(known) + ".",
                {{"resource_type", "device"}, {"resource", device}});
}

Status DeviceLoops::CheckFits(const JobPlan& plan) const {
  uint64_t most = 0;
  for (const DeviceLoop* loop : All()) most = std::max(most, loop->info().memory_bytes);
  const uint64_t needed = uint64_t{plan.max_pages} * abi::PAGE_BYTES;
  if (needed < most) return {};
  return Status(Reason::kNoDeviceFits,
                "An instance may grow to " + Quoted(needed) +
                    " bytes of memory; no device here has more than " + Quoted(most) + ".",
                {{"field", "limits.max_memory_bytes"}});
}

}  // namespace wb
