#include "scheduler/job/column_data.h"

#include <algorithm>
#include <utility>

#include "compiler/base/check.h"

namespace wb {

ByteBlock ByteBlock::Of(size_t size) {
  return {std::unique_ptr<uint8_t[]>(new uint8_t[std::max<size_t>(size, 1)]), size};
}

std::shared_ptr<const ColumnData> ColumnData::Numbers(ByteBlock block, uint32_t width,
                                                      uint64_t count) {
  WB_CHECK(width == 4 || width == 8);
  WB_CHECK(count <= block.size / width);
  std::shared_ptr<ColumnData> data(new ColumnData(std::move(block)));
  data->width_ = width;
  data->count_ = count;
  return data;
}

std::shared_ptr<const ColumnData> ColumnData::Strings(ByteBlock block, std::vector<uint64_t> ends) {
  std::shared_ptr<ColumnData> data(new ColumnData(std::move(block)));
  uint64_t from = 0;
  for (const uint64_t end : ends) {
    WB_CHECK(from <= end && end <= data->block_.size);
    data->longest_ = std::max(data->longest_, end - from);
    from = end;
  }
  data->ends_ = std::move(ends);
  return data;
}

uint64_t ColumnData::Number(uint64_t at) const {
  WB_CHECK(at < count_);
  const uint8_t* bytes = block_.bytes.get() + at * width_;
  uint64_t number = 0;
  for (uint32_t i = 0; i < width_; ++i) number |= uint64_t{bytes[i]} << (8 * i);
  return number;
}

ByteView ColumnData::String(uint64_t at) const {
  WB_CHECK(at < ends_.size());
  const uint64_t from = at == 0 ? 0 : ends_[at - 1];
  return {block_.bytes.get() + from, static_cast<size_t>(ends_[at] - from)};
}

}  // namespace wb
