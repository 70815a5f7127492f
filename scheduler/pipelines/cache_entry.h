#pragma once

// The format of a pipeline cache entry: one file that holds a label and the binary that a device's
// compiler made, signed with the daemon's key. Pure. Little-endian:
//   0 magic, 8 bytes | 8 version u32 | 12 target length u32 | 16 payload length u64 |
//   24 key, 32 | 56 module digest, 32 | 88 payload sha256, 32 | 120 random, 16 | 136 best u32 |
//   140 zero u32 | 144 signature, 16 | 160 target | payload
// The signature is of all but itself: what stands before it, and the target, are the head of
// CacheKey. The random bytes make every head another one. The sha256 only tells damage from what
// was never signed.

#include <cstddef>
#include <optional>
#include <string>

#include "compiler/base/bytes.h"
#include "compiler/base/digest.h"
#include "scheduler/pipelines/cache_key.h"

namespace wb {

struct CacheLabel {
  Digest key;
  Digest module;
  std::string target;
  bool operator==(const CacheLabel&) const = default;
};

inline constexpr size_t kCacheHeadBytes = 160;
inline constexpr size_t kMaxTargetBytes = 4096;

struct CacheHead {
  CacheLabel label;
  uint64_t payload_at = 0;
  uint64_t payload_bytes = 0;
  Digest payload_digest;
  bool is_best = false;  // the device's best build, in the full one's place
  CacheKey::Signature signature{};
};

// Header and target; the payload follows it in the file.
Bytes EncodeCacheHead(const CacheLabel& label, ByteView payload, const CacheKey& key,
                      bool is_best = false);

// From the first bytes of a file of `file_bytes`. nullopt: not an entry of this version, or its
// lengths do not add up to the file.
std::optional<CacheHead> DecodeCacheHead(ByteView begin, uint64_t file_bytes);

enum class EntryFault : uint8_t {
  kNone,
  kDamaged,  // or another entry's
  kForeign,  // of another version, or not signed with this key: nobody knows who wrote it
};
struct EntryReading {
  EntryFault fault = EntryFault::kNone;
  Bytes payload;  // of a whole file, where all of it is as the label says and signed
  bool is_best = false;
};
EntryReading ReadEntry(Bytes file, const CacheLabel& label, const CacheKey& key);

}  // namespace wb
