#pragma once

// Lanes of a fake GPU that run in step: those of a group are threads that vote
// (tests/compiler/runtime/voting_group.h). A kernel text for them is compiled for this machine's
// processor, and calls these functions where a GPU has instructions of a whole group.

#include <cstdint>
#include <functional>
#include <string>

namespace wb::test {

struct LaneVotes;

// The text for the compiler of processors. The shared object that it makes has a variable
// `wb_votes`, which is to be VotesOfLanes() before it runs.
std::string TextThatVotes(const std::string& text);
const LaneVotes* VotesOfLanes();

// Runs all lanes, group by group; each on a thread of its own.
void RunLanesThatVote(uint32_t lanes, const std::function<void(uint32_t gid)>& run);

}  // namespace wb::test
