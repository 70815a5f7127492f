#include "scheduler/engine_host/lane_transfer.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace wb {

void ImageWriter::Put(std::span<const uint32_t> words) {
  if (!words.empty()) std::memcpy(left_.data(), words.data(), words.size_bytes());
  left_ = left_.subspan(words.size_bytes());
}

bool ImageWriter::Add(const LaneImage& image, wasmburst::engine::LaneImage& out) {
  if (image.bytes() > left_.size()) return false;
  Put(image.record);
  Put(image.words());
  out.set_form(image.form.bytes.data(), image.form.bytes.size());
  out.set_record_words(image.record.size());
  out.set_state_words(image.words().size());
  out.set_is_change(image.is_change);
  out.set_left_as(image.left_as);
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
  image.is_change = in.is_change();
  image.left_as = in.left_as();
  return image;
}

void PutLent(const LaneImage& image, wasmburst::engine::LaneImage& out) {
  out.set_form(image.form.bytes.data(), image.form.bytes.size());
  out.set_record(image.record.data(), image.record.size() * sizeof(uint32_t));
  out.set_state_words(image.lent.words.size());
  out.set_state_at(image.lent.shared_at);
  out.set_left_as(image.left_as);
}

std::optional<LaneImage> LentImage(const wasmburst::engine::LaneImage& in,
                                   std::span<const uint8_t> memory,
                                   std::shared_ptr<const void> owner) {
  LaneImage image;
  if (in.form().size() != image.form.bytes.size()) return std::nullopt;
  std::copy(in.form().begin(), in.form().end(), image.form.bytes.begin());
  if (in.record().size() % sizeof(uint32_t) != 0) return std::nullopt;
  image.record.resize(in.record().size() / sizeof(uint32_t));
  std::memcpy(image.record.data(), in.record().data(), in.record().size());
  const uint64_t at = in.state_at();
  if (at % sizeof(uint32_t) != 0 || at > memory.size()) return std::nullopt;
  const uint64_t most = (memory.size() - at) / sizeof(uint32_t);
  if (in.state_words() == 0 || in.state_words() > most) return std::nullopt;
  image.lent.words = {reinterpret_cast<const uint32_t*>(memory.data() + at), in.state_words()};
  image.lent.owner = std::move(owner);
  image.left_as = in.left_as();
  return image;
}

}  // namespace wb
