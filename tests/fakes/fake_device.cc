#include "tests/fakes/fake_device.h"

#include <algorithm>
#include <utility>

#include "scheduler/devices/blocking_device.h"
#include "tests/fakes/plain_dispatch.h"

namespace wb::test {
namespace {

class FakePipeline final : public Pipeline {
 public:
  explicit FakePipeline(const PipelineFacts& facts) : facts_(facts) {}
  PipelineFacts facts() const override { return facts_; }

 private:
  const PipelineFacts facts_;
};

class FakeInput final : public KeptInput {
 public:
  explicit FakeInput(std::atomic<uint32_t>& alive) : alive_(alive) { ++alive_; }
  ~FakeInput() override { --alive_; }

 private:
  std::atomic<uint32_t>& alive_;
};

Status LostStatus() { return Status(Reason::kDeviceLost, "The fake engine died."); }

}  // namespace

class FakeDevice final : public BlockingDevice {
 public:
  FakeDevice(FakeEngine& engine, DeviceInfo info) : engine_(engine), info_(std::move(info)) {}

  const DeviceInfo& info() const override { return info_; }
  Result<Bytes> Build(const LoweredModule& module, const KernelSource& source,
                      Effort effort) override;
  Result<PipelineRef> Load(std::shared_ptr<const LoweredModule>, ByteView binary) override;
  Result<KeptInputRef> Keep(const InputBytes& input) override;
  Result<std::unique_ptr<Dispatch>> Allocate(const PipelineRef& pipeline,
                                             const DispatchShape& shape) override;
  Result<std::vector<std::optional<LaneImage>>> ExportLanes(
      Dispatch& dispatch, std::span<const uint32_t> seats) override;
  Result<std::vector<Status>> ImportLanes(Dispatch& dispatch,
                                          std::span<const LanePlace> lanes) override;
  Status Adopt(Dispatch&, const PipelineRef&) override {
    ++engine_.adoptions;
    return {};
  }
  Telemetry Sample() override { return engine_.sensors ? engine_.sensors() : Telemetry(); }

 private:
  void StopRunning() override;
  Result<LaunchReport> Run(Dispatch& dispatch, const LaunchLimits& limits) override;
  FakeLaunch RecordLaunch(Dispatch& dispatch, const LaunchLimits& limits);
  void RunLane(Dispatch& dispatch, uint32_t lane, LaneAct act);

  FakeEngine& engine_;
  const DeviceInfo info_;
};

Result<Bytes> FakeDevice::Build(const LoweredModule&, const KernelSource& source, Effort effort) {
  {
    MutexLock lock(engine_.mutex_);
    ++engine_.builds_;
  }
  engine_.changed_.NotifyAll();
  if (engine_.on_quick_build && effort == Effort::kQuick) return engine_.on_quick_build(source);
  if (engine_.on_best_build && effort == Effort::kBest) return engine_.on_best_build(source);
  if (engine_.on_build) return engine_.on_build(source);
  const ByteView text = AsBytes(source.text);
  return Bytes(text.begin(), text.end());
}

Result<PipelineRef> FakeDevice::Load(std::shared_ptr<const LoweredModule>, ByteView binary) {
  {
    MutexLock lock(engine_.mutex_);
    ++engine_.loads_;
  }
  if (engine_.on_load) WB_TRY(engine_.on_load(binary));
  return PipelineRef(std::make_shared<FakePipeline>(engine_.facts));
}

Result<KeptInputRef> FakeDevice::Keep(const InputBytes& input) {
  if (engine_.on_keep) WB_TRY(engine_.on_keep(input));
  ++engine_.uploads_;
  return KeptInputRef(std::make_shared<FakeInput>(engine_.kept_));
}

Result<std::unique_ptr<Dispatch>> FakeDevice::Allocate(const PipelineRef&,
                                                       const DispatchShape& shape) {
  if (engine_.on_allocate) WB_TRY(engine_.on_allocate(shape));
  return std::unique_ptr<Dispatch>(new PlainDispatch(shape));
}

Result<std::vector<std::optional<LaneImage>>> FakeDevice::ExportLanes(
    Dispatch& dispatch, std::span<const uint32_t> seats) {
  const size_t words = dispatch.shape().RecordWords();
  std::vector<std::optional<LaneImage>> images;
  for (const uint32_t seat : seats) {
    if (engine_.on_export_lanes) WB_TRY(engine_.on_export_lanes(seat));
    const std::span<uint32_t> record = dispatch.records().subspan(seat * words, words);
    images.emplace_back(LaneImage{{}, {record.begin(), record.end()}, {}});
    images.back()->record[abi::RECORD_SEAT] = abi::SEAT_RUNNING;
    images.back()->record[abi::RECORD_WANTED_PAGES] = 0;
    ++engine_.given_out_;
  }
  return images;
}

Result<std::vector<Status>> FakeDevice::ImportLanes(Dispatch& dispatch,
                                                    std::span<const LanePlace> lanes) {
  const size_t words = dispatch.shape().RecordWords();
  std::vector<Status> put;
  for (const LanePlace& lane : lanes) {
    const Status asked = engine_.on_import_lanes ? engine_.on_import_lanes(*lane.image) : Status();
    if (asked.reason() == Reason::kDeviceLost) return asked;
    put.push_back(asked);
    if (!asked.ok()) continue;
    std::copy(lane.image->record.begin(), lane.image->record.end(),
              dispatch.records().begin() + static_cast<ptrdiff_t>(lane.seat * words));
    ++engine_.put_in_;
  }
  return put;
}

void FakeDevice::StopRunning() {
  {
    MutexLock lock(engine_.mutex_);
    engine_.stopped_ = true;
  }
  engine_.changed_.NotifyAll();
}

static bool Waits(uint32_t seat) { return seat == abi::SEAT_START || seat == abi::SEAT_RUNNING; }

FakeLaunch FakeDevice::RecordLaunch(Dispatch& dispatch, const LaunchLimits& limits) {
  FakeLaunch launch;
  launch.seats = dispatch.shape().Seats();
  launch.capacity_pages = dispatch.shape().capacity_pages;
  launch.steps = dispatch.shape().steps;
  launch.max_duration = limits.max_duration;
  launch.most_idle = limits.most_idle;
  launch.lanes = dispatch.shape().lanes;
  launch.occupancy = limits.occupancy;
  launch.slice_fuel = limits.slice_fuel;
  launch.group_wait = limits.group_wait;
  launch.quantum = limits.quantum;
  const size_t words = dispatch.shape().RecordWords();
  for (uint32_t lane = 0; lane < launch.seats; ++lane) {
    launch.taken += Waits(dispatch.records()[lane * words]) ? 1 : 0;
  }
  {
    MutexLock lock(engine_.mutex_);
    engine_.stopped_ = false;
    engine_.launches_.push_back(launch);
  }
  engine_.changed_.NotifyAll();
  Started();
  MutexLock lock(engine_.mutex_);
  if (!engine_.blocks_until_stop || limits.max_duration.count() == 0) return launch;
  while (!engine_.stopped_ && !engine_.released_) engine_.changed_.Wait(engine_.mutex_);
  return launch;
}

static uint64_t FuelOf(std::span<const uint32_t> record) {
  return (uint64_t{record[abi::RECORD_FUEL_HI]} << 32) | record[abi::RECORD_FUEL_LO];
}
static void SetFuel(std::span<uint32_t> record, uint64_t fuel) {
  record[abi::RECORD_FUEL_LO] = static_cast<uint32_t>(fuel);
  record[abi::RECORD_FUEL_HI] = static_cast<uint32_t>(fuel >> 32);
}

// A lane that stays: what it has used is in its record.
static void Stay(std::span<uint32_t> record, uint64_t fuel) {
  const bool is_new = record[abi::RECORD_SEAT] == abi::SEAT_START;
  SetFuel(record, (is_new ? 0 : FuelOf(record)) + fuel);
  record[abi::RECORD_SEAT] = abi::SEAT_RUNNING;
}

void FakeDevice::RunLane(Dispatch& dispatch, uint32_t lane, LaneAct act) {
  const size_t words = dispatch.shape().RecordWords();
  const std::span<uint32_t> record = dispatch.records().subspan(lane * words, words);
  const bool was_running = record[abi::RECORD_SEAT] == abi::SEAT_RUNNING;
  const uint64_t before = engine_.adds_fuel && was_running ? FuelOf(record) : 0;
  record[abi::RECORD_SEAT] = abi::SEAT_DONE;
  SetFuel(record, before + engine_.done_fuel);
  record[abi::RECORD_STEP] = dispatch.shape().steps + 1;
  switch (act) {
    case LaneAct::kNonsense: record[abi::RECORD_END] = 99; return;
    case LaneAct::kTrap:
      record[abi::RECORD_END] = static_cast<uint32_t>(End::kTrapped);
      record[abi::RECORD_TRAP] = 1;
      record[abi::RECORD_STEP] = 1;
      return;
    case LaneAct::kNeedsMemory:
      if (dispatch.shape().capacity_pages < dispatch.shape().max_pages) {
        record[abi::RECORD_SEAT] = abi::SEAT_NEEDS_MEMORY;
        return;
      }
      break;
    case LaneAct::kNeedsStack:
      if (dispatch.shape().capacity_stack < dispatch.shape().max_stack) {
        record[abi::RECORD_SEAT] = abi::SEAT_NEEDS_STACK;
        return;
      }
      break;
    default: break;
  }
  if (dispatch.shape().register_words > 0) {
    record[abi::RECORD_REGISTERS] = dispatch.columns()[lane] + 1;
  }
}

Result<LaunchReport> FakeDevice::Run(Dispatch& dispatch, const LaunchLimits& limits) {
  const FakeLaunch launch = RecordLaunch(dispatch, limits);
  LaunchReport report;
  report.lane_fuel = engine_.lane_fuel;
  report.busy = engine_.on_launch ? engine_.on_launch(launch) : engine_.busy;
  const DispatchShape& shape = dispatch.shape();
  for (uint32_t lane = 0; lane < shape.Seats(); ++lane) {
    if (!Waits(dispatch.records()[lane * size_t{shape.RecordWords()}])) continue;
    const uint32_t number = shape.column_words > 0 ? dispatch.columns()[lane] : 0;
    LaneAct act = LaneAct::kDone;
    if (engine_.act)
      act = engine_.act({number, shape.capacity_pages, shape.lanes, shape.capacity_stack});
    if (act == LaneAct::kKillEngine) return LostStatus();
    const bool waits = act == LaneAct::kWaits && shape.capacity_pages < shape.max_pages;
    if (act == LaneAct::kStay || waits) {
      const size_t words = shape.RecordWords();
      const std::span<uint32_t> record = dispatch.records().subspan(lane * words, words);
      Stay(record, std::min(engine_.stay_fuel, limits.slice_fuel));
      if (waits) record[abi::RECORD_SEAT] = abi::SEAT_NEEDS_MEMORY;
      record[abi::RECORD_WANTED_PAGES] = waits ? engine_.wanted_pages : 0;
    } else if (act != LaneAct::kQueued) {
      RunLane(dispatch, lane, act);
    }
    report.seats_left += act == LaneAct::kStay || act == LaneAct::kQueued ? 1 : 0;
  }
  return report;
}

std::shared_ptr<Device> FakeEngine::MakeDevice(DeviceInfo info) {
  return std::make_shared<FakeDevice>(*this, std::move(info));
}

}  // namespace wb::test
