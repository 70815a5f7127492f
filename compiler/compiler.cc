#include "compiler/compiler.h"

#include <algorithm>

#include "compiler/base/check.h"
#include "compiler/passes/passes.h"

namespace wb {

std::string_view CompilerVersion() { return "wasmburst-1"; }

std::string_view FloatsName(Floats floats) {
  switch (floats) {
    case Floats::kNative: return "native";
    case Floats::kMetal: return "metal";
    case Floats::kFast32: return "fast32";
  }
  return "unknown";
}

std::string_view LayoutName(MemoryLayout layout) {
  return layout == MemoryLayout::kContiguous ? "contiguous" : "interleaved";
}

Status CheckStop(const Stop& stop) {
  if (!stop || !stop()) return {};
  return Status(Reason::kCompileTimeout, "The module takes too long to compile.");
}

namespace {

template <typename Pass>
Status ForEachFunction(ir::Program& program, const Stop& stop, Pass pass) {
  for (ir::Function& function : program.functions) {
    WB_TRY(CheckStop(stop));
    pass(function);
  }
  return {};
}

}  // namespace

Result<std::shared_ptr<const LoweredModule>> Lower(std::shared_ptr<const Module> module,
                                                   const Imports& imports, const Stop& stop) {
  WB_ASSIGN(auto bound, BindImports(std::move(module), imports));
  WB_ASSIGN(ir::Program program, BuildIr(std::move(bound), stop));
  // The order matters: NaNs are judged per variable, so variables are split first; up to
  // ClassifyFunctions rows move, which NumberSafepoints forbids after it; it needs to know of every
  // callee whether it may leave; frames need the safepoints.
  WB_TRY(ForEachFunction(program, stop, SplitLocals));
  WB_TRY(ForEachFunction(program, stop, CanonicalizeNans));
  ClassifyFunctions(program);
  WB_TRY(CheckFuelRange(program));
  const auto number = [&](ir::Function& function) { NumberSafepoints(program, function); };
  WB_TRY(ForEachFunction(program, stop, number));
  WB_TRY(ForEachFunction(program, stop, PlanFrame));
  auto lowered = std::make_shared<LoweredModule>();
  lowered->layout = PlanLayout(program);
  lowered->program = std::move(program);
  return std::shared_ptr<const LoweredModule>(std::move(lowered));
}

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

void AppendMemories(const ir::Program& program, std::vector<uint32_t>& words) {
  words[7] = static_cast<uint32_t>(words.size());
  words.push_back(static_cast<uint32_t>(program.memories.size()));
  for (size_t i = 0; i < program.memories.size(); ++i) {
    words.push_back(program.memories[i].min_pages);
    words.push_back(i == 0 ? 0 : CountRanges(program.image, i));
    if (i != 0) AppendRanges(program.image, i, words);
  }
}

}  // namespace

std::vector<uint32_t> EncodeImage(const LoweredModule& module) {
  const ir::Image& image = module.program.image;
  const auto& start = module.program.module->start;
  std::vector<uint32_t> words = {image.min_pages,
                                 static_cast<uint32_t>(image.globals.size()),
                                 CountRanges(image, 0),
                                 static_cast<uint32_t>(image.trap),
                                 image.trap_offset,
                                 start ? *start + 1 : 0,
                                 static_cast<uint32_t>(image.tables.size()),
                                 0};
  words.insert(words.end(), image.globals.begin(), image.globals.end());
  AppendRanges(image, 0, words);
  for (const ir::TableImage& table : image.tables) {
    words.insert(words.end(), {table.at, table.size, static_cast<uint32_t>(table.words.size())});
    words.insert(words.end(), table.words.begin(), table.words.end());
  }
  if (module.program.memories.size() > 1) AppendMemories(module.program, words);
  return words;
}

}  // namespace wb
