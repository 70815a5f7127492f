#include "compiler/passes/loops/loop_data.h"

#include <algorithm>

#include "compiler/passes/loops/loop_counter.h"

namespace wb {
namespace {

using ir::AddressStream;
using ir::CountedLoop;

// The text asks of each storing stream whether it is apart.
bool EveryStoreIsKnown(const LoopRows& rows, const CountedLoop& loop) {
  size_t stores = 0, known = 0;
  for (uint32_t row = rows.first(); row < rows.end(); ++row) {
    stores += rows.inst(row).op == ir::Op::kStore ? 1 : 0;
  }
  for (const ir::LoopAccess& access : loop.accesses) {
    known += rows.inst(access.at).op == ir::Op::kStore ? 1 : 0;
  }
  return stores == known;
}

std::optional<ir::LoopData> DataOf(const CountedLoop& loop, uint32_t index,
                                   const ir::Image& image) {
  const AddressStream& stream = loop.streams[index];
  const auto base = AtStart(stream.least, loop.starts);
  if (!base || stream.stores || !stream.by_words) return std::nullopt;
  const int64_t way = stream.per_round * (int64_t{loop.rounds} - 1);
  const int64_t lowest = int64_t{*base} + std::min<int64_t>(way, 0);
  const uint64_t bytes = stream.bytes + static_cast<uint64_t>(way < 0 ? -way : way);
  if (lowest < 0 || lowest % 4 != 0) return std::nullopt;
  const auto from = static_cast<uint64_t>(lowest);
  const uint64_t skipped = stream.first / 4, words = (bytes + 3) / 4 - skipped;
  if (words > kMostDataWords || from + bytes > UINT32_MAX) return std::nullopt;
  if (!image.HasData(from + stream.first, bytes - stream.first)) return std::nullopt;
  return ir::LoopData{index, static_cast<uint32_t>(from + skipped * 4),
                      static_cast<uint32_t>(words), static_cast<uint32_t>(skipped)};
}

}  // namespace

std::vector<ir::LoopData> FindData(const LoopRows& rows, const CountedLoop& loop,
                                   const ir::Image& image, uint64_t* words) {
  std::vector<ir::LoopData> all;
  if (image.trap != Trap::kNone || !EveryStoreIsKnown(rows, loop)) return all;
  for (uint32_t i = 0; i < loop.streams.size(); ++i) {
    const auto data = DataOf(loop, i, image);
    if (!data || data->words > *words) continue;
    *words -= data->words;
    all.push_back(*data);
  }
  return all;
}

}  // namespace wb
