#pragma once

// What an instance left behind when it ended, and how it came there: what an interpreter tells of a
// launch that it was asked to look at. Functions, globals, tables and memories count as in the
// module that it runs, whose synthetic functions follow its own.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/bytes.h"
#include "compiler/base/status.h"
#include "compiler/wasm/opcode.h"
#include "scheduler/devices/device.h"

namespace wb {

struct SeenValue {
  ValueType type = ValueType::kI32;
  uint64_t low = 0;   // bits; those of 32 bits zero-extended
  uint64_t high = 0;  // of a v128
  bool operator==(const SeenValue&) const = default;
};

struct SeenFrame {
  uint32_t function = 0;
  uint32_t offset = 0;              // of the instruction, or of the call; bytes in the module
  std::vector<SeenValue> locals;    // parameters first
  std::vector<SeenValue> operands;  // of the instruction that trapped; of a caller none
  bool operator==(const SeenFrame&) const = default;
};

struct SeenChunk {
  uint64_t at = 0;
  Bytes bytes;
  bool operator==(const SeenChunk&) const = default;
};

struct SeenMemory {
  uint32_t pages = 0;
  std::vector<SeenChunk> chunks;  // what is not zero, rising, apart from one another
  bool operator==(const SeenMemory&) const = default;
};

struct SeenTable {
  static constexpr uint32_t kNull = 0;
  std::vector<uint32_t> elements;  // 1 + number of the function, or kNull
  bool operator==(const SeenTable&) const = default;
};

// A step on the instance's way.
struct SeenLine {
  enum class Kind : uint8_t { kOperator, kCall, kReturn };
  Kind kind = Kind::kOperator;
  uint32_t depth = 0;     // activations, 1 for the outermost
  uint32_t function = 0;  // that it is in; of a call or return: which is called
  uint32_t offset = 0;    // of the operator; of a call: where it is made, 0 for the outermost
  std::string text;       // "i32.add"
  std::vector<SeenValue> values;   // operands, arguments, or what is returned
  std::vector<SeenValue> results;  // of an operator
  bool operator==(const SeenLine&) const = default;
};

enum class TraceDetail : uint8_t { kNothing, kCalls, kOperators };

struct InspectionRequest {
  bool state = false;            // memory, globals and tables; frames come always
  uint64_t max_state_bytes = 0;  // LIMIT_TOO_HIGH: there are more
  TraceDetail detail = TraceDetail::kNothing;
  // It ends before the first operator at this offset in one of the functions [from, to).
  struct Until {
    uint32_t offset = 0;
    uint32_t from = 0;
    uint32_t to = ~0u;
  };
  std::optional<Until> until;
  uint32_t max_lines = 0;  // the last ones are told
};

struct Inspection {
  static constexpr uint32_t kMostFrames = 1024;  // the innermost

  uint32_t seats_left = 0;        // not 0: the instance is left midway, and nothing else is told
  bool reached = false;           // `until`: everything is as it was there
  std::vector<SeenFrame> frames;  // of the last trap, innermost first
  std::vector<SeenMemory> memories;
  std::vector<SeenValue> globals;
  std::vector<SeenTable> tables;
  std::vector<SeenLine> lines;
  uint64_t line_count = 0;  // with those that were left out
};

// A device that can be asked so.
class InspectingDevice {
 public:
  virtual ~InspectingDevice() = default;
  // A launch, as Device::Launch, of a dispatch whose lanes have a seat each; LaunchLimits names the
  // lane that is looked at, or there is one lane. LIMIT_TOO_HIGH, as above; DEVICE_LOST.
  virtual Result<Inspection> Inspect(Dispatch& dispatch, const LaunchLimits& limits,
                                     const InspectionRequest& request) = 0;
};

struct StartedInspection {
  std::shared_ptr<Device> device;
  std::shared_ptr<InspectingDevice> inspecting;  // the same
  std::function<void()> kill = {};               // as in StartedDevice
};
using InspectionStarter = std::function<Result<StartedInspection>(std::function<void()> on_lost)>;

}  // namespace wb
