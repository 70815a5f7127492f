#pragma once

// Results as the blocks in which a store keeps them. Pure.

#include <string>
#include <vector>

#include "compiler/base/bytes.h"
#include "scheduler/job/result_batch.h"

namespace wb {

// Rows [from, to) of a batch, or a range of instances that ended alike.
struct ResultsBlock {
  size_t from = 0;
  size_t to = 0;
  std::string instances;  // instance_text.h
  Bytes data;             // result_block.h
};

// A reader gets a block as about one message, and a block is read as a whole: many results are
// several blocks.
std::vector<ResultsBlock> BlocksOf(const ResultBatch& results);
ResultsBlock BlockOf(const EndedRange& range);

}  // namespace wb
