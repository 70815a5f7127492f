#pragma once

// Anonymous pages from the kernel: reserved at once, zero, and costing nothing until touched.

#include <cstddef>
#include <cstdint>
#include <span>

#include "compiler/base/status.h"

namespace wb {

class Mapping {
 public:
  Mapping() = default;
  Mapping(Mapping&& other) noexcept;
  Mapping& operator=(Mapping&& other) noexcept;
  ~Mapping();

  // NO_DEVICE_FITS when the address space has no room.
  static Result<Mapping> Reserve(size_t bytes);

  std::span<uint8_t> bytes() const { return {base_, size_}; }

  // Bytes [at, at + bytes) read as zero again. Both multiples of 4.
  void Clear(size_t at, size_t bytes);

 private:
  Mapping(uint8_t* base, size_t size) : base_(base), size_(size) {}

  uint8_t* base_ = nullptr;
  size_t size_ = 0;
};

}  // namespace wb
