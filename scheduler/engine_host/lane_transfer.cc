#include "scheduler/engine_host/lane_transfer.h"

#include <algorithm>
#include <cstring>

namespace wb {

void ImageWriter::Put(std::span<const uint32_t> words) {
  if (!words.empty()) std::memcpy(left_.data(), words.data(), words.size_bytes());
  left_ = left_.subspan(words.size_bytes());
}

bool ImageWriter::Add(const LaneImage& image, wasmburst::engine::LaneImage& out) {
  if (image.bytes() > left_.size()) return false;
  Put(image.record);
  Put(image.state);
  out.set_form(image.form.bytes.data(), image.form.bytes.size());
  out.set_record_words(image.record.size());
  out.set_state_words(image.state.size());
  return true;
}

std::vector<uint32_t> ImageReader::Take(uint64_t words) {
  std::vector<uint32_t> taken(words);
  if (words > 0) std::memcpy(taken.data(), left_.data(), words * sizeof(uint32_t));
  left_ = left_.subspan(words * sizeof(uint32_t));
  return taken;
}

std::optional<LaneImage> ImageReader::Next(const wasmburst::engine::LaneImage& in) {
  LaneImage image;
  const uint64_t most = left_.size() / sizeof(uint32_t);
  if (in.form().size() != image.form.bytes.size()) return std::nullopt;
  if (in.record_words() > most || in.state_words() > most - in.record_words()) return std::nullopt;
  std::copy(in.form().begin(), in.form().end(), image.form.bytes.begin());
  image.record = Take(in.record_words());
  image.state = Take(in.state_words());
  return image;
}

}  // namespace wb
