#include <algorithm>

#include "compiler/base/bytes.h"
#include "compiler/ir/lowered_module.h"

namespace wb {
namespace {

uint32_t CountRanges(const ir::Image& image, size_t memory) {
  return static_cast<uint32_t>(
      std::count_if(image.memory.begin(), image.memory.end(),
                    [&](const ir::MemoryRange& range) { return range.memory == memory; }));
}

void AppendRanges(const ir::Image& image, size_t memory, std::vector<uint32_t>& words) {
  for (const ir::MemoryRange& range : image.memory) {
    if (range.memory != memory) continue;
    words.push_back(range.address);
    words.push_back(static_cast<uint32_t>(range.bytes.size()));
    const std::vector<uint32_t> packed = PackWords(range.bytes);
    words.insert(words.end(), packed.begin(), packed.end());
  }
}

void AppendMemories(const LoweredModule& module, std::vector<uint32_t>& words) {
  const ir::Image& image = module.program.image;
  const std::vector<MemoryBounds>& memories = module.layout.memories;
  words[abi::IMAGE_MEMORIES] = static_cast<uint32_t>(words.size());
  words.push_back(static_cast<uint32_t>(memories.size()));
  for (size_t i = 0; i < memories.size(); ++i) {
    words.push_back(memories[i].min_pages);
    words.push_back(memories[i].max_pages);
    words.push_back(i == 0 ? 0 : CountRanges(image, i));
    if (i != 0) AppendRanges(image, i, words);
  }
}

}  // namespace

std::vector<uint32_t> EncodeImage(const LoweredModule& module) {
  const ir::Image& image = module.program.image;
  const auto& start = module.program.module->start;
  std::vector<uint32_t> words(abi::IMAGE_HEADER_WORDS, 0);
  words[abi::IMAGE_PAGES] = image.min_pages;
  words[abi::IMAGE_GLOBALS] = static_cast<uint32_t>(image.globals.size());
  words[abi::IMAGE_RANGES] = CountRanges(image, 0);
  words[abi::IMAGE_TRAP] = static_cast<uint32_t>(image.trap);
  words[abi::IMAGE_TRAP_OFFSET] = image.trap_offset;
  words[abi::IMAGE_START] = start ? *start + 1 : 0;
  words[abi::IMAGE_TABLES] = static_cast<uint32_t>(image.tables.size());
  words.insert(words.end(), image.globals.begin(), image.globals.end());
  AppendRanges(image, 0, words);
  for (const ir::TableImage& table : image.tables) {
    words.insert(words.end(), {table.at, table.size, static_cast<uint32_t>(table.words.size())});
    words.insert(words.end(), table.words.begin(), table.words.end());
  }
  if (!module.layout.memories.empty()) AppendMemories(module, words);
  return words;
}

}  // namespace wb
