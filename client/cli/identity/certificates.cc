#include "client/cli/identity/certificates.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>

namespace wb::cli {
namespace {

struct OpenSslFree {
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(BIO* bio) const { BIO_free_all(bio); }
  void operator()(GENERAL_NAMES* names) const { GENERAL_NAMES_free(names); }
  void operator()(X509_EXTENSION* extension) const { X509_EXTENSION_free(extension); }
};
template <typename T>
using Owned = std::unique_ptr<T, OpenSslFree>;

// What OpenSSL has last complained of.
Status OpenSslError(const std::string& doing) {
  char words[256] = "no reason was given";
  if (const unsigned long error = ERR_get_error()) ERR_error_string_n(error, words, sizeof words);
  ERR_clear_error();
  return Status(Reason::kInternal, "OpenSSL failed " + doing + " (" + words + ").");
}

Result<std::string> TextWritten(const Owned<BIO>& bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  if (size <= 0) return OpenSslError("to write PEM");
  return std::string(data, static_cast<size_t>(size));
}

Result<CertifiedKey> ToPem(X509* certificate, EVP_PKEY* key) {
  CertifiedKey pair;
  const Owned<BIO> certificate_out(BIO_new(BIO_s_mem()));
  const Owned<BIO> key_out(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509(certificate_out.get(), certificate);
  PEM_write_bio_PKCS8PrivateKey(key_out.get(), key, nullptr, nullptr, 0, nullptr, nullptr);
  WB_ASSIGN(pair.certificate, TextWritten(certificate_out));
  WB_ASSIGN(pair.key, TextWritten(key_out));
  return pair;
}

// One that signs; for an authority itself, its own.
struct Issuer {
  Owned<X509> certificate;
  Owned<EVP_PKEY> key;
};

Result<Issuer> ReadIssuer(const CertifiedKey& pair) {
  const auto bio = [](const std::string& text) {
    return Owned<BIO>(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  };
  Issuer issuer;
  issuer.certificate.reset(
      PEM_read_bio_X509(bio(pair.certificate).get(), nullptr, nullptr, nullptr));
  issuer.key.reset(PEM_read_bio_PrivateKey(bio(pair.key).get(), nullptr, nullptr, nullptr));
  const bool fits = issuer.certificate != nullptr && issuer.key != nullptr &&
                    X509_check_private_key(issuer.certificate.get(), issuer.key.get()) == 1 &&
                    X509_check_ca(issuer.certificate.get()) != 0;
  ERR_clear_error();
  if (fits) return issuer;
  return Status(Reason::kInvalidArgument,
                "The authority's certificate and key are not those of an authority, or do not "
                "belong together.");
}

struct Extension {
  int number;  // NID_...
  const char* value;
};

// A certificate that has yet to be signed.
class Draft {
 public:
  static Result<Draft> Create(const Validity& validity) {
    Draft draft;
    draft.certificate_.reset(X509_new());
    draft.key_.reset(EVP_EC_gen("P-256"));
    X509* certificate = draft.certificate_.get();
    if (certificate == nullptr || draft.key_ == nullptr) return OpenSslError("to make a key");
    const bool done =
        X509_set_version(certificate, X509_VERSION_3) == 1 && draft.SetSerial() &&
        X509_gmtime_adj(X509_getm_notBefore(certificate), validity.from) != nullptr &&
        X509_time_adj_ex(X509_getm_notAfter(certificate), static_cast<int>(validity.until / kDay),
                         validity.until % kDay, nullptr) != nullptr &&
        X509_set_pubkey(certificate, draft.key_.get()) == 1;
    if (!done) return OpenSslError("to make a certificate");
    return draft;
  }

  X509* get() const { return certificate_.get(); }
  EVP_PKEY* key() const { return key_.get(); }

  bool SetName(const std::string& name) {
    return X509_NAME_add_entry_by_txt(X509_get_subject_name(get()), "CN", MBSTRING_UTF8,
                                      reinterpret_cast<const unsigned char*>(name.data()),
                                      static_cast<int>(name.size()), -1, 0) == 1;
  }
  bool Add(X509* issuer, const std::vector<Extension>& extensions) {
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, get(), nullptr, nullptr, 0);
    return std::all_of(extensions.begin(), extensions.end(), [&](const Extension& one) {
      const Owned<X509_EXTENSION> made(
          X509V3_EXT_conf_nid(nullptr, &context, one.number, one.value));
      return made != nullptr && X509_add_ext(get(), made.get(), -1) == 1;
    });
  }
  bool AddNames(GENERAL_NAMES* names) {
    return X509_add1_ext_i2d(get(), NID_subject_alt_name, names, 0, X509V3_ADD_DEFAULT) == 1;
  }
  // Of an authority for itself: its own certificate and key.
  bool Sign(X509* issuer, EVP_PKEY* key) {
    return X509_set_issuer_name(get(), X509_get_subject_name(issuer)) == 1 &&
           X509_sign(get(), key, EVP_sha256()) > 0;
  }

 private:
  bool SetSerial() {
    std::array<unsigned char, 16> bytes{};
    if (RAND_bytes(bytes.data(), bytes.size()) != 1) return false;
    bytes[0] &= 0x7f;  // numbers are signed
    bytes[0] |= 0x40;  // and begin with no zero
    BIGNUM* number = BN_bin2bn(bytes.data(), bytes.size(), nullptr);
    const bool done = BN_to_ASN1_INTEGER(number, X509_get_serialNumber(get())) != nullptr;
    BN_free(number);
    return done;
  }

  Owned<X509> certificate_;
  Owned<EVP_PKEY> key_;
};

// Two authorities of one name would be taken for each other.
std::string AuthorityName() {
  std::array<unsigned char, 4> bytes{};
  RAND_bytes(bytes.data(), bytes.size());
  std::string name = "WasmBurst authority ";
  for (const unsigned char byte : bytes) {
    name += "0123456789abcdef"[byte >> 4];
    name += "0123456789abcdef"[byte & 15];
  }
  return name;
}

bool IsWord(std::string_view text, std::string_view also) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](unsigned char c) {
    return std::isalnum(c) != 0 || also.find(static_cast<char>(c)) != std::string_view::npos;
  });
}

bool AddTextName(GENERAL_NAMES* names, int type, const std::string& text) {
  GENERAL_NAME* name = GENERAL_NAME_new();
  ASN1_IA5STRING* value = ASN1_IA5STRING_new();
  ASN1_STRING_set(value, text.data(), static_cast<int>(text.size()));
  GENERAL_NAME_set0_value(name, type, value);
  return sk_GENERAL_NAME_push(names, name) > 0;
}

// Whether `host` is an address, which is added then.
bool AddAddress(GENERAL_NAMES* names, const std::string& host) {
  ASN1_OCTET_STRING* bytes = a2i_IPADDRESS(host.c_str());
  ERR_clear_error();
  if (bytes == nullptr) return false;
  GENERAL_NAME* name = GENERAL_NAME_new();
  GENERAL_NAME_set0_value(name, GEN_IPADD, bytes);
  return sk_GENERAL_NAME_push(names, name) > 0;
}

Result<Owned<GENERAL_NAMES>> HostNames(const std::vector<std::string>& hosts) {
  Owned<GENERAL_NAMES> names(GENERAL_NAMES_new());
  for (const std::string& host : hosts) {
    if (AddAddress(names.get(), host)) continue;
    if (!IsWord(host, ".-_*") || host.size() > 253) {
      return Status(Reason::kInvalidArgument,
                    "The host [" + host +
                        "] is neither a name like gpu1.example nor an address "
                        "like 10.0.0.1 or ::1.",
                    {{"value", host}});
    }
    AddTextName(names.get(), GEN_DNS, host);
  }
  if (hosts.empty()) {
    return Status(Reason::kInvalidArgument, "A server's certificate needs a host: --host NAME.");
  }
  return names;
}

const std::vector<Extension> kServerExtensions = {{NID_basic_constraints, "critical,CA:FALSE"},
                                                  {NID_key_usage, "critical,digitalSignature"},
                                                  {NID_ext_key_usage, "serverAuth"},
                                                  {NID_subject_key_identifier, "hash"},
                                                  {NID_authority_key_identifier, "keyid:always"}};
const std::vector<Extension> kClientExtensions = {{NID_basic_constraints, "critical,CA:FALSE"},
                                                  {NID_key_usage, "critical,digitalSignature"},
                                                  {NID_ext_key_usage, "clientAuth"},
                                                  {NID_subject_key_identifier, "hash"},
                                                  {NID_authority_key_identifier, "keyid:always"}};
const std::vector<Extension> kAuthorityExtensions = {
    {NID_basic_constraints, "critical,CA:TRUE,pathlen:0"},
    {NID_key_usage, "critical,keyCertSign,cRLSign"},
    {NID_subject_key_identifier, "hash"}};

Result<CertifiedKey> MakeSigned(const CertifiedKey& authority, const std::string& name,
                                const std::vector<Extension>& extensions, GENERAL_NAMES* names,
                                const Validity& validity) {
  WB_ASSIGN(const Issuer issuer, ReadIssuer(authority));
  WB_ASSIGN(Draft draft, Draft::Create(validity));
  const bool done = draft.SetName(name) && draft.Add(issuer.certificate.get(), extensions) &&
                    (names == nullptr || draft.AddNames(names)) &&
                    draft.Sign(issuer.certificate.get(), issuer.key.get());
  if (!done) return OpenSslError("to sign a certificate");
  return ToPem(draft.get(), draft.key());
}

}  // namespace

Result<CertifiedKey> MakeAuthority(const Validity& validity) {
  WB_ASSIGN(Draft draft, Draft::Create(validity));
  const bool done = draft.SetName(AuthorityName()) &&
                    draft.Add(draft.get(), kAuthorityExtensions) &&
                    draft.Sign(draft.get(), draft.key());
  if (!done) return OpenSslError("to make an authority");
  return ToPem(draft.get(), draft.key());
}

Result<CertifiedKey> MakeServerCertificate(const CertifiedKey& authority,
                                           const std::vector<std::string>& hosts,
                                           const Validity& validity) {
  WB_ASSIGN(const Owned<GENERAL_NAMES> names, HostNames(hosts));
  return MakeSigned(authority, "wasmburstd", kServerExtensions, names.get(), validity);
}

Status CheckClientIdentity(const ClientIdentity& identity) {
  if (!IsWord(identity.name, ".-_") || identity.name.size() > 64 ||
      identity.name.starts_with(".") || identity.name.starts_with("-")) {
    return Status(Reason::kInvalidArgument,
                  "The client's name [" + identity.name +
                      "] is not of up to 64 letters, digits, [.], [-] and [_], the first of them a "
                      "letter, a digit or [_].");
  }
  constexpr std::string_view kScheme = "spiffe://";
  const std::string& uri = identity.spiffe;
  const bool is_right =
      uri.empty() || (uri.starts_with(kScheme) && uri.size() <= 2048 &&
                      IsWord(uri.substr(kScheme.size()), ".-_/") && uri[kScheme.size()] != '/');
  if (is_right) return {};
  return Status(Reason::kInvalidArgument,
                "The identity [" + uri + "] is not like spiffe://example.org/render.",
                {{"value", uri}});
}

Result<CertifiedKey> MakeClientCertificate(const CertifiedKey& authority,
                                           const ClientIdentity& identity,
                                           const Validity& validity) {
  WB_TRY(CheckClientIdentity(identity));
  if (identity.spiffe.empty()) {
    return MakeSigned(authority, identity.name, kClientExtensions, nullptr, validity);
  }
  const Owned<GENERAL_NAMES> names(GENERAL_NAMES_new());
  AddTextName(names.get(), GEN_URI, identity.spiffe);
  return MakeSigned(authority, identity.name, kClientExtensions, names.get(), validity);
}

}  // namespace wb::cli
