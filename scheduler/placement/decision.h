#pragma once

// Where a job runs, by what was measured: which device joins it, which one it leaves. Pure.
//
// A device joins where the job then ends clearly sooner, its compiler's time and its start counted;
// with those who sit elsewhere where they are or, if that is sooner, started again. A device is
// left when nobody waits and those who sit there would end clearly sooner at the others. "Clearly"
// is what keeps a job from going to and fro.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scheduler/devices/device.h"
#include "scheduler/placement/rate_book.h"
#include "scheduler/placement/shares.h"

namespace wb {

// A device that the job is on or could go to.
struct Candidate {
  std::string device;  // id
  Engine engine = Engine::kCpu;
  uint32_t lanes = 1;   // that truly run at once
  ModuleRates rates;    // of the module there
  bool runs = false;    // the job is on it
  double ready_in = 0;  // seconds until it has the pipeline
  uint64_t seated = 0;
  double age = 0;         // seconds since they were seated, on average
  std::string kind = {};  // devices of one kind are equally fast
};

struct JobPicture {
  std::vector<Candidate> candidates;  // those that run use different hardware
  uint64_t waiting = 0;
  double fuel_per_instance = 0;  // of this job; 0: nobody has ended yet
  double running_for = 0;        // seconds, where nobody has ended yet
};

// What a device is taken to do of a module that it never ran, by what others did of it.
double ExpectedRate(const Candidate& candidate, const std::vector<Candidate>& all);

// All that are known, as workers; none where nothing tells how long an instance is.
std::vector<Worker> WorkersOf(const JobPicture& job);

// The same where nothing tells either: what is usual, so that equal devices have equal shares.
std::vector<Worker> PacesOf(const JobPicture& job);

struct Move {
  enum class Kind : uint8_t { kJoin, kLeave };
  Kind kind = Kind::kJoin;
  size_t candidate = 0;
  std::string reason;  // a sentence with the numbers
};
// nullopt: all stays as it is.
std::optional<Move> NextMove(const JobPicture& job);

// Whether a job leaves the one device for the other, of which it cannot have both: those seated
// start again. The reason says why, or why not.
struct Change {
  bool goes = true;
  std::string reason;
};
Change WhetherToChange(const JobPicture& job, size_t from, size_t to);

}  // namespace wb
