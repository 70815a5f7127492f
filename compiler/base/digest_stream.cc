#include "compiler/base/digest_stream.h"

#include <openssl/evp.h>

#include "compiler/base/check.h"

namespace wb {

struct DigestStream::Impl {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  ~Impl() { EVP_MD_CTX_free(context); }
};

DigestStream::DigestStream() : impl_(std::make_unique<Impl>()) {
  WB_CHECK(EVP_DigestInit_ex(impl_->context, EVP_sha256(), nullptr) == 1);
}
DigestStream::~DigestStream() = default;

void DigestStream::Add(ByteView part) {
  WB_CHECK(EVP_DigestUpdate(impl_->context, part.data(), part.size()) == 1);
}

Digest DigestStream::Finish() {
  Digest digest;
  WB_CHECK(EVP_DigestFinal_ex(impl_->context, digest.bytes.data(), nullptr) == 1);
  return digest;
}

}  // namespace wb
