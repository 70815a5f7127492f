#include "daemon/store/cordons.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "daemon/database/registry.h"
#include "daemon/process/log.h"

namespace wb {
namespace {

// The row may be damaged, or another program's.
bool IsDeviceId(std::string_view text) {
  return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  });
}

}  // namespace

Cordons::Cordons(Scheduler* scheduler, std::shared_ptr<Registry> registry,
                 std::function<int64_t()> now, std::string prefix)
    : scheduler_(scheduler),
      registry_(std::move(registry)),
      now_(std::move(now)),
      prefix_(std::move(prefix)) {}

Status Cordons::Load() {
  if (registry_ == nullptr) return {};
  WB_ASSIGN(const std::vector<CordonRow> cordons, registry_->Cordons());
  const MutexLock lock(mutex_);
  for (const CordonRow& cordon : cordons) {
    const std::string& device = cordon.device;
    if (!device.starts_with(prefix_) || !IsDeviceId(device.substr(prefix_.size()))) continue;
    since_[device] = cordon.since_unix_ns;
  }
  return {};
}

void Cordons::Restore() {
  const MutexLock lock(mutex_);
  for (const auto& [device, time] : since_) {
    const std::chrono::nanoseconds age(std::max<int64_t>(now_() - time, 0));
    const Status closed = scheduler_->OrderGate(device, {Gate::kCordoned, {}, age}).status();
    const std::string now = closed.ok() ? "cordoned" : "not here; cordoned when it is";
    Log(LogLevel::kWarning, "device_gate", {{"device", device}, {"gate", now}});
  }
}

Result<GateChange> Cordons::Order(const std::string& device, const GateOrder& order) {
  const MutexLock lock(mutex_);
  WB_ASSIGN(GateChange change, scheduler_->OrderGate(device, order));
  const Status kept = change.status.gate == Gate::kOpen
                          ? Open(device)
                          : Close(device, now_() - change.status.gate_age.count());
  if (kept.ok()) return change;
  Log(LogLevel::kError, "cordons_not_kept", {{"error", kept.message()}});
  return Status(kept.reason(),
                "The device is " + std::string(GateName(change.status.gate)) +
                    ", but not for the next daemon: " + kept.message() +
                    " See server.state_directory.",
                kept.details());
}

Status Cordons::Close(const std::string& device, int64_t since) {
  if (since_.contains(device)) return {};
  if (registry_ != nullptr) WB_TRY(registry_->AddCordon({device, since}));
  since_.emplace(device, since);
  return {};
}

Status Cordons::Open(const std::string& device) {
  if (!since_.contains(device)) return {};
  if (registry_ != nullptr) WB_TRY(registry_->RemoveCordon(device));
  since_.erase(device);
  return {};
}

}  // namespace wb
