#pragma once

// A dispatch that is memory alone, as a device would give it.

#include <cstdint>
#include <span>
#include <vector>

#include "scheduler/devices/device.h"

namespace wb::test {

class PlainDispatch final : public Dispatch {
 public:
  explicit PlainDispatch(const DispatchShape& shape, uint32_t found_in_records = 0)
      : shape_(shape),
        records_(size_t{shape.Seats()} * shape.RecordWords(), found_in_records),
        columns_(size_t{shape.Seats()} * shape.column_words),
        blob_(shape.blob_bytes) {}
  const DispatchShape& shape() const override { return shape_; }
  std::span<uint32_t> records() override { return records_; }
  std::span<uint32_t> columns() override { return columns_; }
  std::span<uint8_t> blob() override { return blob_; }

 private:
  const DispatchShape shape_;
  std::vector<uint32_t> records_;
  std::vector<uint32_t> columns_;
  std::vector<uint8_t> blob_;
};

}  // namespace wb::test
