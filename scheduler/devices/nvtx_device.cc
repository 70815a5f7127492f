#include "scheduler/devices/nvtx_device.h"

#include <deque>
#include <utility>

#include "compiler/base/mutex.h"
#include "scheduler/base/dynamic_library.h"

namespace wb {
namespace {

template <typename Function>
Status Take(const DynamicLibrary& library, const char* symbol, Function** function) {
  *function = reinterpret_cast<Function*>(library.Find(symbol));
  return *function == nullptr ? library.Lacks(symbol) : Status();
}

class NvtxDevice final : public Device {
 public:
  NvtxDevice(std::unique_ptr<Device> inner, const NvtxLibrary& library)
      : library_(library), inner_(std::move(inner)) {}
  ~NvtxDevice() override { EndJob(); }

  const DeviceInfo& info() const override { return inner_->info(); }
  Result<Bytes> Build(const LoweredModule& module, const KernelSource& source,
                      Effort effort) override {
    return inner_->Build(module, source, effort);
  }
  Result<PipelineRef> Load(std::shared_ptr<const LoweredModule> module, ByteView binary) override {
    return inner_->Load(std::move(module), binary);
  }
  Result<KeptInputRef> Keep(const InputBytes& input) override { return inner_->Keep(input); }
  Result<std::unique_ptr<Dispatch>> Allocate(const PipelineRef& pipeline,
                                             const DispatchShape& shape) override {
    return inner_->Allocate(pipeline, shape);
  }
  Status Begin(Dispatch& dispatch, const LaunchLimits& limits) override;
  Result<LaunchReport> Await() override;
  Status Adopt(Dispatch& dispatch, const PipelineRef& pipeline) override {
    return inner_->Adopt(dispatch, pipeline);
  }
  void Stop() override { inner_->Stop(); }
  Result<std::vector<std::optional<LaneImage>>> ExportLanes(
      Dispatch& dispatch, std::span<const uint32_t> seats) override {
    return inner_->ExportLanes(dispatch, seats);
  }
  Result<std::vector<Status>> ImportLanes(Dispatch& dispatch,
                                          std::span<const LanePlace> lanes) override {
    return inner_->ImportLanes(dispatch, lanes);
  }
  Telemetry Sample() override { return inner_->Sample(); }

 private:
  void BeginJob(const std::string& name);
  void EndJob();

  const NvtxLibrary library_;
  const std::unique_ptr<Device> inner_;
  std::string job_;  // whose range is open; of the owner's thread
  uint64_t job_range_ = 0;
  Mutex mutex_;  // Await comes from another thread
  std::deque<uint64_t> bursts_ WB_GUARDED_BY(mutex_);
};

void NvtxDevice::EndJob() {
  if (!job_.empty()) library_.end(job_range_);
  job_.clear();
}

void NvtxDevice::BeginJob(const std::string& name) {
  if (name == job_) return;
  EndJob();
  if (name.empty()) return;
  job_ = name;
  job_range_ = library_.start(("job " + name).c_str());
}

Status NvtxDevice::Begin(Dispatch& dispatch, const LaunchLimits& limits) {
  BeginJob(limits.label);
  const std::string burst = "burst of " + (limits.label.empty() ? "several jobs" : limits.label);
  const uint64_t range = library_.start(burst.c_str());
  library_.push("launch");
  Status begun = inner_->Begin(dispatch, limits);
  library_.pop();
  if (!begun.ok()) {
    library_.end(range);
    return begun;
  }
  MutexLock lock(mutex_);
  bursts_.push_back(range);
  return {};
}

Result<LaunchReport> NvtxDevice::Await() {
  Result<LaunchReport> report = inner_->Await();
  MutexLock lock(mutex_);
  if (bursts_.empty()) return report;
  library_.end(bursts_.front());
  bursts_.pop_front();
  return report;
}

}  // namespace

Result<NvtxLibrary> NvtxLibrary::Open(const std::string& path) {
  std::vector<std::string> places = {path};
  if (path == "auto") {
    places = {"libnvToolsExt.so.1", "/usr/local/cuda/lib64/libnvToolsExt.so.1"};
  }
  WB_ASSIGN(const DynamicLibrary library,
            DynamicLibrary::Open("NVIDIA's library of ranges (cuda.nvtx_path)", places));
  NvtxLibrary found;
  WB_TRY(Take(library, "nvtxRangePushA", &found.push));
  WB_TRY(Take(library, "nvtxRangePop", &found.pop));
  WB_TRY(Take(library, "nvtxRangeStartA", &found.start));
  WB_TRY(Take(library, "nvtxRangeEnd", &found.end));
  return found;
}

std::unique_ptr<Device> WithRanges(std::unique_ptr<Device> device, const NvtxLibrary& library) {
  return std::make_unique<NvtxDevice>(std::move(device), library);
}

}  // namespace wb
