#include "scheduler/devices/host_memory.h"

#include "scheduler/devices/mapping.h"

namespace wb {
namespace {

constexpr uint64_t kAlign = 64;

uint64_t AlignUp(uint64_t bytes) { return (bytes + kAlign - 1) / kAlign * kAlign; }

class AnonymousRegion final : public HostRegion {
 public:
  explicit AnonymousRegion(Mapping mapping) : mapping_(std::move(mapping)) {}
  std::span<uint8_t> bytes() override { return mapping_.bytes(); }

 private:
  Mapping mapping_;
};

class Anonymous final : public HostMemory {
 public:
  Result<std::unique_ptr<HostRegion>> Map(size_t bytes) override {
    WB_ASSIGN(Mapping mapping, Mapping::Reserve(bytes));
    return std::unique_ptr<HostRegion>(new AnonymousRegion(std::move(mapping)));
  }
};

}  // namespace

HostLayout HostLayout::Of(const DispatchShape& shape) {
  HostLayout layout;
  layout.record_words = uint64_t{shape.Seats()} * shape.RecordWords();
  layout.column_words = uint64_t{shape.Seats()} * shape.column_words;
  layout.blob_bytes = shape.blob_bytes;
  layout.columns_at = AlignUp(layout.record_words * 4);
  layout.blob_at = layout.columns_at + AlignUp(layout.column_words * 4);
  // The kernel reads the blob by words, so its last word must be whole.
  layout.bytes = layout.blob_at + AlignUp(layout.blob_bytes + 4);
  return layout;
}

std::shared_ptr<HostMemory> AnonymousHostMemory() { return std::make_shared<Anonymous>(); }

}  // namespace wb
