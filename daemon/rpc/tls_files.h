#pragma once

// The daemon's certificate, its key, and those who vouch for clients, as they lie in files.

#include <string>

#include "compiler/base/status.h"

namespace wb {

struct Config;

struct TlsFiles {
  std::string certificate;  // PEM, with those above it
  std::string key;          // PEM
  std::string client_ca;    // PEM; "": clients need no certificate
};

// Reads and checks them: each is what it should be, the key belongs to the certificate, which has
// not expired, and nobody else may read the key. CONFIG_INVALID names the file.
Result<TlsFiles> ReadTlsFiles(const Config& config);

}  // namespace wb
