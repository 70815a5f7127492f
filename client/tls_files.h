#pragma once

// The files of TLS that a client is given.

#include <string>

#include "client/client_options.h"
#include "compiler/base/status.h"

namespace wb {

// Texts in PEM.
struct TlsTexts {
  std::string ca;           // empty: the system's authorities
  std::string certificate;  // empty: the client has none
  std::string key;
};

// Read, and checked to be what gRPC can use: it says nothing of its own about a file that is
// malformed. IO_ERROR, INVALID_ARGUMENT, each with the name of the file.
Result<TlsTexts> ReadTlsFiles(const ClientOptions& options);

}  // namespace wb
