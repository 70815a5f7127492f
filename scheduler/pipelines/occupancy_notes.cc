#include "scheduler/pipelines/occupancy_notes.h"

#include <array>

#include "scheduler/devices/dispatch_shape.h"

namespace wb {
namespace {

// Which kernel of the pipeline.
constexpr uint32_t kFewRegisters = 1, kTiled = 2, kHot = 4;

using Words = std::array<uint32_t, 4>;

// GPUs of one target may have different caches, so their name counts.
CacheLabel LabelOf(const OccupancyOwner& owner) {
  return {owner.pipeline, owner.module,
          "residency of the device\n" + owner.device.target + "\n" + owner.device.name + "\n" +
              owner.calls.Hex() + (owner.is_best ? "\nbest build" : "")};
}

Bytes Encode(const Words& words) {
  Bytes bytes;
  for (const uint32_t word : words) {
    for (int shift = 0; shift < 32; shift += 8)
      bytes.push_back(static_cast<uint8_t>(word >> shift));
  }
  return bytes;
}

std::optional<Words> Decode(ByteView bytes) {
  Words words{};
  if (bytes.size() != words.size() * 4) return std::nullopt;
  for (size_t i = 0; i < bytes.size(); ++i) words[i / 4] |= uint32_t{bytes[i]} << (i % 4 * 8);
  return words;
}

}  // namespace

std::optional<Occupancy> OccupancyNotes::Find(const OccupancyOwner& owner) const {
  const std::optional<Bytes> note = cache_.LoadNote(LabelOf(owner));
  const std::optional<Words> words = note ? Decode(*note) : std::nullopt;
  if (!words) return std::nullopt;
  const auto [lanes, block_threads, processors, kernel] = *words;
  const bool fits = processors == owner.device.processors && lanes <= owner.device.threads &&
                    (block_threads == 0 || IsBlock(block_threads)) && kernel <= kHot;
  if (!fits) return std::nullopt;
  return Occupancy{lanes, block_threads, (kernel & kFewRegisters) != 0, (kernel & kTiled) != 0,
                   kernel == kHot};
}

void OccupancyNotes::Remember(const OccupancyOwner& owner, const Occupancy& occupancy) const {
  const Words words = {occupancy.lanes, occupancy.block_threads, owner.device.processors,
                       occupancy.hot ? kHot
                                     : (occupancy.few_registers ? kFewRegisters : 0) |
                                           (occupancy.tiled ? kTiled : 0)};
  cache_.StoreNote(LabelOf(owner), Encode(words));
}

}  // namespace wb
