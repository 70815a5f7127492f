#pragma once

// The 512 bytes that stand before a file in a tar archive (POSIX ustar; lengths from 8 GiB on as
// GNU tar has them). Only what backups need: plain files of nobody, for their owner alone. Pure.

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "compiler/base/bytes.h"

namespace wb {

inline constexpr size_t kTarBlockBytes = 512;
using TarBlock = std::array<uint8_t, kTarBlockBytes>;

struct TarEntry {
  std::string name;  // of 1 to 99 bytes
  uint64_t bytes = 0;
};

TarBlock EncodeTarHeader(const TarEntry& entry);

// nullopt: it is not what EncodeTarHeader makes of any entry, to the last bit.
std::optional<TarEntry> DecodeTarHeader(const TarBlock& block);

// Zeros that follow a file of this length.
constexpr size_t TarPadding(uint64_t bytes) {
  return static_cast<size_t>((kTarBlockBytes - bytes % kTarBlockBytes) % kTarBlockBytes);
}

}  // namespace wb
