#pragma once

// SimulatedLanes: a device's lanes at one job in simulated time: launches of a slice, in which each
// lane takes the next instance when it has ended one. Instances that have not ended stay seated.

#include <cstdint>
#include <deque>
#include <vector>

#include "tests/daemon/cluster/simulation/shared_rows.h"

namespace wb::test {

// Seconds of an instance of a job on a lane of speed 1: the same wherever it runs.
struct InstanceLengths {
  double mean = 1;
  double spread = 1;  // 0: all equal; 1: exponential
  double Of(size_t job, uint64_t instance) const;
};

struct FinishedInstance {
  int64_t chunk = 0;
  uint64_t instance = 0;
};

class SimulatedLanes {
 public:
  void Give(const RowChunk& chunk) { waiting_.push_back({chunk, chunk.first}); }
  bool CanGo() const { return running_ > 0 || !waiting_.empty(); }
  // Seconds that the launch took, `slice` at most.
  double Launch(uint64_t lanes, double speed, double slice, const InstanceLengths& lengths,
                std::vector<FinishedInstance>* finished);

 private:
  struct Piece {
    RowChunk chunk;
    uint64_t next = 0;  // instance that starts next
  };
  struct Seat {
    FinishedInstance of;
    double left = 0;  // seconds at speed 1
    bool is_taken = false;
  };

  bool Fill(Seat* seat, const InstanceLengths& lengths);

  std::deque<Piece> waiting_;
  std::vector<Seat> seats_;
  uint64_t running_ = 0;
};

}  // namespace wb::test
