#include "tests/daemon/test_certificates.h"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "compiler/base/check.h"

namespace wb {
namespace {

template <typename Object, typename Write>
std::string PemOf(Object* object, Write write) {
  BIO* memory = BIO_new(BIO_s_mem());
  WB_CHECK(write(memory, object) == 1);
  char* data = nullptr;
  const long size = BIO_get_mem_data(memory, &data);
  std::string text(data, static_cast<size_t>(size));
  BIO_free(memory);
  return text;
}

void Extend(X509* certificate, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
  WB_CHECK(extension != nullptr);
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

X509* NewCertificate(EVP_PKEY* key, const std::string& name, long valid_for) {
  static long serial = 1;
  X509* certificate = X509_new();
  X509_set_version(certificate, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), ++serial);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -7200);
  X509_gmtime_adj(X509_getm_notAfter(certificate), valid_for);
  X509_set_pubkey(certificate, key);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
  return certificate;
}

TestCertificate Texts(X509* certificate, EVP_PKEY* key) {
  TestCertificate texts;
  texts.certificate = PemOf(certificate, PEM_write_bio_X509);
  texts.key = PemOf(key, [](BIO* memory, EVP_PKEY* written) {
    return PEM_write_bio_PrivateKey(memory, written, nullptr, nullptr, 0, nullptr, nullptr);
  });
  return texts;
}

}  // namespace

struct TestAuthority::Impl {
  EVP_PKEY* key = EVP_EC_gen("P-256");
  X509* certificate = NewCertificate(key, "test authority", 3600);
  ~Impl() {
    X509_free(certificate);
    EVP_PKEY_free(key);
  }
};

TestAuthority::TestAuthority() : impl_(std::make_unique<Impl>()) {
  X509* own = impl_->certificate;
  X509_set_issuer_name(own, X509_get_subject_name(own));
  Extend(own, own, NID_basic_constraints, "critical,CA:TRUE");
  WB_CHECK(X509_sign(own, impl_->key, EVP_sha256()) != 0);
  own_ = Texts(own, impl_->key);
}

TestAuthority::~TestAuthority() = default;

TestCertificate TestAuthority::Sign(const std::string& common_name, const std::string& alternative,
                                    long valid_for) const {
  EVP_PKEY* key = EVP_EC_gen("P-256");
  X509* certificate = NewCertificate(key, common_name, valid_for);
  X509_set_issuer_name(certificate, X509_get_subject_name(impl_->certificate));
  if (!alternative.empty()) {
    Extend(certificate, impl_->certificate, NID_subject_alt_name, alternative);
  }
  WB_CHECK(X509_sign(certificate, impl_->key, EVP_sha256()) != 0);
  TestCertificate texts = Texts(certificate, key);
  X509_free(certificate);
  EVP_PKEY_free(key);
  return texts;
}

}  // namespace wb
