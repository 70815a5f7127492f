#include "scheduler/placement/shares.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wb {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr int kHalvings = 60;
constexpr double kRoundsTogether = 4;
constexpr double kHair = 1e-9;
// What is started again must end so much sooner: by this factor, and by this time in seconds.
constexpr double kClearly = 1.5;
constexpr double kWorthMoving = 0.01;

// Of instances that one lane has ended. Lanes that started together end together, at first; later
// it is a flow.
double Rounds(double lane_times) {
  if (lane_times <= 0) return 0;
  return lane_times < kRoundsTogether ? std::floor(lane_times + kHair) : lane_times;
}

// The earliest time by which `waiting` have ended, on any of the devices.
double TimeForWaiting(std::span<const Worker> workers, double waiting) {
  if (waiting <= 0) return 0;
  double late = kNever;
  for (const Worker& worker : workers) {
    if (!worker.Works()) continue;
    const double rounds = std::ceil((waiting + static_cast<double>(worker.seated)) / worker.lanes);
    late = std::min(late, worker.setup + worker.Rest() + (rounds + 1) * worker.lane_time);
  }
  if (late == kNever) return kNever;
  double early = 0;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (early + late) / 2;
    double ended = 0;
    for (const Worker& worker : workers) ended += worker.EndedBy(middle);
    (ended >= waiting ? late : early) = middle;
  }
  return late;
}

bool AreEqual(const Worker& one, const Worker& other) {
  return one.lanes == other.lanes && one.lane_time == other.lane_time;
}

// Instances that it has to end before what it is given now.
double Ahead(const Worker& worker) {
  return static_cast<double>(worker.seated) + worker.setup * worker.lanes / worker.lane_time;
}

// What this worker and its equals have together is poured out so that all of them stand as high.
void LevelWithEquals(std::span<const Worker> workers, size_t first, std::vector<uint64_t>& shares) {
  std::vector<size_t> equals;
  uint64_t together = 0;
  for (size_t i = 0; i < workers.size(); ++i) {
    if (!AreEqual(workers[i], workers[first])) continue;
    if (i < first) return;  // done with that one
    equals.push_back(i);
    together += shares[i];
  }
  std::sort(equals.begin(), equals.end(),
            [&](size_t one, size_t other) { return Ahead(workers[one]) < Ahead(workers[other]); });
  double height = static_cast<double>(together);
  double level = 0;
  for (size_t i = 0; i < equals.size(); ++i) {  // those above the level get nothing
    height += Ahead(workers[equals[i]]);
    level = height / static_cast<double>(i + 1);
    if (i + 1 == equals.size() || level <= Ahead(workers[equals[i + 1]])) break;
  }
  uint64_t left = together;
  for (const size_t i : equals) {
    const double part = std::ceil(std::max(0.0, level - Ahead(workers[i])) - kHair * level);
    shares[i] = std::min(left, static_cast<uint64_t>(part));
    left -= shares[i];
  }
  shares[equals.front()] += left;
}

}  // namespace

double Worker::Rest() const { return seated > 0 ? std::abs(lane_time - age) : 0; }

double Worker::EndOfSeated() const {
  if (seated == 0) return 0;
  if (!Works()) return kNever;
  const double behind = std::max(0.0, static_cast<double>(seated) - lanes);
  return setup + Rest() + std::ceil(behind / lanes) * lane_time;
}

double Worker::EndedBy(double time) const {
  if (!Works()) return 0;
  const double busy = std::min(static_cast<double>(seated), lanes);
  const double behind = static_cast<double>(seated) - busy;
  const double left = time - setup;
  return std::max(0.0, (lanes - busy) * Rounds(left / lane_time) +
                           busy * Rounds((left - Rest()) / lane_time) - behind);
}

double TimeToEnd(std::span<const Worker> workers, uint64_t waiting) {
  double time = TimeForWaiting(workers, static_cast<double>(waiting));
  for (const Worker& worker : workers) time = std::max(time, worker.EndOfSeated());
  return time;
}

std::vector<uint64_t> ShareOut(std::span<const Worker> workers, uint64_t waiting) {
  std::vector<uint64_t> shares(workers.size(), 0);
  const double time = TimeForWaiting(workers, static_cast<double>(waiting));
  if (waiting == 0) return shares;
  if (time == kNever) {  // nothing is known of any: first come, first served
    std::fill(shares.begin(), shares.end(), waiting);
    return shares;
  }
  uint64_t shared = 0;
  for (size_t i = 0; i < workers.size(); ++i) {
    const double most = static_cast<double>(waiting - shared);
    shares[i] = static_cast<uint64_t>(std::clamp(workers[i].EndedBy(time), 0.0, most));
    shared += shares[i];
  }
  // What rounding left over goes where one more ends first.
  const auto end_of_one_more = [&](size_t i) {
    return TimeForWaiting(workers.subspan(i, 1), static_cast<double>(shares[i]) + 1);
  };
  size_t best = 0;
  for (size_t i = 1; i < workers.size() && shared < waiting; ++i) {
    if (end_of_one_more(i) < end_of_one_more(best)) best = i;
  }
  shares[best] += waiting - shared;
  for (size_t i = 0; i < workers.size(); ++i) {
    if (workers[i].Works()) LevelWithEquals(workers, i, shares);
  }
  return shares;
}

bool IsStraggler(std::span<const Worker> workers, size_t straggler, uint64_t waiting, double part) {
  const Worker& slow = workers[straggler];
  if (waiting > 0 || slow.seated == 0) return false;
  std::vector<Worker> others(workers.begin(), workers.end());
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(straggler));
  for (Worker& other : others) {
    if (other.seated == 0) other.lane_time *= part;
  }
  const double again = TimeToEnd(others, slow.seated);
  return again < kNever && again * kClearly + kWorthMoving < slow.EndOfSeated();
}

}  // namespace wb
