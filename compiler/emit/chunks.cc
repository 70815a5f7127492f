#include "compiler/emit/chunks.h"

#include <algorithm>

#include "compiler/emit/text_functions.h"

namespace wb {
namespace {

constexpr size_t kMostChunks = 64;
// Each chunk has a copy of what stands before the functions and is no declaration of one. All
// copies together may take as much as the functions, and this.
constexpr size_t kSpare = size_t{1} << 20;

// What decides where a text is cut: by function, in their order.
struct Weights {
  std::vector<size_t> upto;    // of the functions up to it and it
  std::vector<size_t> across;  // how many calls there are between those and the ones behind it
};

Weights WeightsOf(const TextFunctions& functions) {
  const size_t count = functions.size();
  Weights weights;
  std::vector<size_t> own(count), begin(count), end(count);
  for (size_t i = 0; i < count; ++i) own[i] = functions.At(i).size();
  for (const TextCall& call : functions.Calls()) {
    own[call.caller] += kCallBytes;
    ++begin[std::min(call.caller, call.callee)];
    ++end[std::max(call.caller, call.callee)];
  }
  size_t upto = 0, open = 0;
  for (size_t i = 0; i < count; ++i) {
    weights.upto.push_back(upto += own[i]);
    weights.across.push_back(open = open + begin[i] - end[i]);
  }
  return weights;
}

// The functions that are the last of a chunk, `count` of them. Near where equal pieces would end,
// that is by up to a quarter of one, the place that the fewest calls cross: what is called in its
// own chunk may be inlined.
std::vector<size_t> LastOfChunks(const Weights& weights, size_t count) {
  const std::vector<size_t>&upto = weights.upto, &across = weights.across;
  std::vector<size_t> last;
  size_t begin = 0;
  for (size_t i = 0; last.size() + 1 < count && i + 1 < upto.size(); ++i) {
    const size_t piece = (upto.back() - begin) / (count - last.size());
    while (i + 2 < upto.size() && upto[i] - begin < piece - piece / 4) ++i;
    size_t best = i;
    for (size_t at = i + 1; at + 1 < upto.size() && upto[at] - begin <= piece + piece / 4; ++at) {
      const bool as_few = across[at] == across[best] && upto[at] - begin <= piece;
      if (across[at] < across[best] || as_few) best = at;
    }
    last.push_back(best);
    begin = upto[best];
    i = best;
  }
  last.push_back(upto.size() - 1);
  return last;
}

}  // namespace

size_t BytesOfFunctions(std::string_view text) { return TextFunctions(text).bytes(); }

std::vector<std::string> ChunksOf(std::string_view text, size_t bytes) {
  const TextFunctions functions(text);
  const size_t all = functions.bytes();
  const size_t count =
      std::min({all / std::max<size_t>(bytes, 1) + 1, kMostChunks,
                (all + kSpare) / std::max<size_t>(functions.bytes_before(), 1), functions.size()});
  if (count <= 1) return {std::string(text)};
  std::vector<std::vector<size_t>> groups;
  size_t next = 0;
  for (const size_t last : LastOfChunks(WeightsOf(functions), count)) {
    groups.emplace_back();
    while (next <= last) groups.back().push_back(next++);
  }
  return functions.Texts(groups);
}

}  // namespace wb
