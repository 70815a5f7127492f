#include "scheduler/devices/cuda/nvrtc/fewer_calls.h"

#include <algorithm>
#include <map>
#include <utility>

#include "scheduler/devices/cuda/nvrtc/call_tree.h"
#include "scheduler/devices/cuda/nvrtc/cubin_calls.h"

namespace wb {
namespace {

// The functions of several cubins as one graph.
struct Whole {
  std::vector<std::vector<uint32_t>> functions;  // of each cubin: the number of each symbol
  std::vector<std::optional<uint32_t>> frames;   // of each number
  std::vector<uint32_t> kernels;
};

Whole NumberSymbols(const std::vector<CubinCalls>& cubins) {
  Whole whole;
  std::map<std::string, uint32_t> by_name;
  for (const CubinCalls& cubin : cubins) {
    std::vector<uint32_t>& numbers = whole.functions.emplace_back();
    for (const CubinCalls::Symbol& symbol : cubin.symbols) {
      auto number = static_cast<uint32_t>(whole.frames.size());
      if (!symbol.name.empty()) number = by_name.emplace(symbol.name, number).first->second;
      if (number == whole.frames.size()) whole.frames.emplace_back();
      if (symbol.frame_bytes) whole.frames[number] = symbol.frame_bytes;
      if (symbol.is_kernel) whole.kernels.push_back(number);
      numbers.push_back(number);
    }
  }
  return whole;
}

// Cubins begin their rows with marks, whose caller is no symbol. They are no calls.
bool IsMark(const CubinCalls::Row& row) { return row.caller == 0; }

// Nothing if a function that calls or is called is not known.
std::optional<CallGraph> GraphOf(const std::vector<CubinCalls>& cubins, const Whole& whole) {
  CallGraph graph;
  graph.kernel = whole.kernels[0];
  for (size_t i = 0; i < cubins.size(); ++i) {
    const std::vector<uint32_t>& functions = whole.functions[i];
    for (const CubinCalls::Row& row : cubins[i].rows) {
      if (IsMark(row)) continue;
      if (std::max(row.caller, row.callee) >= functions.size()) return std::nullopt;
      graph.calls.push_back({functions[row.caller], functions[row.callee]});
      if (!whole.frames[graph.calls.back().caller]) return std::nullopt;
      if (!whole.frames[graph.calls.back().callee]) return std::nullopt;
    }
  }
  if (!whole.frames[graph.kernel]) return std::nullopt;
  for (const auto& frame : whole.frames) graph.frames.push_back(frame.value_or(0));
  return graph;
}

}  // namespace

std::optional<FewerCalls> WithFewerCalls(std::vector<std::string> cubins) {
  std::vector<CubinCalls> read;
  for (const std::string& cubin : cubins) {
    std::optional<CubinCalls> calls = ReadCalls(cubin);
    if (!calls) return std::nullopt;
    read.push_back(*std::move(calls));
  }
  const Whole whole = NumberSymbols(read);
  if (whole.kernels.size() != 1) return std::nullopt;
  const std::optional<CallGraph> graph = GraphOf(read, whole);
  const std::optional<CallTree> tree = graph ? DeepestCalls(*graph) : std::nullopt;
  if (!tree) return std::nullopt;
  size_t call = 0;
  for (size_t i = 0; i < cubins.size(); ++i) {
    std::vector<CubinCalls::Row> rows;
    for (const CubinCalls::Row& row : read[i].rows) {
      if (IsMark(row) || tree->kept[call++]) rows.push_back(row);
    }
    WriteRows(cubins[i], rows);
  }
  return FewerCalls{std::move(cubins), tree->stack_bytes};
}

bool AsksForStack(std::string_view linked, uint64_t stack_bytes) {
  const std::optional<CubinCalls> calls = ReadCalls(linked);
  if (!calls) return false;
  std::vector<std::optional<uint32_t>> asked;
  for (const CubinCalls::Symbol& symbol : calls->symbols) {
    if (symbol.is_kernel) asked.push_back(symbol.stack_bytes);
  }
  return asked.size() == 1 && asked[0] == stack_bytes;
}

}  // namespace wb
