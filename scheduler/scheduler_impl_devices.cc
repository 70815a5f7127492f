// SchedulerImpl: the devices that there are, at the start and later.

#include <set>
#include <utility>

#include "scheduler/base/quoted.h"
#include "scheduler/scheduler_impl.h"

namespace wb {

Status SchedulerImpl::OpenCpu(SchedulerParts& parts) {
  if (!parts.cpu) return {};
  cpu_ = std::make_unique<DeviceLoop>(settings_.device_prefix + "cpu0", std::move(parts.cpu),
                                      settings_.cpu, clock_, Common(), Events());
  Status opened = cpu_->Open();
  if (opened.reason() != Reason::kConfigInvalid || !parts.cpu_may_lack) return opened;
  RecordMissing("There is no CPU device: " + opened.message());
  cpu_.reset();
  return {};
}

// Those that opened; the search knows of the others.
std::vector<std::unique_ptr<DeviceLoop>> SchedulerImpl::OpenGpus(GpuSearch& search) {
  std::vector<std::unique_ptr<DeviceLoop>> opened;
  for (auto next = search.Next(); !next.empty(); next = search.Next()) {
    std::vector<std::pair<uint32_t, std::unique_ptr<DeviceLoop>>> opening;
    for (const uint32_t ordinal : next) {
      opening.emplace_back(
          ordinal, std::make_unique<DeviceLoop>(
                       settings_.device_prefix + gpu_parts_.kind + std::to_string(ordinal),
                       gpu_parts_.starter(ordinal), settings_.cuda, clock_, Common(), Events()));
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

Status SchedulerImpl::OpenFirstGpus() {
  if (!gpu_parts_.starter) return {};
  GpuSearch search(gpu_parts_.choice);
  std::vector<std::unique_ptr<DeviceLoop>> opened = OpenGpus(search);
  {
    MutexLock lock(devices_mutex_);
    gpus_ = std::move(opened);
  }
  WB_TRY(search.End());
  for (std::string& words : search.Words()) RecordMissing(std::move(words));
  return {};
}

std::vector<std::string> SchedulerImpl::FindDevices() {
  MutexLock one(finding_);
  if (!gpu_parts_.starter) return {};
  std::set<std::string> here;
  for (const DeviceLoop* loop : Loops()) here.insert(loop->id());
  GpuSearch search(gpu_parts_.choice, [&](uint32_t ordinal) {
    return here.count(gpu_parts_.kind + std::to_string(ordinal)) > 0;
  });
  std::vector<std::string> found;
  for (std::unique_ptr<DeviceLoop>& gpu : OpenGpus(search)) {
    found.push_back(gpu->id());
    DeviceLoop* const loop = gpu.get();
    builder_->AddDevice(*loop, settings_.CompileParallel());
    {
      MutexLock lock(devices_mutex_);
      gpus_.push_back(std::move(gpu));
    }
    coordinator_queue_.Post([this, loop] { coordinator_->AddGpu(loop); });
  }
  MutexLock lock(devices_mutex_);
  if (!found.empty()) missing_ = search.Words();
  return found;
}

std::vector<std::string> SchedulerImpl::MissingDevices() const {
  MutexLock lock(devices_mutex_);
  return missing_;
}

void SchedulerImpl::RecordMissing(std::string words) {
  settings_.log(words);
  MutexLock lock(devices_mutex_);
  missing_.push_back(std::move(words));
}

// The interpreter's builds take no time.
std::map<BuildTarget*, uint32_t> SchedulerImpl::BuildsAtOnce() const {
  std::map<BuildTarget*, uint32_t> builds;
  for (DeviceLoop* loop : Loops()) builds[loop] = settings_.CompileParallel();
  builds[interpreter_.get()] = 1;
  return builds;
}

std::vector<DeviceLoop*> SchedulerImpl::Loops() const {
  std::vector<DeviceLoop*> loops;
  if (cpu_) loops.push_back(cpu_.get());
  {
    MutexLock lock(devices_mutex_);
    for (const auto& gpu : gpus_) loops.push_back(gpu.get());
  }
  if (interpreter_) loops.push_back(interpreter_.get());
  return loops;
}

std::vector<DeviceStatus> SchedulerImpl::Devices() const {
  std::vector<DeviceStatus> devices;
  for (const DeviceLoop* loop : Loops()) devices.push_back(loop->Snapshot());
  return devices;
}

Result<DeviceLoop*> SchedulerImpl::LoopOf(const std::string& device) const {
  std::string known;
  for (DeviceLoop* loop : Loops()) {
    if (loop->id() == device) return loop;
    known += (known.empty() ? "" : ", ") + loop->id();
  }
  return Status(Reason::kNotFound,
                "There is no device " + Quoted(device) + "; there are " + Quoted(known) + ".",
                {{"resource_type", "device"}, {"resource", device}});
}

Result<std::vector<PipelineStatus>> SchedulerImpl::Pipelines(const std::string& device,
                                                             const Digest& module) const {
  WB_ASSIGN(const DeviceLoop* const loop, LoopOf(device));
  return loop->Pipelines(module);
}

}  // namespace wb
