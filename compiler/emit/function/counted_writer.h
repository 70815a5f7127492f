#pragma once

// The first of the two forms of a counted loop (ir/counted_loop.h): one test before it, and then
// rounds without tests of fuel, bounds or alignment, whose words that stay in place are variables.
// The caller prints the loop's rows between Open and Close, and then again in their plain form,
// whose brace Close opens. Rows of a loop with data stand twice between Open and Close: with
// numbers in the place of loads, where memory holds what the module's data say, and behind
// OpenWithoutData. So do those of a loop that reads copies of data (text/data_copy.h): where the
// copies hold, no load asks. Where the rounds are known before, all of them run in one of the
// forms. Else as many as the fuel lasts for run in the first, and any others in the plain one. A
// straight run has one round, without Rounds.

#include <string>

#include "compiler/emit/function/counted_accesses.h"
#include "compiler/emit/function/counted_names.h"
#include "compiler/emit/function/memory_writer.h"
#include "compiler/emit/function/row_context.h"
#include "compiler/ir/ir.h"

namespace wb {

class CountedWriter {
 public:
  // How many braces deeper than the loop its rows may be.
  static constexpr size_t kMostDepth = 24;
  static constexpr size_t kMostDepthOfRun = 40;  // an if may have two

  CountedWriter(const RowContext& context, const MemoryWriter& memory)
      : context_(context), memory_(memory) {}

  // Prints the test and what stands before the rounds, inside it. The loop is entered here: where
  // it is resumed, its header's fuel has been given back. `resumes`: it may be resumed behind its
  // header, and then goes on in its plain form.
  void Open(const ir::CountedLoop& loop, bool resumes);
  // "for (ulong k4 = 0ul; ...)". If no branch leaves the rows, the rounds are over by their number.
  std::string Rounds() const;
  // What stands at a place in the round (CountedLoop::RowAt), between Open and Close. False: it is
  // printed as any other row.
  bool Write(uint32_t place) { return CountedAccesses(context_, *loop_, reads_data_).Write(place); }
  // False: the loop's rows stand here once.
  bool OpenWithoutData();
  // Behind the rounds, on every way out of them. Opens the brace of the plain form.
  void Close();

 private:
  using Names = CountedNames;

  bool is_known() const { return loop_->rounds != 0; }
  CountedNames names() const { return {*loop_, context_.expressions}; }
  std::string RoundsCall() const;
  std::string RoundsLast() const;
  void PrintStarts();
  void PrintSlots();
  void PutSlots();
  // The bytes that each store of the stream comes to are known.
  bool KnowsStores(uint32_t stream) const;
  void NoteStores();
  std::string Condition(bool resumes) const;
  std::string Apart(const ir::StreamPair& pair) const;
  std::string ApartFrom(uint32_t stream, const std::string& from, uint64_t bytes) const;
  void AskForData();
  bool KnowsCopies() const;
  void OpenWithData();
  std::string HoldsData(const ir::LoopData& data) const;

  const RowContext context_;
  const MemoryWriter& memory_;
  const ir::CountedLoop* loop_ = nullptr;  // between Open and Close
  bool reads_data_ = false;                // between Open and OpenWithoutData
  bool knows_copies_ = false;              // the loop reads copies, and they hold in all rounds
};

}  // namespace wb
