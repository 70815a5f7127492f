#pragma once

// A folder with a private authority and what it has signed: ca.pem, ca.key, server.pem,
// server.key, and NAME.pem, NAME.key of each client. Mode 0600; no file is ever overwritten.

#include <string>
#include <vector>

#include "client/cli/identity/certificates.h"
#include "compiler/base/status.h"

namespace wb::cli {

// Whole paths.
struct CertificateFiles {
  std::string ca;
  std::string certificate;
  std::string key;
};

// The authority, unless the folder has one (a server's certificate is renewed so, once the files of
// the old one were moved away), and the server's certificate. INVALID_ARGUMENT, IO_ERROR: nothing
// was written.
Result<CertificateFiles> InitTlsFolder(const std::string& folder,
                                       const std::vector<std::string>& hosts, int64_t days);

// A client's certificate, by the folder's authority.
Result<CertificateFiles> AddTlsClient(const std::string& folder, const ClientIdentity& identity,
                                      int64_t days);

}  // namespace wb::cli
