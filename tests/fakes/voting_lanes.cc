#include "tests/fakes/voting_lanes.h"

#include <algorithm>
#include <array>
#include <memory>
#include <thread>
#include <vector>

#include "compiler/abi/lane.h"
#include "tests/compiler/runtime/voting_group.h"

namespace wb::test {
namespace {

struct VotingLanes {
  explicit VotingLanes(uint32_t members) : votes(members) {}
  VotingGroup votes;
  std::array<uint32_t, abi::GROUP_MEMORY_WORDS> words{};
};

thread_local VotingLanes* own_lanes = nullptr;
thread_local uint32_t lane_in_group = 0;

// What stands before the text. The functions of the prelude that a group computes together have
// other names from here on.
constexpr const char* kVotes = R"(#include <metal_stdlib>
struct WbLaneVotes {
  uint (*least)(uint);
  uint (*sum)(uint);
  uint (*all)(uint);
  uint (*any)(uint);
  uint (*odd)(uint);
  uint (*shuffle)(uint, uint);
  uint (*together)();
  uint *(*words)();
};
extern "C" __attribute__((visibility("default"))) const WbLaneVotes *wb_votes;
const WbLaneVotes *wb_votes = nullptr;
namespace metal {
inline void voted_barrier(mem_flags) { wb_votes->sum(0u); }
inline bool voted_any(bool a) { return wb_votes->any(a ? 1u : 0u) != 0u; }
inline uint voted_min(uint a) { return wb_votes->least(a); }
inline uint voted_sum(uint a) { return wb_votes->sum(a); }
inline uint voted_and(uint a) { return wb_votes->all(a); }
inline uint voted_or(uint a) { return wb_votes->any(a); }
inline uint voted_xor(uint a) { return wb_votes->odd(a); }
inline uint voted_shuffle(uint a, ushort lane) { return wb_votes->shuffle(a, lane); }
struct voted_lanes {
  bool are_all;
  bool all() const { return are_all; }
};
inline voted_lanes voted_mask() { return {wb_votes->together() != 0u}; }
}
inline uint *voted_group_words(uint) { return wb_votes->words(); }
#define simdgroup_barrier voted_barrier
#define simd_any voted_any
#define simd_min voted_min
#define simd_sum voted_sum
#define simd_and voted_and
#define simd_or voted_or
#define simd_xor voted_xor
#define simd_shuffle voted_shuffle
#define simd_active_threads_mask voted_mask
#define wb_native_group_words voted_group_words
)";

}  // namespace

// As WbLaneVotes above.
struct LaneVotes {
  uint32_t (*least)(uint32_t);
  uint32_t (*sum)(uint32_t);
  uint32_t (*all)(uint32_t);
  uint32_t (*any)(uint32_t);
  uint32_t (*odd)(uint32_t);
  uint32_t (*shuffle)(uint32_t, uint32_t);
  uint32_t (*together)();
  uint32_t* (*words)();
};

std::string TextThatVotes(const std::string& text) { return kVotes + text; }

const LaneVotes* VotesOfLanes() {
  static const LaneVotes votes = {
      [](uint32_t a) { return own_lanes->votes.Vote(a).least; },
      [](uint32_t a) { return own_lanes->votes.Vote(a).sum; },
      [](uint32_t a) { return own_lanes->votes.Vote(a).all; },
      [](uint32_t a) { return own_lanes->votes.Vote(a).any; },
      [](uint32_t a) { return own_lanes->votes.Vote(a).odd; },
      [](uint32_t a, uint32_t lane) { return own_lanes->votes.Vote(a, lane_in_group).given[lane]; },
      [] { return own_lanes->votes.Together() ? 1u : 0u; },
      [] { return own_lanes->words.data(); },
  };
  return &votes;
}

void RunLanesThatVote(uint32_t lanes, const std::function<void(uint32_t gid)>& run) {
  for (uint32_t first = 0; first < lanes; first += abi::GROUP_LANES) {
    const uint32_t members = std::min<uint32_t>(abi::GROUP_LANES, lanes - first);
    VotingLanes group(members);
    std::vector<std::thread> threads;
    for (uint32_t i = 0; i < members; ++i) {
      threads.emplace_back([&, i] {
        own_lanes = &group;
        lane_in_group = i;
        run(first + i);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
}

}  // namespace wb::test
