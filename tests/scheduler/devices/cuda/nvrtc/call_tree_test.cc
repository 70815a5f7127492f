// The calls that are kept for the linker, against all calls.

#include "scheduler/devices/cuda/nvrtc/call_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace wb::test {
namespace {

// The stack of the deepest chain that begins at `function`, by the calls that are marked.
uint64_t StackOf(const CallGraph& graph, const std::vector<bool>& marked, uint32_t function) {
  uint64_t below = 0;
  for (size_t i = 0; i < graph.calls.size(); ++i) {
    if (graph.calls[i].caller != function || !marked[i]) continue;
    below = std::max(below, StackOf(graph, marked, graph.calls[i].callee));
  }
  return graph.frames[function] + below;
}

// How many chains of calls lead from the kernel to each function.
std::vector<size_t> WaysTo(const CallGraph& graph, const std::vector<bool>& marked) {
  std::vector<size_t> ways(graph.frames.size());
  std::vector<uint32_t> waiting = {graph.kernel};
  while (!waiting.empty()) {
    const uint32_t function = waiting.back();
    waiting.pop_back();
    ++ways[function];
    for (size_t i = 0; i < graph.calls.size(); ++i) {
      if (graph.calls[i].caller == function && marked[i]) waiting.push_back(graph.calls[i].callee);
    }
  }
  return ways;
}

std::vector<bool> All(const CallGraph& graph) {
  return std::vector<bool>(graph.calls.size(), true);
}

TEST(CallTree, TheCallOfTheDeepestCallerIsKept) {
  // The kernel 0 calls 1 and 2, both call 3. What is called last is not what is deepest.
  const CallGraph graph = {{8, 100, 16, 32}, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {0, 3}}, 0};
  const auto tree = DeepestCalls(graph);
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->kept, (std::vector<bool>{true, true, true, false, false}));
  EXPECT_EQ(tree->stack_bytes, 8u + 100 + 32);
}

TEST(CallTree, TheDeepestChainNeedNotEndInTheLastFunction) {
  const auto tree = DeepestCalls({{8, 100, 4, 4}, {{0, 1}, {0, 2}, {2, 3}}, 0});
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->stack_bytes, 108u);
}

TEST(CallTree, FramesOfNothingAreFrames) {
  const auto tree = DeepestCalls({{0, 0, 0}, {{0, 1}, {0, 2}, {1, 2}}, 0});
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->stack_bytes, 0u);
  EXPECT_EQ(std::count(tree->kept.begin(), tree->kept.end(), true), 2);
}

TEST(CallTree, HasTheFunctionsAndTheStackOfTheGraph) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    CallGraph graph;
    const uint32_t functions = 2 + random() % 9;
    std::vector<uint32_t> order(functions);  // callers first
    for (uint32_t i = 0; i < functions; ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random);
    for (uint32_t i = 0; i < functions; ++i) graph.frames.push_back(8 * (random() % 5));
    for (uint32_t i = 0; i < 2 * functions; ++i) {
      const uint32_t caller = random() % (functions - 1);
      const uint32_t callee = caller + 1 + random() % (functions - 1 - caller);
      graph.calls.push_back({order[caller], order[callee]});
    }
    graph.kernel = order[random() % 2];
    const auto tree = DeepestCalls(graph);
    ASSERT_TRUE(tree) << round;
    EXPECT_EQ(tree->stack_bytes, StackOf(graph, All(graph), graph.kernel)) << round;
    EXPECT_EQ(tree->stack_bytes, StackOf(graph, tree->kept, graph.kernel)) << round;
    const std::vector<size_t> ways = WaysTo(graph, All(graph));
    const std::vector<size_t> kept = WaysTo(graph, tree->kept);
    for (uint32_t i = 0; i < functions; ++i) {
      EXPECT_EQ(kept[i], std::min<size_t>(ways[i], 1)) << round << ": " << i;
    }
    for (size_t i = 0; i < graph.calls.size(); ++i) {
      EXPECT_TRUE(tree->kept[i] || ways[graph.calls[i].caller] != 0) << round << ": " << i;
    }
  }
}

// Each function calls the next two: there are more paths than can ever be walked.
TEST(CallTree, AsManyPathsAsFunctionsAreLeft) {
  CallGraph graph;
  for (uint32_t i = 0; i < 2000; ++i) {
    graph.frames.push_back(16);
    if (i + 1 < 2000) graph.calls.push_back({i, i + 1});
    if (i + 2 < 2000) graph.calls.push_back({i, i + 2});
  }
  const auto tree = DeepestCalls(graph);
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->stack_bytes, 2000u * 16);
  EXPECT_EQ(std::count(tree->kept.begin(), tree->kept.end(), true), 1999);
}

TEST(CallTree, FunctionsThatCallThemselvesHaveNone) {
  EXPECT_FALSE(DeepestCalls({{8, 8}, {{0, 1}, {1, 1}}, 0}));
  EXPECT_FALSE(DeepestCalls({{8, 8, 8}, {{0, 1}, {1, 2}, {2, 1}}, 0}));
  EXPECT_FALSE(DeepestCalls({{8, 8}, {{0, 1}, {1, 0}}, 0}));  // the kernel
  EXPECT_FALSE(DeepestCalls({{8}, {{0, 0}}, 0}));
  EXPECT_TRUE(DeepestCalls({{8, 8}, {{1, 1}}, 0}));  // the kernel never comes there
}

}  // namespace
}  // namespace wb::test
