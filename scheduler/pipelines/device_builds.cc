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
  Queues& queues = QueuesOf(attempt.request.device);
  BuildQueue& queue = attempt.behind ? queues.behind : queues.first;
  const FairShare share = attempt.request.share;
  return queue.Post(share, [this, attempt = std::move(attempt)] { run_(attempt); });
}

void DeviceBuilds::ShareFirst(const BuildTarget* device, uint64_t number, const FairShare& share) {
  QueuesOf(device).first.Share(number, share);
}

void DeviceBuilds::Close() {
  std::vector<Queues*> all;  // builds under way may post others meanwhile
  {
    MutexLock lock(mutex_);
    for (const auto& [device, queues] : queues_) all.push_back(queues.get());
  }
  for (Queues* queues : all) {
    queues->first.Close();
    queues->behind.Close();
  }
}

}  // namespace wb
