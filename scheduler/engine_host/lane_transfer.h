#pragma once

// Images of lanes between the daemon and an engine host. Their words are one after the other in
// memory that both map, and a message says how long each is. Neither side trusts the other's
// numbers. The device checks what an image means.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "scheduler/devices/lane_image.h"
#include "scheduler/engine_host/engine.pb.h"

namespace wb {

class ImageWriter {
 public:
  explicit ImageWriter(std::span<uint8_t> memory) : left_(memory) {}
  // False: there is no room for the image.
  bool Add(const LaneImage& image, wasmburst::engine::LaneImage& out);

 private:
  void Put(std::span<const uint32_t> words);
  std::span<uint8_t> left_;
};

class ImageReader {
 public:
  explicit ImageReader(std::span<const uint8_t> memory) : left_(memory) {}
  // The next image. nullopt: there is none, or it is longer than the memory.
  std::optional<LaneImage> Next(const wasmburst::engine::LaneImage& in);

 private:
  std::vector<uint32_t> Take(uint64_t words);
  std::span<const uint8_t> left_;
};

// An image whose state is in memory that the daemon lends: only its record is sent.
void PutLent(const LaneImage& image, wasmburst::engine::LaneImage& out);
// nullopt: the state is not in that memory, or nothing that PutLent writes. `owner`: of the memory.
std::optional<LaneImage> LentImage(const wasmburst::engine::LaneImage& in,
                                   std::span<const uint8_t> memory,
                                   std::shared_ptr<const void> owner);

}  // namespace wb
