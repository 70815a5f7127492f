#include "scheduler/devices/lane_image.h"

#include <algorithm>

namespace wb {

Digest FormOf(const LoweredModule& module, const DispatchShape& shape) {
  DigestBuilder builder;
  const Digest& digest = module.program.module->digest();
  builder.Add(CompilerVersion()).Add(ByteView(digest.bytes.data(), digest.bytes.size()));
  const auto* program = reinterpret_cast<const uint8_t*>(shape.program.data());
  builder.Add(ByteView(program, shape.program.size() * sizeof(uint32_t)));
  builder.Add(shape.steps).Add(shape.column_words).Add(shape.register_words);
  builder.Add(shape.output_bytes).Add(shape.max_pages).Add(shape.max_stack).Add(shape.max_fuel);
  return builder.Finish();
}

uint64_t ImageHeadWords(const LoweredModule& module) {
  const LaneLayout& layout = module.layout;
  if (!layout.recursive()) return uint64_t{layout.frames_at} + layout.frames_words;
  return uint64_t{layout.globals_at} + module.program.globals_size + module.program.tables_size;
}

uint64_t MostImageBytes(const LaneLayout& layout, const DispatchShape& shape,
                        std::span<const uint32_t> record) {
  MemoryReserve most = shape.Reserve();
  if (layout.memories.empty()) most.pages = std::min(most.pages, record[abi::RECORD_PAGES]);
  const uint64_t words = layout.MemoryWords(most);
  // Of a change there are twice as many.
  const uint64_t bits = 2 * (words / kWordsPerPage / 2 + layout.MemoryCount());
  const uint64_t frames = layout.recursive() ? layout.FramesWords(shape.StackReserve()) : 0;
  const uint64_t state = 1 + layout.memory_at + frames + bits + words;
  return (shape.RecordWords() + state) * sizeof(uint32_t);
}

uint64_t ImageMemoriesAt(const LoweredModule& module, const LaneImage& image) {
  const uint64_t behind = image.words().empty() ? 0 : image.words()[0];
  return 1 + ImageHeadWords(module) + behind;
}

}  // namespace wb
