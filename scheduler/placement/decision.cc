#include "scheduler/placement/decision.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <span>
#include <utility>

namespace wb {
namespace {

// A device joins if the job ends sooner by this factor and by this many seconds.
constexpr double kGain = 1.2;
constexpr double kWorthJoining = 0.005;
// A job that leaves one device for another is to gain a little for its pains.
constexpr double kGainOfChange = 1.05;
// None has ended yet: an instance is taken to last as long again as it already does.
constexpr double kAsLongAgain = 2;
// Of an instance, what is taken to be left at least: how long it is is a guess.
constexpr double kLeastPart = 0.05;
constexpr double kNoEnd = std::numeric_limits<double>::infinity();

// Instructions of an instance of which nothing is known.
constexpr double kUsualFuel = 1e6;

// Instructions a second of one of FullWidth() lanes, seen on common machines (bench/README.md).
// Taken only where nothing was measured.
double UsualRateOf(Engine engine) {
  if (IsGpu(engine)) return 1e8;
  return engine == Engine::kInterpreter ? 5e8 : 5e9;
}

// Of a quick build (bench/README.md, "Devices").
constexpr double kUsualQuickRate = 1e9;

double UsualRateOfLane(const Candidate& candidate) {
  const bool is_quick = candidate.build == KernelBuild::kQuick;
  return is_quick ? kUsualQuickRate : UsualRateOf(candidate.engine);
}

std::string RateWords(const Candidate& candidate, const std::vector<Candidate>& all) {
  const bool measured = candidate.rates.fuel_per_s > 0;
  const std::string build = candidate.build == KernelBuild::kQuick ? "'s quick build" : "";
  return candidate.device + build + (measured ? " does " : " is expected to do ") +
         InDigits(ExpectedRate(candidate, all)) + " instructions/s";
}

double FuelPerInstance(const JobPicture& job) {
  if (job.fuel_per_instance > 0) return job.fuel_per_instance;
  double known = 0;
  double least = 0;
  for (const Candidate& candidate : job.candidates) {
    known = std::max(known, candidate.rates.fuel_per_instance);
    if (!candidate.runs || candidate.seated == 0) continue;
    const double of_lane = ExpectedRate(candidate, job.candidates) / candidate.lanes;
    least = std::max(least, job.running_for * of_lane * kAsLongAgain);
  }
  return std::max(known, least);
}

std::vector<Worker> WorkersFor(const JobPicture& job, double fuel) {
  std::vector<Worker> workers;
  for (const Candidate& candidate : job.candidates) {
    const double rate = ExpectedRate(candidate, job.candidates);
    Worker worker;
    worker.lanes = candidate.lanes;
    worker.lane_time = fuel * candidate.lanes / rate;
    worker.setup = candidate.ready_in + (candidate.runs ? 0 : candidate.rates.setup_s);
    worker.seated = candidate.seated;
    worker.age = candidate.age;
    workers.push_back(worker);
  }
  return workers;
}

std::vector<Worker> Running(const JobPicture& job, const std::vector<Worker>& workers) {
  std::vector<Worker> running;
  for (size_t i = 0; i < workers.size(); ++i) {
    if (job.candidates[i].runs) running.push_back(workers[i]);
  }
  return running;
}

bool AllMove(const JobPicture& job) {
  return std::all_of(job.candidates.begin(), job.candidates.end(),
                     [](const Candidate& its) { return its.moves || !its.runs; });
}

// Of the time of a whole instance, what the instances seated there need still.
double PartOf(const Worker& worker) {
  return std::clamp(worker.Rest() / worker.lane_time, kLeastPart, 1.0);
}

// The newcomer has the instances seated elsewhere, with what they need still.
double EndIfTheyGoOn(const JobPicture& job, std::vector<Worker> all, const Candidate& newcomer) {
  Worker& last = all.back();
  double part = 0;
  for (size_t i = 0; i + 1 < all.size(); ++i) {
    if (all[i].seated > 0) part = std::max(part, PartOf(all[i]));
    last.seated += std::exchange(all[i].seated, 0);
  }
  if (!newcomer.moves || !AllMove(job)) return kNoEnd;
  last.age = last.lane_time * (1 - part);
  return TimeToEnd(all, job.waiting);
}

double EndWith(const JobPicture& job, const std::vector<Worker>& workers, size_t newcomer) {
  std::vector<Worker> all = Running(job, workers);
  all.push_back(workers[newcomer]);
  const double as_they_sit = TimeToEnd(all, job.waiting);
  const double going_on = EndIfTheyGoOn(job, all, job.candidates[newcomer]);
  uint64_t all_instances = job.waiting;
  for (Worker& worker : all) all_instances += std::exchange(worker.seated, 0);
  return std::min({as_they_sit, going_on, TimeToEnd(all, all_instances)});
}

bool IsClearlySooner(double then, double now) { return then * kGain + kWorthJoining < now; }

std::optional<Move> BestJoin(const JobPicture& job, const std::vector<Worker>& workers) {
  const double now = TimeToEnd(Running(job, workers), job.waiting);
  double best = now;
  std::optional<Move> move;
  for (size_t i = 0; i < workers.size(); ++i) {
    if (job.candidates[i].runs) continue;
    const double then = EndWith(job, workers, i);
    if (!IsClearlySooner(then, now) || then >= best) continue;
    best = then;
    move = Move{Move::Kind::kJoin, i,
                job.candidates[i].device + " joins: " + InDigits(then) + " s instead of " +
                    InDigits(now) + " s (" + WordsOf(job) + ")."};
  }
  return move;
}

// On an equal device they would only start again.
std::vector<Worker> WithoutTwins(const JobPicture& job, std::vector<Worker> workers, size_t of) {
  const std::string& kind = job.candidates[of].kind;
  for (size_t i = 0; i < workers.size(); ++i) {
    if (i != of && !kind.empty() && job.candidates[i].kind == kind) workers[i].lane_time = 0;
  }
  return workers;
}

// Of the time of a whole instance, what the instances seated there need elsewhere.
double PartLeft(const JobPicture& job, const std::vector<Worker>& workers, size_t from) {
  return AllMove(job) ? PartOf(workers[from]) : 1;
}

std::optional<Move> Straggler(const JobPicture& job, const std::vector<Worker>& workers) {
  if (Running(job, workers).size() < 2) return std::nullopt;
  std::vector<Worker> present = workers;
  for (size_t i = 0; i < present.size(); ++i) {
    if (!job.candidates[i].runs) present[i].lane_time = 0;
  }
  for (size_t i = 0; i < present.size(); ++i) {
    if (!job.candidates[i].runs) continue;
    const double part = PartLeft(job, present, i);
    if (!IsStraggler(WithoutTwins(job, present, i), i, job.waiting, part)) continue;
    return Move{Move::Kind::kLeave, i,
                "The last instances on " + job.candidates[i].device + " end sooner elsewhere (" +
                    WordsOf(job) + ")."};
  }
  return std::nullopt;
}

}  // namespace

std::string InDigits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

std::string WordsOf(const JobPicture& job) {
  std::string words;
  for (const Candidate& candidate : job.candidates) {
    words += (words.empty() ? "" : ", ") + RateWords(candidate, job.candidates);
  }
  uint64_t left = job.waiting;
  for (const Candidate& candidate : job.candidates) left += candidate.seated;
  return words + "; " + std::to_string(left) + " instances left";
}

double UsualRate(const Candidate& candidate) {
  return UsualRateOfLane(candidate) * candidate.lanes;
}

double ExpectedRate(const Candidate& candidate, const std::vector<Candidate>& all) {
  if (candidate.rates.fuel_per_s > 0) return candidate.rates.fuel_per_s;
  for (const Candidate& other : all) {
    if (other.rates.fuel_per_s <= 0) continue;
    return UsualRate(candidate) * other.rates.fuel_per_s / UsualRate(other);
  }
  return UsualRate(candidate);
}

double RateBeyond(const Candidate& left) {
  const double here = ExpectedRate(left, {});
  if (left.engine != Engine::kInterpreter) return here;
  return here * UsualRateOf(Engine::kCpu) / UsualRateOf(Engine::kInterpreter);
}

std::vector<Worker> WorkersOf(const JobPicture& job) {
  const double fuel = FuelPerInstance(job);
  return fuel > 0 ? WorkersFor(job, fuel) : std::vector<Worker>();
}

std::vector<Worker> PacesOf(const JobPicture& job) {
  const double fuel = FuelPerInstance(job);
  return WorkersFor(job, fuel > 0 ? fuel : kUsualFuel);
}

std::optional<Move> NextMove(const JobPicture& job) {
  const std::vector<Worker> workers = WorkersOf(job);
  if (workers.empty()) return std::nullopt;
  if (auto join = BestJoin(job, workers)) return join;
  return Straggler(job, workers);
}

bool IsWorthBeginning(const JobPicture& job, size_t candidate) {
  const std::vector<Worker> all = WorkersOf(job);
  if (all.empty()) return true;
  std::vector<Worker> others = all;
  others[candidate].lane_time = 0;
  return IsClearlySooner(TimeToEnd(all, job.waiting), TimeToEnd(others, job.waiting));
}

double ExpectedEnd(const JobPicture& job) {
  const std::vector<Worker> workers = WorkersOf(job);
  return workers.empty() ? kNoEnd : TimeToEnd(Running(job, workers), job.waiting);
}

Change WhetherToChange(const JobPicture& job, size_t from, size_t to) {
  const std::vector<Worker> workers = WorkersOf(job);
  const std::string there = job.candidates[to].device;
  if (workers.empty()) return {true, there + " is ready, and no instance has ended yet."};
  const Worker& stay = workers[from];
  Worker go = workers[to];
  go.seated = 0;
  uint64_t beginning = job.waiting + stay.seated;
  if (job.candidates[from].moves && job.candidates[to].moves) {
    go.seated = stay.seated;
    go.age = stay.age * go.lane_time / stay.lane_time;
    beginning = job.waiting;
  }
  const double stays = TimeToEnd({&stay, 1}, job.waiting);
  const double goes = TimeToEnd({&go, 1}, beginning);
  const std::string words = InDigits(goes) + " s on " + there + ", " + InDigits(stays) + " s on " +
                            job.candidates[from].device + " (" + WordsOf(job) + ").";
  return {goes * kGainOfChange < stays, words};
}

}  // namespace wb
