#include "daemon/store/durable/blocks_of_results.h"

#include <algorithm>

#include "daemon/database/result_block.h"
#include "daemon/store/durable/instance_text.h"

namespace wb {
namespace {

constexpr size_t kMostResults = 8192;
constexpr size_t kMostBytes = 256 << 10;

}  // namespace

std::vector<ResultsBlock> BlocksOf(const ResultBatch& results) {
  std::vector<ResultsBlock> blocks;
  for (size_t from = 0; from < results.size();) {
    const size_t most = std::min(from + kMostResults, results.size());
    size_t bytes = 0;
    const size_t to = results.Fitting(from, most, kMostBytes, ResultForm::kColumns, &bytes);
    blocks.push_back({from, to, EncodeInstances(RangesOf(results.instances(), from, to)),
                      ResultBlock(results, from, to)});
    from = to;
  }
  return blocks;
}

ResultsBlock BlockOf(const EndedRange& range) {
  return {0, range.count, EncodeInstances({{range.first, range.count}}), RangeBlock(range)};
}

}  // namespace wb
