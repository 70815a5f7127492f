#include "compiler/base/digest.h"

#include <openssl/evp.h>

#include "compiler/base/check.h"

namespace wb {

struct DigestBuilder::Impl {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  ~Impl() { EVP_MD_CTX_free(context); }
};

DigestBuilder::DigestBuilder() : impl_(std::make_unique<Impl>()) {
  WB_CHECK(EVP_DigestInit_ex(impl_->context, EVP_sha256(), nullptr) == 1);
}
DigestBuilder::~DigestBuilder() = default;

DigestBuilder& DigestBuilder::Add(uint64_t number) {
  uint8_t little_endian[8];
  for (int i = 0; i < 8; ++i) little_endian[i] = static_cast<uint8_t>(number >> (8 * i));
  WB_CHECK(EVP_DigestUpdate(impl_->context, little_endian, sizeof little_endian) == 1);
  return *this;
}

DigestBuilder& DigestBuilder::Add(ByteView part) {
  Add(static_cast<uint64_t>(part.size()));
  WB_CHECK(EVP_DigestUpdate(impl_->context, part.data(), part.size()) == 1);
  return *this;
}

Digest DigestBuilder::Finish() {
  Digest digest;
  WB_CHECK(EVP_DigestFinal_ex(impl_->context, digest.bytes.data(), nullptr) == 1);
  return digest;
}

Digest Sha256(ByteView bytes) {
  Digest digest;
  WB_CHECK(EVP_Digest(bytes.data(), bytes.size(), digest.bytes.data(), nullptr, EVP_sha256(),
                      nullptr) == 1);
  return digest;
}

std::string Digest::Hex() const {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (uint8_t byte : bytes) {
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

std::optional<Digest> Digest::FromHex(std::string_view hex) {
  if (hex.size() != 64) return std::nullopt;
  Digest digest;
  for (size_t i = 0; i < 64; ++i) {
    char c = hex[i];
    int nibble = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (nibble < 0) return std::nullopt;
    digest.bytes[i / 2] = static_cast<uint8_t>(digest.bytes[i / 2] << 4 | nibble);
  }
  return digest;
}

}  // namespace wb
