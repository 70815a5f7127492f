#include "client/tls_files.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

namespace wb {
namespace {

template <auto Free>
struct FreeBy {
  template <typename T>
  void operator()(T* object) const {
    Free(object);
  }
};
using BioPointer = std::unique_ptr<BIO, FreeBy<BIO_free_all>>;
using CertificatePointer = std::unique_ptr<X509, FreeBy<X509_free>>;
using KeyPointer = std::unique_ptr<EVP_PKEY, FreeBy<EVP_PKEY_free>>;

Status WrongFile(const std::string& path, const std::string& words) {
  ERR_clear_error();
  return Status(Reason::kInvalidArgument, "The file [" + path + "] " + words, {{"file", path}});
}

Status Unreadable(const std::string& path, int error) {
  return Status(Reason::kIoError,
                "The file [" + path + "] cannot be read (" + std::strerror(error) + ").",
                {{"file", path}});
}

Result<std::string> ReadPem(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return Unreadable(path, EISDIR);
  std::ifstream stream(path, std::ios::binary);
  if (!stream.is_open()) return Unreadable(path, errno);
  std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  if (stream.bad()) return Unreadable(path, EIO);
  return text;
}

BioPointer BioOf(const std::string& text) {
  return BioPointer(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

// The first certificate of a text; null: there is none.
CertificatePointer FirstCertificate(const std::string& pem) {
  return CertificatePointer(PEM_read_bio_X509(BioOf(pem).get(), nullptr, nullptr, nullptr));
}

// A passphrase is not asked for; that one is needed is noted.
int NotePassphrase(char*, int, int, void* is_needed) {
  *static_cast<bool*>(is_needed) = true;
  return -1;
}

Status CheckOwn(const ClientOptions& options, const TlsTexts& texts) {
  const CertificatePointer certificate = FirstCertificate(texts.certificate);
  if (certificate == nullptr) {
    return WrongFile(options.certificate_file,
                     "holds no certificate in PEM (-----BEGIN CERTIFICATE-----).");
  }
  bool has_passphrase = false;
  const KeyPointer key(
      PEM_read_bio_PrivateKey(BioOf(texts.key).get(), nullptr, NotePassphrase, &has_passphrase));
  if (has_passphrase) {
    return WrongFile(options.key_file,
                     "has a passphrase, which is not asked for. Give a key without one, in a file "
                     "that only you can read: openssl pkey -in FILE -out NEW");
  }
  if (key == nullptr) {
    return WrongFile(options.key_file,
                     "holds no private key in PEM (-----BEGIN PRIVATE KEY-----).");
  }
  if (X509_check_private_key(certificate.get(), key.get()) != 1) {
    return WrongFile(options.key_file,
                     "is not the key of the certificate in [" + options.certificate_file + "].");
  }
  return {};
}

}  // namespace

Result<TlsTexts> ReadTlsFiles(const ClientOptions& options) {
  TlsTexts texts;
  if (!options.ca_file.empty()) {
    WB_ASSIGN(texts.ca, ReadPem(options.ca_file));
    if (FirstCertificate(texts.ca) == nullptr) {
      return WrongFile(options.ca_file,
                       "holds no certificate in PEM (-----BEGIN CERTIFICATE-----).");
    }
  }
  if (options.certificate_file.empty() != options.key_file.empty()) {
    const bool has_key = options.certificate_file.empty();
    return Status(Reason::kInvalidArgument,
                  has_key ? "A key needs its certificate: name it by --cert FILE."
                          : "A client certificate needs its key: name it by --key FILE.",
                  {{"field", has_key ? "cert" : "key"}});
  }
  if (options.certificate_file.empty()) return texts;
  WB_ASSIGN(texts.certificate, ReadPem(options.certificate_file));
  WB_ASSIGN(texts.key, ReadPem(options.key_file));
  WB_TRY(CheckOwn(options, texts));
  return texts;
}

}  // namespace wb
