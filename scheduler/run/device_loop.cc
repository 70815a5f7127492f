#include "scheduler/run/device_loop.h"

#include <optional>
#include <utility>

#include "scheduler/run/device_rounds.h"

namespace wb {

DeviceLoop::DeviceLoop(std::string id, DeviceStarter starter, const DeviceSettings& settings,
                       Clock& clock, const Common& common, DeviceEvents events)
    : parts_(std::move(id), std::move(starter), settings, clock, common, std::move(events)) {}

DeviceLoop::~DeviceLoop() { Close(); }

// The device is started by the thread that will own it: an engine host dies with that thread.
void DeviceLoop::BeginOpen() {
  thread_ = std::thread([this] { DeviceRounds(parts_).Run(); });
}

Status DeviceLoop::AwaitOpen() { return parts_.lifecycle.AwaitFirstStart(); }

void DeviceLoop::Close() {
  parts_.inbox.Close();
  parts_.lifecycle.Close();
  if (thread_.joinable()) thread_.join();
}

// What runs is stopped for it, and goes on behind the newcomer's turn.
void DeviceLoop::Add(ActiveJobRef job, PreparedPipeline pipeline) {
  if (parts_.inbox.PostJob({std::move(job), std::move(pipeline)})) parts_.lifecycle.Stop();
}

void DeviceLoop::Cancelled(const ActiveJob* job) {
  const bool stops = parts_.inbox.IsLaunching(job);
  parts_.inbox.Wake();
  if (stops) parts_.lifecycle.Stop();
}

void DeviceLoop::Post(LoopInbox::Command command) {
  if (parts_.inbox.PostCommand(std::move(command))) parts_.lifecycle.Stop();
}

void DeviceLoop::Evict(ActiveJobRef job) {
  Post({LoopInbox::Command::Kind::kEvict, std::move(job), {}, {}});
}

void DeviceLoop::SwapPipeline(ActiveJobRef job, PreparedPipeline pipeline) {
  Post({LoopInbox::Command::Kind::kSwapPipeline, std::move(job), std::move(pipeline), {}});
}

void DeviceLoop::Explain(ActiveJobRef job, std::string placement_reason) {
  Post({LoopInbox::Command::Kind::kExplain, std::move(job), {}, std::move(placement_reason)});
}

void DeviceLoop::Wake() { parts_.inbox.Wake(); }

Result<std::shared_ptr<Device>> DeviceLoop::AwaitDevice(TimePoint until) {
  return parts_.lifecycle.AwaitDevice(until);
}

// The launch under way may be longer than a drain's deadline: it is ended, and the next one is not.
bool DeviceLoop::Order(const GateOrder& order) {
  if (!parts_.gate.Order(order, parts_.clock.Now())) return false;
  parts_.inbox.Wake();
  if (order.gate == Gate::kDraining && parts_.inbox.AnyLaunching()) parts_.lifecycle.Stop();
  return true;
}

std::vector<WaitReason> DeviceLoop::Waits() const {
  std::vector<WaitReason> waits;
  if (auto closed = parts_.gate.Wait(parts_.id)) waits.push_back(*std::move(closed));
  if (auto lost = parts_.lifecycle.Wait()) waits.push_back(*std::move(lost));
  if (auto rest = parts_.thermal.Wait(parts_.id, parts_.clock.Now())) {
    waits.push_back(*std::move(rest));
  }
  return waits;
}

bool DeviceLoop::Runs(const ActiveJob& job) const {
  return parts_.inbox.IsLaunching(&job) && !parts_.lifecycle.IsSilent();
}

std::vector<WaitReason> DeviceLoop::WaitsOf(const ActiveJob& job) const {
  const LoopInbox::View view = parts_.inbox.Look(job);
  if (!view.is_here || (view.is_launching && !parts_.lifecycle.IsSilent())) return {};
  std::vector<WaitReason> waits = Waits();
  if (view.lack) waits.push_back(*view.lack);
  if (view.turn && !view.is_launching) waits.push_back(*view.turn);
  return waits;
}

DeviceLoop::Standing DeviceLoop::Look() const {
  return {parts_.gate.IsOpen(), parts_.lifecycle.IsHealthy(), parts_.inbox.jobs()};
}

DeviceInfo DeviceLoop::info() const { return parts_.lifecycle.info(); }

DeviceStatus DeviceLoop::Snapshot() const {
  const TimePoint now = parts_.clock.Now();
  parts_.thermal.Watch(now);
  parts_.inbox.Wake();
  DeviceStatus status;
  status.policy = parts_.settings.policy;
  parts_.lifecycle.Show(&status);
  parts_.thermal.Show(&status);
  parts_.totals.Show(&status);
  parts_.gate.Show(now, &status);
  parts_.board.Show(now, &status);
  status.jobs = parts_.inbox.jobs();
  return status;
}

}  // namespace wb
