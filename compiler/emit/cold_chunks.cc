// Chunks between which only cold calls go. A call is cold where it is made outside of every loop,
// of the text and of calls: by a function that no loop reaches and that takes no part in recursion.

#include <algorithm>
#include <numeric>
#include <utility>

#include "compiler/emit/chunks.h"
#include "compiler/emit/text_functions.h"

namespace wb {
namespace {

// Fewer do not pay for the linking, and more wait for one another.
constexpr size_t kLeastColdChunks = 3;
constexpr size_t kMostColdChunks = 8;

// Functions that share a chunk, and what a compiler has to do for them.
struct Cluster {
  std::vector<size_t> functions;
  size_t weight = 0;
};

// Copies, and what leaves for its calls, run over and over by calls alone (compiler/docs/calls.md).
bool Recurs(const TextFunctions& functions, size_t i) {
  const std::string_view name = functions.Name(i), all = functions.At(i);
  return name.rfind('_') != name.find('_') || all.find("wb_wait(") != std::string_view::npos ||
         all.find("wb_tail(") != std::string_view::npos ||
         all.find(std::string(name) + "_1(") != std::string_view::npos;
}

// Of each function, whether what it does is done over and over.
std::vector<bool> HotFunctions(const TextFunctions& functions, const std::vector<TextCall>& calls) {
  std::vector<bool> hot(functions.size());
  for (size_t i = 0; i < functions.size(); ++i) hot[i] = Recurs(functions, i);
  for (bool changed = true; std::exchange(changed, false);) {
    for (const TextCall& call : calls) {
      if (hot[call.callee] || !(call.in_loop || hot[call.caller])) continue;
      hot[call.callee] = true;
      changed = true;
    }
  }
  return hot;
}

// The functions that hot calls connect, each with the smallest number among them.
std::vector<size_t> ConnectedBy(const TextFunctions& functions,
                                const std::vector<TextCall>& calls) {
  const std::vector<bool> hot = HotFunctions(functions, calls);
  std::vector<size_t> first(functions.size());
  std::iota(first.begin(), first.end(), size_t{0});
  const auto find = [&](size_t i) {
    while (first[i] != i) i = first[i] = first[first[i]];
    return i;
  };
  for (const TextCall& call : calls) {
    if (!call.in_loop && !hot[call.caller]) continue;
    const auto [low, high] = std::minmax({find(call.caller), find(call.callee)});
    first[high] = low;
  }
  for (size_t i = 0; i < first.size(); ++i) first[i] = find(i);
  return first;
}

std::vector<Cluster> ClustersOf(const TextFunctions& functions) {
  const std::vector<TextCall> calls = functions.Calls();
  const std::vector<size_t> first = ConnectedBy(functions, calls);
  std::vector<Cluster> by_first(functions.size());
  for (size_t i = 0; i < functions.size(); ++i) {
    by_first[first[i]].functions.push_back(i);
    by_first[first[i]].weight += functions.At(i).size();
  }
  for (const TextCall& call : calls) by_first[first[call.caller]].weight += kCallBytes;
  std::erase_if(by_first, [](const Cluster& cluster) { return cluster.functions.empty(); });
  return by_first;
}

// The heaviest first, each to the chunk that has the least.
std::vector<Cluster> Spread(std::vector<Cluster> clusters, size_t count) {
  std::stable_sort(clusters.begin(), clusters.end(),
                   [](const Cluster& a, const Cluster& b) { return a.weight > b.weight; });
  std::vector<Cluster> chunks(count);
  for (const Cluster& cluster : clusters) {
    Cluster& least =
        *std::min_element(chunks.begin(), chunks.end(),
                          [](const Cluster& a, const Cluster& b) { return a.weight < b.weight; });
    least.functions.insert(least.functions.end(), cluster.functions.begin(),
                           cluster.functions.end());
    least.weight += cluster.weight;
  }
  return chunks;
}

}  // namespace

std::vector<std::string> ColdChunksOf(std::string_view text, size_t bytes) {
  const TextFunctions functions(text);
  const size_t count =
      std::min(functions.bytes() / std::max<size_t>(bytes, 1) + 1, kMostColdChunks);
  if (count < kLeastColdChunks || functions.size() < count) return {std::string(text)};
  std::vector<Cluster> chunks = Spread(ClustersOf(functions), count);
  size_t all = 0, most = 0;
  for (const Cluster& chunk : chunks) {
    all += chunk.weight;
    most = std::max(most, chunk.weight);
  }
  // Where one chunk has nearly all there is little to gain.
  if (most > all / 2) return {std::string(text)};
  std::vector<std::vector<size_t>> groups;
  for (Cluster& chunk : chunks) {
    std::sort(chunk.functions.begin(), chunk.functions.end());
    if (!chunk.functions.empty()) groups.push_back(std::move(chunk.functions));
  }
  groups.emplace_back();  // what calls functions by number, and the entry
  return functions.Texts(groups);
}

}  // namespace wb
