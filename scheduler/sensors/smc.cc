#include "scheduler/sensors/smc.h"

#include <cstring>
#include <utility>

namespace wb {
namespace {

constexpr uint32_t kMostKeys = 1 << 14;  // Macs have two or three thousand

}  // namespace

std::optional<SmcMessage> Smc::Ask(const SmcMessage& asked) {
  SmcMessage said;
  if (!line_->Exchange(asked, &said) || said.result != 0) return std::nullopt;
  return said;
}

std::vector<uint32_t> Smc::Keys() {
  std::vector<uint32_t> keys;
  SmcMessage asked;
  asked.command = kSmcKeyAt;
  for (; asked.index < kMostKeys; ++asked.index) {
    const auto said = Ask(asked);
    if (!said) break;
    keys.push_back(said->key);
  }
  return keys;
}

bool Smc::IsFloat(uint32_t key) {
  SmcMessage asked;
  asked.command = kSmcKeyInfo;
  asked.key = key;
  const auto said = Ask(asked);
  return said && said->type == kSmcFloat && said->size == sizeof(float);
}

std::optional<float> Smc::Read(uint32_t float_key) {
  SmcMessage asked;
  asked.command = kSmcRead;
  asked.key = float_key;
  asked.size = sizeof(float);
  const auto said = Ask(asked);
  if (!said) return std::nullopt;
  float value = 0;
  std::memcpy(&value, said->value, sizeof value);
  return value;
}

}  // namespace wb
