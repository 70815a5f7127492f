#pragma once

// Columns of numbers as bytes: the smallest, and by how much each is more, all in as many bytes as
// the largest needs. Pure.

#include <cstdint>
#include <span>
#include <vector>

#include "daemon/database/byte_text.h"

namespace wb {

void PutPacked(std::span<const uint64_t> numbers, ByteWriter* out);
void PutPacked(std::span<const uint32_t> numbers, ByteWriter* out);

// `count` numbers; the reader fails where they are not there, or are too large.
std::vector<uint64_t> GetPacked64(size_t count, ByteReader* in);
std::vector<uint32_t> GetPacked32(size_t count, ByteReader* in);

}  // namespace wb
