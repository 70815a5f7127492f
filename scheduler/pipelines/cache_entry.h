#pragma once

// The format of a pipeline cache entry: one file that holds a label and the binary that a device's
// compiler made. Pure. Little-endian:
//   0 magic, 8 bytes | 8 version u32 | 12 target length u32 | 16 payload length u64 |
//   24 key, 32 | 56 module digest, 32 | 88 payload sha256, 32 | 120 target | payload

#include <cstddef>
#include <optional>
#include <string>

#include "compiler/base/bytes.h"
#include "compiler/base/digest.h"

namespace wb {

struct CacheLabel {
  Digest key;
  Digest module;
  std::string target;
  bool operator==(const CacheLabel&) const = default;
};

inline constexpr size_t kCacheHeadBytes = 120;
inline constexpr size_t kMaxTargetBytes = 4096;

struct CacheHead {
  CacheLabel label;
  uint64_t payload_at = 0;
  uint64_t payload_bytes = 0;
  Digest payload_digest;
};

// Header and target; the payload follows it in the file.
Bytes EncodeCacheHead(const CacheLabel& label, ByteView payload);

// From the first bytes of a file of `file_bytes`. nullopt: not an entry of this version, or its
// lengths do not add up to the file.
std::optional<CacheHead> DecodeCacheHead(ByteView begin, uint64_t file_bytes);

// The payload of a whole file if all of it is as `label` says.
std::optional<Bytes> VerifiedPayload(ByteView file, const CacheLabel& label);

}  // namespace wb
