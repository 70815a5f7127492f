#pragma once

// A private certificate authority, and certificates that it signs. In memory; keys are EC P-256.

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/base/status.h"

namespace wb::cli {

// A certificate and its key, in PEM.
struct CertifiedKey {
  std::string certificate;
  std::string key;
};

// In seconds from now. It begins an hour ago, for clocks that are slow.
struct Validity {
  int64_t from = -3600;
  int64_t until = 0;
};
inline constexpr int64_t kDay = 86'400;

// INTERNAL: OpenSSL refused, with what it said.
Result<CertifiedKey> MakeAuthority(const Validity& validity);

// `hosts`: names and addresses under which clients reach the daemon. INVALID_ARGUMENT names one
// that is neither, and an authority that is none.
Result<CertifiedKey> MakeServerCertificate(const CertifiedKey& authority,
                                           const std::vector<std::string>& hosts,
                                           const Validity& validity);

struct ClientIdentity {
  std::string name;    // the common name: letters, digits, ".", "-" and "_"
  std::string spiffe;  // "spiffe://domain/path"; empty: none
};
Status CheckClientIdentity(const ClientIdentity& identity);  // INVALID_ARGUMENT
Result<CertifiedKey> MakeClientCertificate(const CertifiedKey& authority,
                                           const ClientIdentity& identity,
                                           const Validity& validity);

}  // namespace wb::cli
