#pragma once

// The items of a run that are to be run, part by part.

#include <cstdint>
#include <memory>

#include "client/cli/invocation/invocation.h"
#include "client/cli/output/program_output.h"
#include "client/cli/run/item_reader.h"

namespace wb::cli {

class RunItems {
 public:
  // `output` must outlive it. `resume`: items whose file of standard output is there are left out.
  // `bounds`: of a part.
  RunItems(const Invocation& invocation, ItemReader reader, ProgramOutput* output, bool resume,
           const PartBounds& bounds);

  // The next part; null behind the last. Says how many items were left out, once that is known.
  // Errors of ItemReader and of ProgramOutput::Check; Client::CheckGoesOn.
  Result<std::shared_ptr<const ItemList>> Next();

 private:
  void LeaveOut(ItemList* items);
  void TellLeftOut();

  const Invocation& invocation_;
  ItemReader reader_;
  ProgramOutput& output_;
  const bool resume_;
  const PartBounds bounds_;
  uint64_t seen_ = 0;   // items
  uint64_t given_ = 0;  // of them, not left out
};

}  // namespace wb::cli
