#pragma once

// The results of a run, as they come.

#include <cstdint>
#include <memory>
#include <string>

#include "client/cli/invocation/invocation.h"
#include "client/cli/output/program_output.h"
#include "client/cli/run/item_list.h"

namespace wb::cli {

// A job of a run: its first instance is for the item at `place` of `items`.
struct ProgramJob {
  std::string name;
  std::shared_ptr<const ItemList> items;
  uint64_t place = 0;

  uint64_t first() const { return items->first + place; }  // of all items of the run
};

struct RunResults {
  const ProgramOutput* output = nullptr;  // outlives the reader
  bool has_source = false;                // of the items
  bool ordered = false;
};

// Reads the jobs of a run, one after the other.
class RunReader {
 public:
  RunReader(Invocation& invocation, const RunResults& results);
  ~RunReader();

  // Reads a job to its end. False: the run ends here, with `exit_code`, since it was interrupted or
  // standard output takes no more.
  Result<bool> Read(const ProgramJob& job);
  // What all jobs came to, on standard error. To the exit code: of a single program its own, of
  // many 0 where none failed.
  int Finish();
  int exit_code() const { return exit_code_; }

 private:
  class Writer;

  Result<bool> Interrupted(const std::string& job);

  Invocation& invocation_;
  const RunResults results_;
  const std::unique_ptr<Writer> writer_;
  bool all_succeeded_ = true;
  int exit_code_ = 0;
};

// Cancels a job that is no longer wanted, also where the invocation's client was interrupted.
// False: it may go on.
bool CancelUnwanted(const Invocation& invocation, const std::string& job);

}  // namespace wb::cli
