// FakeEngine: what lies around its devices: starts, losses, and what tests wait for and count.

#include <string>
#include <utility>

#include "tests/fakes/fake_device.h"

namespace wb::test {

FakeEngine::FakeEngine(Engine engine, uint64_t memory_bytes, uint32_t ordinal)
    : engine_(engine), memory_bytes_(memory_bytes), ordinal_(ordinal) {}

DeviceStarter FakeEngine::Starter() {
  return [this](std::function<void()> on_lost) { return Start(std::move(on_lost)); };
}

Result<StartedDevice> FakeEngine::Start(std::function<void()> on_lost) {
  MutexLock lock(mutex_);
  ++starts_;
  changed_.NotifyAll();
  if (failing_starts_ > 0) {
    --failing_starts_;
    return Status(Reason::kIoError, "The fake engine does not start.");
  }
  on_lost_ = std::move(on_lost);
  DeviceInfo info;
  if (engine_ == Engine::kCuda && ordinal_ >= gpus) {
    return Status(Reason::kConfigInvalid, "There is no such fake GPU.",
                  {{"gpus", std::to_string(gpus)}});
  }
  info.id = std::string(EngineName(engine_)) + std::to_string(ordinal_);
  info.gpus = gpus;
  info.engine = engine_;
  info.name = name;
  info.target = target;
  info.options.floats = floats;
  info.threads = threads;
  info.processors = processors;
  info.quick_text_from = quick_text_from;
  info.quick_text_below = quick_text_below;
  info.best_text_below = best_text_below;
  info.memory_bytes = memory_bytes_;
  info.seats_per_lane = seats_per_lane;
  info.launches_at_once = launches_at_once;
  info.moves_lanes = moves_lanes;
  info.adopts_pipelines = adopts_pipelines;
  info.maps_inputs = maps_inputs;
  StartedDevice started;
  started.device = MakeDevice(std::move(info));
  started.kill = [this] {
    MutexLock killed(mutex_);
    ++kills_;
    changed_.NotifyAll();
  };
  return started;
}

void FakeEngine::FailStarts(uint32_t count) {
  MutexLock lock(mutex_);
  failing_starts_ = count;
}

void FakeEngine::LoseCurrent() {
  std::function<void()> on_lost;
  {
    MutexLock lock(mutex_);
    on_lost = on_lost_;
  }
  on_lost();
}

void FakeEngine::ReleaseLaunches() {
  {
    MutexLock lock(mutex_);
    released_ = true;
  }
  changed_.NotifyAll();
}

void FakeEngine::AwaitLaunch(uint64_t count) {
  MutexLock lock(mutex_);
  while (launches_.size() < count) changed_.Wait(mutex_);
}

void FakeEngine::AwaitBuild(uint64_t count) {
  MutexLock lock(mutex_);
  while (builds_ < count) changed_.Wait(mutex_);
}

void FakeEngine::AwaitKills(uint64_t count) {
  MutexLock lock(mutex_);
  while (kills_ < count) changed_.Wait(mutex_);
}

uint32_t FakeEngine::starts() const {
  MutexLock lock(mutex_);
  return starts_;
}
uint32_t FakeEngine::builds() const {
  MutexLock lock(mutex_);
  return builds_;
}
uint32_t FakeEngine::loads() const {
  MutexLock lock(mutex_);
  return loads_;
}
std::vector<FakeLaunch> FakeEngine::launches() const {
  MutexLock lock(mutex_);
  return launches_;
}

CompilerCalls FakeCompiler(bool refuse) {
  CompilerCalls calls;
  calls.lower =
      [](std::shared_ptr<const Module> module) -> Result<std::shared_ptr<const LoweredModule>> {
    auto lowered = std::make_shared<LoweredModule>();
    lowered->program.memories.resize(module->memories.size(), {.grows = true});  // act may say so
    lowered->program.module = std::move(module);
    lowered->layout.memory_at = 1024;
    return std::shared_ptr<const LoweredModule>(std::move(lowered));
  };
  calls.emit = [refuse](const LoweredModule& lowered,
                        const CompileOptions& options) -> Result<KernelSource> {
    if (refuse) return Status(Reason::kWasmUnsupportedFeature, "The fake compiler refuses it.");
    KernelSource source;
    source.text = "kernel of " + lowered.program.module->digest().Hex() + " with floats " +
                  std::string(FloatsName(options.floats));
    source.layout = lowered.layout;
    source.options = options;
    source.digest = Sha256(AsBytes(source.text));
    return source;
  };
  return calls;
}

}  // namespace wb::test
