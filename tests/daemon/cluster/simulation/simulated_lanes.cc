#include "tests/daemon/cluster/simulation/simulated_lanes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <utility>

namespace wb::test {
namespace {

// Steele, Lea, Flood: OOPSLA 2014 (SplitMix64).
uint64_t Mix(uint64_t number) {
  number += 0x9e3779b97f4a7c15;
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

}  // namespace

double InstanceLengths::Of(size_t job, uint64_t instance) const {
  if (spread == 0) return mean;
  const double drawn = (static_cast<double>(Mix(Mix(job) ^ instance) >> 11) + 0.5) * 0x1p-53;
  return mean * (1 - spread + spread * -std::log(drawn));
}

double SimulatedLanes::Launch(uint64_t lanes, double speed, double slice,
                              const InstanceLengths& lengths,
                              std::vector<FinishedInstance>* finished) {
  using Turn = std::pair<double, size_t>;  // when a lane goes on
  std::priority_queue<Turn, std::vector<Turn>, std::greater<>> turns;
  seats_.resize(std::max<size_t>(seats_.size(), lanes));
  for (size_t seat = 0; seat < seats_.size(); ++seat) turns.push({0, seat});
  double took = 0;
  while (!turns.empty()) {
    const auto [time, at] = turns.top();
    turns.pop();
    Seat& seat = seats_[at];
    if (!seat.is_taken && !Fill(&seat, lengths)) continue;
    const double end = time + seat.left / speed;
    took = std::max(took, std::min(end, slice));
    if (end > slice) {
      seat.left = (end - slice) * speed;
      continue;
    }
    finished->push_back(seat.of);
    seat.is_taken = false;
    --running_;
    turns.push({end, at});
  }
  return took;
}

bool SimulatedLanes::Fill(Seat* seat, const InstanceLengths& lengths) {
  if (waiting_.empty()) return false;
  Piece& piece = waiting_.front();
  seat->of = {piece.chunk.id, piece.next};
  seat->left = lengths.Of(piece.chunk.job, piece.next);
  seat->is_taken = true;
  ++running_;
  if (++piece.next == piece.chunk.first + piece.chunk.count) waiting_.pop_front();
  return true;
}

}  // namespace wb::test
