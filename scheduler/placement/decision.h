#pragma once

// Where a job runs, by what was measured: which device joins it, which one it leaves. Pure.
//
// A device joins where the job then ends clearly sooner, its compiler's time and its start counted;
// with the instances seated elsewhere where they are or, if that is sooner, started again. A device
// is left when no instance waits and those seated there would end clearly sooner at the others,
// where they need what they still need here, or all of it if they cannot take their state along.
// "Clearly" is what keeps a job from going to and fro.

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
  uint32_t lanes = 1;   // FullWidth
  WorkRates rates;      // of the job's work there
  bool runs = false;    // the job is on it
  double ready_in = 0;  // seconds until it has the pipeline
  uint64_t seated = 0;
  double age = 0;         // seconds since they were seated, on average
  std::string kind = {};  // devices of one kind are equally fast
  bool moves = false;     // its seated instances go on at another such device where they were
  KernelBuild build = KernelBuild::kFull;  // of a compiling device: that it has or would get first
};

struct JobPicture {
  std::vector<Candidate> candidates;  // those that run use different hardware
  uint64_t waiting = 0;
  double fuel_per_instance = 0;  // of this job; 0: none has ended yet
  double running_for = 0;        // seconds, where none has ended yet
};

// Instructions a second of a device of that engine on common machines.
double UsualRate(const Candidate& candidate);

// What a device is taken to do of a module that it never ran, by what others did of it.
double ExpectedRate(const Candidate& candidate, const std::vector<Candidate>& all);

// What is expected where instances go that leave this device, by what is known of it alone: from
// the interpreter to compiled code, from any other to its like.
double RateBeyond(const Candidate& left);

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

// Whether a job of which nothing runs yet is to begin on that device too: without it the others
// would end it clearly later.
bool IsWorthBeginning(const JobPicture& job, size_t candidate);

// Seconds until those that it is on have ended it; infinite where nothing tells.
double ExpectedEnd(const JobPicture& job);

// Whether a job leaves the one device for the other, of which it cannot have both: those seated
// go on there, or start again. The reason says why, or why not.
struct Change {
  bool goes = true;
  std::string reason;
};
Change WhetherToChange(const JobPicture& job, size_t from, size_t to);

// What a reason says of a job: how fast each device is, how many instances are left.
std::string WordsOf(const JobPicture& job);
std::string InDigits(double value);  // three of them

}  // namespace wb
