#include "scheduler/pipelines/device_builds.h"

#include <utility>
#include <vector>

namespace wb {

void DeviceBuilds::AddDevice(const BuildTarget& device, uint32_t at_once) {
  MutexLock lock(mutex_);
  queues_[&device] = std::make_unique<Queues>(clock_, at_once);
}

DeviceBuilds::Queues& DeviceBuilds::QueuesOf(const BuildTarget* device) {
  MutexLock lock(mutex_);
  return *queues_.at(device);
}

uint64_t DeviceBuilds::Post(BuildAttempt attempt) {
  BuildQueue& queue = QueuesOf(attempt.request.device).Of(attempt);
  if (attempt.effort != Effort::kBest) {
    MutexLock lock(mutex_);
    ++others_;
  }
  const FairShare share = attempt.request.share;
  return queue.Post(share, [this, attempt = std::move(attempt)] { RunOne(attempt); });
}

void DeviceBuilds::RunOne(const BuildAttempt& attempt) {
  if (attempt.effort == Effort::kBest) {
    if (AwaitOthers()) run_(attempt);
    return;
  }
  run_(attempt);
  {
    MutexLock lock(mutex_);
    --others_;
  }
  changed_.NotifyAll();
}

bool DeviceBuilds::AwaitOthers() {
  MutexLock lock(mutex_);
  while (others_ > 0 && !closed_) changed_.Wait(mutex_);
  return !closed_;
}

void DeviceBuilds::ShareFirst(const BuildTarget* device, uint64_t number, const FairShare& share) {
  QueuesOf(device).first.Share(number, share);
}

void DeviceBuilds::Close() {
  std::vector<Queues*> all;  // builds under way may post others meanwhile
  {
    MutexLock lock(mutex_);
    closed_ = true;
    for (const auto& [device, queues] : queues_) all.push_back(queues.get());
  }
  changed_.NotifyAll();
  for (Queues* queues : all) {
    queues->first.Close();
    queues->behind.Close();
    queues->best.Close();
  }
}

}  // namespace wb
