#include "scheduler/job/column_data.h"

#include <sys/mman.h>

#include <algorithm>
#include <utility>

#include "compiler/base/check.h"
#include "scheduler/base/shared_memory.h"

namespace wb {
namespace {

constexpr size_t kWord = sizeof(uint32_t);

size_t WholeWords(size_t size) { return std::max((size + kWord - 1) / kWord, size_t{1}) * kWord; }

// Bytes that are null: the system has no such memory left, or no descriptor.
ByteBlock MapShared(size_t size) {
  ByteBlock block;
  Result<UniqueFd> fd = MakeSharedMemory(size, LaterSeals::kContents);
  if (!fd.ok()) return block;
  void* base = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd->get(), 0);
  if (base == MAP_FAILED) return block;
  block.bytes = {static_cast<uint8_t*>(base), FreeBlock{size}};
  block.size = size;
  block.shared = std::move(fd).value();
  return block;
}

}  // namespace

void FreeBlock::operator()(uint8_t* bytes) const {
  if (mapped == 0) {
    delete[] bytes;
  } else {
    ::munmap(bytes, mapped);
  }
}

ByteBlock ByteBlock::Of(size_t size) {
  ByteBlock block;
  if (size >= kSharedFrom) block = MapShared(size);
  if (block.bytes != nullptr) return block;
  block.bytes = {new uint8_t[WholeWords(size)], FreeBlock{}};
  block.size = size;
  return block;
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

std::shared_ptr<const ColumnData> ColumnData::Strings(ByteBlock block, std::vector<uint64_t> ends,
                                                      std::optional<Digest> digest) {
  if (block.shared.ok()) SealContents(block.shared.get());
  std::shared_ptr<ColumnData> data(new ColumnData(std::move(block)));
  uint64_t from = 0;
  for (const uint64_t end : ends) {
    WB_CHECK(from <= end && end <= data->block_.size);
    data->longest_ = std::max(data->longest_, end - from);
    from = end;
  }
  data->ends_ = std::move(ends);
  data->digest_ = digest;
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

InputBytes ColumnData::OnlyString(const std::shared_ptr<const ColumnData>& data) {
  WB_CHECK(data->count() == 1 && data->width_ == 0);
  InputBytes input;
  input.bytes = data->String(0);
  input.digest = data->digest_ ? *data->digest_ : Sha256(input.bytes);
  input.shared = data->block_.shared.get();
  input.owner = data;
  return input;
}

}  // namespace wb
