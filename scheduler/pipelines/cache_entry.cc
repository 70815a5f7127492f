#include "scheduler/pipelines/cache_entry.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

namespace wb {
namespace {

constexpr std::string_view kMagic("WBPIPE\r\n", 8);
constexpr uint32_t kVersion = 3;
constexpr size_t kVersionAt = 8;
constexpr size_t kRandomAt = 120;
constexpr size_t kBestAt = 136;
constexpr size_t kSignatureAt = 144;

void PutNumber(Bytes& out, size_t at, uint64_t number, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) out[at + i] = static_cast<uint8_t>(number >> (8 * i));
}

void Put(Bytes& out, size_t at, ByteView bytes) {
  if (!bytes.empty()) std::memcpy(out.data() + at, bytes.data(), bytes.size());
}

uint64_t NumberAt(ByteView bytes, size_t at, size_t size) {
  uint64_t number = 0;
  for (size_t i = size; i-- > 0;) number = number << 8 | bytes[at + i];
  return number;
}

Digest DigestAt(ByteView bytes, size_t at) {
  Digest digest;
  std::copy_n(bytes.begin() + static_cast<ptrdiff_t>(at), digest.bytes.size(),
              digest.bytes.begin());
  return digest;
}

// nullopt: no entry of any version.
std::optional<uint64_t> VersionOf(ByteView begin) {
  if (begin.size() < kVersionAt + 4 || AsText(begin.first(kMagic.size())) != kMagic) {
    return std::nullopt;
  }
  return NumberAt(begin, kVersionAt, 4);
}

std::vector<ByteView> SignedHead(ByteView head) {
  return {head.first(kSignatureAt), head.subspan(kCacheHeadBytes)};
}

}  // namespace

Bytes EncodeCacheHead(const CacheLabel& label, ByteView payload, const CacheKey& key,
                      bool is_best) {
  Bytes head(kCacheHeadBytes + label.target.size());
  Put(head, 0, AsBytes(kMagic));
  PutNumber(head, kVersionAt, kVersion, 4);
  PutNumber(head, 12, label.target.size(), 4);
  PutNumber(head, 16, payload.size(), 8);
  Put(head, 24, label.key.bytes);
  Put(head, 56, label.module.bytes);
  Put(head, 88, Sha256(payload).bytes);
  Put(head, kRandomAt, ByteView(RandomDigest().bytes).first(kBestAt - kRandomAt));
  PutNumber(head, kBestAt, is_best ? 1 : 0, 4);
  Put(head, kCacheHeadBytes, AsBytes(label.target));
  Put(head, kSignatureAt, key.Sign(SignedHead(head), payload));
  return head;
}

std::optional<CacheHead> DecodeCacheHead(ByteView begin, uint64_t file_bytes) {
  if (begin.size() < kCacheHeadBytes || VersionOf(begin) != kVersion) return std::nullopt;
  const uint64_t target_bytes = NumberAt(begin, 12, 4);
  if (target_bytes > kMaxTargetBytes || begin.size() < kCacheHeadBytes + target_bytes) {
    return std::nullopt;
  }
  CacheHead head;
  head.payload_at = kCacheHeadBytes + target_bytes;
  head.payload_bytes = NumberAt(begin, 16, 8);
  if (file_bytes < head.payload_at || file_bytes - head.payload_at != head.payload_bytes) {
    return std::nullopt;
  }
  head.label.key = DigestAt(begin, 24);
  head.label.module = DigestAt(begin, 56);
  head.payload_digest = DigestAt(begin, 88);
  head.is_best = NumberAt(begin, kBestAt, 4) == 1;
  std::copy_n(begin.begin() + kSignatureAt, head.signature.size(), head.signature.begin());
  head.label.target = AsText(begin.subspan(kCacheHeadBytes, target_bytes));
  return head;
}

EntryReading ReadEntry(Bytes file, const CacheLabel& label, const CacheKey& key) {
  const ByteView all(file);
  const std::optional<CacheHead> head = DecodeCacheHead(all, file.size());
  if (!head) {
    const bool is_foreign = VersionOf(all).value_or(kVersion) != kVersion;
    return {is_foreign ? EntryFault::kForeign : EntryFault::kDamaged};
  }
  if (head->label != label) return {EntryFault::kDamaged};
  const ByteView payload = all.subspan(head->payload_at);
  if (!key.HasSigned(SignedHead(all.first(head->payload_at)), payload, head->signature)) {
    const bool is_whole = Sha256(payload) == head->payload_digest;
    return {is_whole ? EntryFault::kForeign : EntryFault::kDamaged};
  }
  // In place: another row of bytes would have to be taken from the system, page by page.
  file.erase(file.begin(), file.begin() + static_cast<ptrdiff_t>(head->payload_at));
  return {EntryFault::kNone, std::move(file), head->is_best};
}

}  // namespace wb
