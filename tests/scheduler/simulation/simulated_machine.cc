#include "tests/scheduler/simulation/simulated_machine.h"

#include <algorithm>
#include <cmath>

namespace wb::test {
namespace {

using std::chrono::nanoseconds;

constexpr nanoseconds kIdleStep = std::chrono::milliseconds(100);
constexpr nanoseconds kSamplePeriod = std::chrono::milliseconds(250);
constexpr nanoseconds kRestart = std::chrono::milliseconds(400);
constexpr uint32_t kAnyQuantum = 1u << 20;
constexpr int kResting = -1;
constexpr int kIdle = -2;

double Seconds(nanoseconds time) { return std::chrono::duration<double>(time).count(); }

BurstShape BurstOf(const ThermalSettings& thermal) { return {thermal.burst, thermal.burst, true}; }

}  // namespace

struct SimulatedMachine::Running {
  Running(const JobShape& job, const BurstShape& burst, uint64_t seed)
      : told(std::make_unique<SimulatedJob>()),
        work(job.work, seed),
        controller(burst),
        backlog(job.instances) {
    told->shape = job;
    told->results.resize(job.instances);
  }
  std::unique_ptr<SimulatedJob> told;
  size_t number = 0;
  SimulatedWork work;
  SliceController controller;
  Backlog backlog;
  std::vector<InstanceRef> seated;
  uint64_t counted = 0;       // instances that the work has ended so far
  uint64_t came_at_turn = 0;  // of the machine
};

SimulatedMachine::SimulatedMachine(const MachineShape& shape, uint64_t seed)
    : shape_(shape),
      random_(seed),
      governor_(shape.thermal),
      celsius_(shape.ambient + shape.degrees_per_watt * shape.idle_watts),
      watts_(shape.idle_watts) {}

const SimulatedJob& SimulatedMachine::job(size_t number) const { return *jobs_[number]->told; }

size_t SimulatedMachine::Submit(const JobShape& shape) {
  JobShape job = shape;
  job.work.lanes = static_cast<uint32_t>(
      std::min<uint64_t>(job.work.lanes, std::max<uint64_t>(job.instances, 1)));
  auto running = std::make_shared<Running>(job, BurstOf(shape_.thermal), random_());
  running->number = jobs_.size();
  running->told->came = now_;
  running->came_at_turn = turns_;
  queue_.Add(running->number, job.share, now_);
  jobs_.push_back(std::move(running));
  return jobs_.size() - 1;
}

// Time goes by at so many watts.
void SimulatedMachine::Pass(nanoseconds time, double watts, int job) {
  const double seconds = Seconds(time);
  const double end = shape_.ambient + shape_.degrees_per_watt * watts;
  celsius_ = end + (celsius_ - end) * std::exp(-seconds / shape_.seconds_to_warm);
  watts_ += (watts - watts_) * (1 - std::exp(-seconds / 0.2));
  hottest_ = std::max(hottest_, celsius_);
  joules_ += watts * seconds;
  now_ += time;
  resting_ = job == kResting ? resting_ + seconds : 0;
  longest_rest_ = std::max(longest_rest_, resting_);
  trace_.push_back({Seconds(now_ - kBegin), celsius_, watts_, job});
}

void SimulatedMachine::Sample() {
  if (now_ - sampled_ < kSamplePeriod) return;
  sampled_ = now_;
  ThermalSample sample;
  sample.at = now_;
  std::uniform_real_distribution<double> noise(-0.5, 0.5);
  if (shape_.thermometer) {
    sample.celsius = static_cast<float>(std::lround(celsius_ + noise(random_)));
    sample.watts = static_cast<float>(watts_);
    sample.watts_limit = static_cast<float>(shape_.limit_watts);
  }
  governor_.Record(sample);
}

bool SimulatedMachine::IsLost(double seconds) {
  if (shape_.losses_per_hour == 0) return false;
  const double chance = 1 - std::exp(-shape_.losses_per_hour * seconds / 3600);
  return std::bernoulli_distribution(chance)(random_);
}

void SimulatedMachine::Finish(Running& job, uint64_t count) {
  for (; count > 0 && !job.seated.empty(); --count) {
    ++job.told->results[job.seated.back().instance];
    job.seated.pop_back();
  }
  if (!job.seated.empty() || job.backlog.size() > 0) return;
  job.told->ended = now_;
  queue_.Remove(job.number);
}

void SimulatedMachine::Turn(Running& job) {
  SimulatedJob& told = *job.told;
  if (told.turns++ == 0) {
    told.turns_before_first = static_cast<uint32_t>(turns_ - job.came_at_turn);
  }
  ++turns_;
  while (job.seated.size() < told.shape.work.lanes && job.backlog.size() > 0) {
    job.seated.push_back(job.backlog.Take(job.backlog.classes().front()));
  }
  const bool rests = governor_.RestsAfterBurst(now_);
  const Slice slice =
      job.controller.Next(rests ? governor_.Left() : shape_.thermal.burst, kAnyQuantum);
  const nanoseconds took = job.work.Launch(slice, true);
  const TimePoint begin = now_;
  std::normal_distribution<double> jitter(1, 0.03);
  Pass(took, shape_.busy_watts * jitter(random_), static_cast<int>(job.number));
  governor_.Worked(begin, now_);
  queue_.Charge(job.number, took);
  told.seconds += Seconds(took);
  worked_ += Seconds(took);
  const double left = Seconds(governor_.Left()) / Seconds(shape_.thermal.burst);
  if (rests && left <= 0.01) overshoots_.push_back(-left);
  const uint64_t ended = job.work.ended() - std::exchange(job.counted, job.work.ended());
  if (!IsLost(Seconds(took))) {
    job.controller.Record(slice, took);
    return Finish(job, ended);
  }
  ++losses_;
  for (InstanceRef& instance : job.seated) {
    ++instance.attempt;
    job.backlog.Return(instance);
  }
  job.seated.clear();
  Pass(kRestart, shape_.idle_watts, kIdle);
}

void SimulatedMachine::RunUntil(TimePoint end, const std::function<void(TimePoint)>& arrive) {
  const auto anybody = [](size_t) { return true; };
  while (now_ < end) {
    arrive(now_);
    Sample();
    const Rest rest = governor_.Look(now_);
    if (!rest.IsOver()) {
      Pass(std::min({rest.look, end, now_ + kIdleStep}) - now_, shape_.idle_watts, kResting);
    } else if (const auto next = queue_.Next(now_, anybody)) {
      Turn(*jobs_[*next]);
    } else {
      Pass(std::min(kIdleStep, end - now_), shape_.idle_watts, kIdle);
    }
  }
}

}  // namespace wb::test
