#pragma once

// ClaimSize: how many instances of a job a host claims at a time. Pure.
//
// A host holds what its devices run, and some seconds of work behind it, so that no device waits
// for the database. Before anything is known of a job's speed it holds only what its devices run.
// Towards the job's end each claim takes a part of what is open, so that all hosts end at about the
// same time: guided self-scheduling (Polychronopoulos and Kuck, IEEE Trans. Computers 36(12), 1987)
// with a floor, below which a claim costs more than it evens out.

#include <cstdint>

namespace wb {

// Of one job, as this host knows it.
struct ClaimFacts {
  uint64_t open = 0;      // instances that nobody has claimed
  uint64_t held = 0;      // instances that this host has claimed and not finished
  double per_second = 0;  // instances that this host finishes, measured (ClaimSpeed); 0: not known
  uint32_t hosts = 1;     // hosts that are heard, this one included
  uint64_t room = 0;   // further instances for whose results there is room; those held have theirs
  uint32_t group = 1;  // instances are claimed in multiples of it
  // Instances that this host's devices run at the same time: fewer do not end sooner. 0: no device
  // takes the job.
  uint64_t lanes = 0;
};

// bench/cluster simulates hosts with other numbers beside these.
struct ClaimRule {
  // Seconds of work that wait behind what the devices run. More costs fewer claims; less leaves
  // less with a host whose devices turn to other jobs, and less for the others to wait for when it
  // dies or is slow.
  double ahead = 3;
  // It claims when less than this part of them is left: so it claims twice in `ahead` seconds, and
  // a claim may take half of them before a device is idle.
  double low = 0.5;
  // Of what is open, divided by the hosts, this part may wait with a host. With 1 the first host to
  // ask would hold its whole share, and end last where it is slower than the others.
  double part = 0.5;
  // Seconds of work that may wait however few are open: hosts end about that much apart. Less
  // brings claims at a job's end, when all hosts claim, faster than devices end their launches.
  double least = 1;
};

// Instances to claim now, a multiple of `group`, which may reach beyond the last open one. 0: this
// host has enough, or may not take more.
uint64_t ClaimSize(const ClaimFacts& facts, const ClaimRule& rule = {});

}  // namespace wb
