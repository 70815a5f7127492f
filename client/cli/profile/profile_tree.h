#pragma once

// ProfileTree: a profile as a tree of labels. Pure.

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/base/status.h"
#include "wasmburst/v1/profiles.pb.h"

namespace wb::cli {

struct ProfileTree {
  struct Node {
    uint32_t parent = 0;  // comes before its children; of node 0 itself
    uint32_t label = 0;   // index into labels
    uint32_t depth = 0;   // of node 0: 0
    bool is_loop = false;
    uint64_t calls = 0;
    uint64_t self = 0;   // fuel of its own instructions
    uint64_t total = 0;  // with that of all nodes below it
  };
  std::vector<Node> nodes;          // node 0 is the whole job
  std::vector<std::string> labels;  // printable; different for different functions and loops
};

// Names as their language writes them. INTERNAL: the message is no tree.
Result<ProfileTree> TreeOf(const wasmburst::v1::Profile& profile);

}  // namespace wb::cli
