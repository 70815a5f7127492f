#pragma once

// Content digests (SHA-256, FIPS 180-4, by OpenSSL): the names of modules, kernels and cache
// entries.

#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/base/bytes.h"

namespace wb {

struct Digest {
  std::array<uint8_t, 32> bytes{};
  auto operator<=>(const Digest&) const = default;

  std::string Hex() const;  // 64 lower-case digits
  static std::optional<Digest> FromHex(std::string_view hex);
};

Digest Sha256(ByteView bytes);

// Digest over a list of parts. Each part is preceded by its length, so that two different lists do
// not have the same digest by concatenation.
class DigestBuilder {
 public:
  DigestBuilder();
  ~DigestBuilder();
  DigestBuilder& Add(ByteView part);
  DigestBuilder& Add(std::string_view part) { return Add(AsBytes(part)); }
  DigestBuilder& Add(uint64_t number);
  Digest Finish();  // once

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

struct DigestHash {
  size_t operator()(const Digest& digest) const {
    size_t hash = 0;
    for (int i = 0; i < 8; ++i) hash = hash << 8 | digest.bytes[i];
    return hash;
  }
};

}  // namespace wb
