#pragma once

// Apple's System Management Controller: a table of keys of four characters, each with a value of a
// type. A message is 80 bytes, laid out as the source of Apple's PowerManagement project has it;
// which keys a Mac has is documented nowhere and differs from model to model, so they are looked up
// by how they begin. Values other than 32-bit floats (those of Macs with Intel) are not read.
//
// Threads: one at a time.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wb {

// Both ways. Numbers are the host's, a key's first character its highest byte.
struct SmcMessage {
  uint32_t key = 0;
  uint8_t version_and_limits[24] = {};  // not ours
  uint32_t size = 0;                    // of the value
  uint32_t type = 0;
  uint8_t attributes[4] = {};
  uint8_t result = 0;  // 0: it worked
  uint8_t status = 0;
  uint8_t command = 0;
  uint8_t padding = 0;
  uint32_t index = 0;
  uint8_t value[32] = {};
};
static_assert(sizeof(SmcMessage) == 80 && offsetof(SmcMessage, size) == 28 &&
              offsetof(SmcMessage, result) == 40 && offsetof(SmcMessage, index) == 44 &&
              offsetof(SmcMessage, value) == 48);

enum SmcCommand : uint8_t { kSmcRead = 5, kSmcKeyAt = 8, kSmcKeyInfo = 9 };

constexpr uint32_t SmcName(const char (&name)[5]) {
  uint32_t key = 0;
  for (size_t i = 0; i < 4; ++i) key = key << 8 | static_cast<uint8_t>(name[i]);
  return key;
}
inline constexpr uint32_t kSmcFloat = SmcName("flt ");

// What carries messages to it.
class SmcLine {
 public:
  virtual ~SmcLine() = default;
  // False: nothing came back.
  virtual bool Exchange(const SmcMessage& asked, SmcMessage* said) = 0;
};

class Smc {
 public:
  explicit Smc(std::unique_ptr<SmcLine> line) : line_(std::move(line)) {}

  // Every key, in the table's order. Thousands of messages: once.
  std::vector<uint32_t> Keys();
  bool IsFloat(uint32_t key);
  std::optional<float> Read(uint32_t float_key);

 private:
  std::optional<SmcMessage> Ask(const SmcMessage& asked);

  std::unique_ptr<SmcLine> line_;
};

}  // namespace wb
