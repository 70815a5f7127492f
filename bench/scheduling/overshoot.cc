#include "bench/scheduling/overshoot.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "bench/scheduling/launches.h"
#include "scheduler/base/helper_threads.h"
#include "scheduler/control/slice_controller.h"
#include "scheduler/devices/cpu/cpu_device.h"
#include "scheduler/job/job_plan.h"
#include "scheduler/run/seats/seat_table.h"
#include "scheduler/run/seats/seating.h"
#include "tests/compiler/wasm/assemble.h"

namespace wb::bench {
namespace {

using std::chrono::nanoseconds;

constexpr uint32_t kLanes = 64;
constexpr uint32_t kAnyQuantum = 1u << 20;

// `run(i, turns)`: turns rounds of multiplying and mixing; in every other 2^20 dividing instead, if
// `divides`.
std::string Guest(bool divides) {
  const std::string cheap =
      "(local.set $x (i64.add (i64.mul (local.get $x) (i64.const 6364136223846793005)) "
      "(i64.const 1442695040888963407)))";
  const std::string dear =
      "(local.set $x (i64.add (i64.rem_u (i64.const -3) (i64.or (local.get $x) (i64.const 1))) "
      "(i64.div_u (i64.const -5) (i64.or (local.get $x) (i64.const 3)))))";
  const std::string body =
      divides ? "(if (i64.eqz (i64.and (local.get $n) (i64.const 1048576))) (then " + cheap +
                    ") (else " + dear + "))"
              : cheap;
  return R"((module (func (export "run") (param $i i64) (result i64) (local $x i64) (local $n i64)
    (local.set $x (local.get $i))
    (loop $l )" +
         body + R"((local.set $n (i64.add (local.get $n) (i64.const 1)))
      (br_if $l (i64.lt_u (local.get $n) (local.get $i))))
    (local.get $x))))";
}

JobSpec JobOf(const std::string& wat, int64_t start, int64_t step) {
  JobSpec job;
  job.module = Take(Module::Decode(test::MustAssemble(wat)));
  Column turns;
  turns.kind = Column::Kind::kRange;
  turns.type = ValueType::kI64;
  turns.start = Value::I64(start);
  turns.step = Value::I64(step);
  job.columns.push_back(turns);
  CallStep call;
  call.function = "run";
  call.args.emplace_back();
  call.args.back().source = Operand::Source::kColumn;
  job.steps.push_back(call);
  job.instances = uint64_t{1} << 30;
  return job;
}

// Bursts back to back of a job without end.
Overshoots Measure(const std::string& name, const JobSpec& job, int bursts) {
  const std::unique_ptr<Device> device = Take(CreateCpuDevice({}));
  const Compiled compiled(*device, job.module);
  const PipelineRef pipeline = Take(device->Load(compiled.lowered, compiled.binary));
  const JobPlan plan = Take(PlanJob(job, {}));
  WB_CHECK(!plan.kept.has_value());  // this dispatch has none of the device's inputs
  const auto seating =
      ChooseSeating(plan, compiled.lowered->layout, {.lanes = kLanes, .enough_lanes = kLanes},
                    device->info().memory_bytes);
  WB_CHECK(seating.has_value());
  SeatTable seats(Take(device->Allocate(pipeline, ShapeOf(plan, *seating))), plan, seating->bytes);
  const BurstShape shape;
  SliceController controller(shape);
  Overshoots result{name, {}};
  HelperThreads helpers(0);
  uint64_t next = 0;
  for (int burst = 0; burst < bursts; ++burst) {
    nanoseconds left = shape.burst;
    while (left > shape.burst / 100) {
      const uint64_t free = seats.free_seats();
      seats.Seat(plan, Claim({}, {std::exchange(next, next + free), free}, 1), helpers);
      const Slice slice = controller.Next(left, kAnyQuantum);
      LaunchLimits limits;
      limits.max_duration = slice.max_duration;
      limits.quantum = slice.quantum;
      const nanoseconds took = Take(device->Launch(seats.dispatch(), limits)).busy;
      controller.Record(slice, took);
      left -= took;
      seats.Collect(
          plan, {}, [](const Harvest& harvest) { WB_CHECK(harvest.sound); }, helpers);
    }
    result.shares.push_back(-static_cast<double>(left.count()) /
                            static_cast<double>(shape.burst.count()));
  }
  std::sort(result.shares.begin(), result.shares.end());
  return result;
}

}  // namespace

double Overshoots::Quantile(double q) const {
  const auto at = static_cast<size_t>(q * static_cast<double>(shares.size()));
  return shares[std::min(at, shares.size() - 1)];
}

std::vector<Overshoots> MeasureOvershoots(int bursts) {
  return {Measure("equal lengths", JobOf(Guest(false), 20'000'000, 0), bursts),
          Measure("ragged lengths", JobOf(Guest(false), 1'000, 100'000), bursts),
          Measure("dear and cheap by turns", JobOf(Guest(true), 100'000'000, 0), bursts)};
}

}  // namespace wb::bench
