#include "daemon/rpc/tls_files.h"

#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>
#include <memory>

#include "daemon/config/config.h"
#include "scheduler/base/quoted.h"

namespace wb {
namespace {

template <typename Object, void (*kFree)(Object*)>
struct OpenSslFree {
  void operator()(Object* object) const { kFree(object); }
};
using Certificate = std::unique_ptr<X509, OpenSslFree<X509, X509_free>>;
using PrivateKey = std::unique_ptr<EVP_PKEY, OpenSslFree<EVP_PKEY, EVP_PKEY_free>>;
using Memory = std::unique_ptr<BIO, OpenSslFree<BIO, BIO_free_all>>;

Status WrongFile(const std::string& setting, const std::string& file, const std::string& what) {
  return Status(Reason::kConfigInvalid, "The file " + Quoted(file) + " of tls." + setting + what,
                {{"field", "tls." + setting}, {"path", file}});
}

Result<std::string> ReadPem(const std::string& setting, const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  if (!stream.is_open() || stream.bad()) return WrongFile(setting, file, " cannot be read.");
  return text;
}

Memory Over(const std::string& text) {
  return Memory(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

Certificate FirstCertificate(const std::string& pem) {
  return Certificate(PEM_read_bio_X509(Over(pem).get(), nullptr, nullptr, nullptr));
}

// A key with a password is none: there is nobody to ask.
PrivateKey KeyIn(const std::string& pem) {
  char nothing[] = "";
  return PrivateKey(PEM_read_bio_PrivateKey(Over(pem).get(), nullptr, nullptr, nothing));
}

Status CheckKeyMode(const std::string& file) {
  struct stat info {};
  if (stat(file.c_str(), &info) != 0 || (info.st_mode & 077) == 0) return {};
  return WrongFile("key", file, " may be read by others: chmod 600 " + file);
}

Status CheckPair(const Config& config, const TlsFiles& files) {
  const Certificate certificate = FirstCertificate(files.certificate);
  if (certificate == nullptr) {
    return WrongFile("certificate", config.tls_certificate, " holds no certificate (PEM).");
  }
  if (X509_cmp_current_time(X509_get0_notAfter(certificate.get())) < 0) {
    return WrongFile("certificate", config.tls_certificate, " has expired.");
  }
  const PrivateKey key = KeyIn(files.key);
  if (key == nullptr) {
    return WrongFile("key", config.tls_key, " holds no private key without a password (PEM).");
  }
  if (X509_check_private_key(certificate.get(), key.get()) == 1) return {};
  return WrongFile("key", config.tls_key,
                   " does not belong to the certificate " + Quoted(config.tls_certificate) + ".");
}

}  // namespace

Result<TlsFiles> ReadTlsFiles(const Config& config) {
  TlsFiles files;
  WB_ASSIGN(files.certificate, ReadPem("certificate", config.tls_certificate));
  WB_TRY(CheckKeyMode(config.tls_key));
  WB_ASSIGN(files.key, ReadPem("key", config.tls_key));
  WB_TRY(CheckPair(config, files));
  if (config.tls_client_ca.empty()) return files;
  WB_ASSIGN(files.client_ca, ReadPem("client_ca", config.tls_client_ca));
  if (FirstCertificate(files.client_ca) != nullptr) return files;
  return WrongFile("client_ca", config.tls_client_ca, " holds no certificate (PEM).");
}

}  // namespace wb
