#pragma once

// JobProfile: where the fuel of a sample of a job's instances went. Functions are those of the
// modules that the job was given; what only the engine has (trampolines, parts of large functions,
// modules made of bindings) counts as its caller's. Pure.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "compiler/abi/lane.h"
#include "compiler/wasm/module.h"
#include "scheduler/devices/fuel_profile.h"

namespace wb {

struct ProfileFrame {
  static constexpr uint32_t kNoInstance = 0xffffffffu;

  // Index into Module::instances. kNoInstance: the module itself, or of linked ones a primitive,
  // which is none's; `function` then counts in the whole.
  uint32_t instance = kNoInstance;
  uint32_t function = 0;      // in that module; abi::NONE: its instantiation
  uint32_t loop = 0;          // byte offset in that module; 0: the function itself
  bool many_callers = false;  // no function: see FuelNode::kManyCallers
  auto operator<=>(const ProfileFrame&) const = default;
};

// Node 0 is what runs the job's steps; it has no frame, and is its own parent.
struct ProfileNode {
  uint32_t parent = 0;  // comes before its children
  uint32_t frame = 0;
  uint64_t calls = 0;
  uint64_t fuel = 0;  // without that of its children
};

enum class ProfileCut : uint8_t {
  kNone,
  kFuel,    // it was stopped after ProfileLimits::fuel
  kTime,    // ... when the time of the sample was over
  kMemory,  // ... where it needed more memory than ProfileLimits::instance_bytes
};

struct ProfiledInstance {
  uint64_t instance = 0;
  uint64_t fuel = 0;  // counted, up to the cut
  ProfileCut cut = ProfileCut::kNone;
};

struct JobProfile {
  uint64_t instances = 0;  // of the job
  std::vector<ProfiledInstance> sample;
  uint64_t fuel = 0;  // of the sample: the sum over all nodes
  bool loops = false;
  std::vector<ProfileFrame> frames;
  std::vector<ProfileNode> nodes;
  std::string note;  // why the sample is smaller than was asked for; else empty
};

uint64_t FuelOf(const FuelProfile& profile);

// Adds instances' counts up.
class ProfileBuilder {
 public:
  // Nodes with callers of their own; of others there are as many again at most.
  static constexpr size_t kMostNodes = kMostFuelNodes;

  // Without `loops` the fuel of a loop is that of its function. The module outlives the builder.
  ProfileBuilder(const Module& module, bool loops);
  void Add(const FuelProfile& fuel);
  // What was added since the last call, without sample and note.
  JobProfile Take();

 private:
  // None: the node counts as its parent.
  std::optional<ProfileFrame> FrameOf(const FuelNode& node) const;
  uint32_t FrameNumber(const ProfileFrame& frame);
  uint32_t Child(uint32_t parent, const ProfileFrame& frame);
  void Begin();

  const Module& module_;
  const bool loops_;
  JobProfile profile_;
  std::map<ProfileFrame, uint32_t> frames_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> children_;  // by parent and frame
};

}  // namespace wb
