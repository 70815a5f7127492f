#pragma once

// A TLS handshake with a daemon, made only to learn why gRPC's did not succeed: gRPC says little
// of it.

#include <chrono>
#include <cstdint>
#include <string>

#include "client/client_address.h"
#include "client/tls_files.h"

namespace wb {

struct TlsFinding {
  enum class Kind : uint8_t {
    kNothing,             // TLS is not what is wrong, or nothing answers
    kNoTls,               // what answers does not speak it
    kUntrusted,           // nobody who is trusted has signed the daemon's certificate
    kOtherName,           // it is another one's
    kWrongTime,           // it has expired, or is not valid yet
    kWantsCertificate,    // the daemon asks for a client's, and closes without one
    kRefusesCertificate,  // the daemon asks for one, and closes after it got the client's
    kSpeaksTls,           // nothing was verified, and TLS it is
  };
  Kind kind = Kind::kNothing;
  std::string said;   // by OpenSSL, of the certificate
  std::string names;  // that the certificate is for: "[a], [b]"
};

struct TlsProbe {
  TlsTexts texts;
  std::string name;  // that must stand in the certificate; empty: nothing is verified
  std::chrono::milliseconds time{2000};
};

// Blocks for as long as `probe.time`, name resolution aside.
TlsFinding ProbeTls(const ClientAddress& address, const TlsProbe& probe);

}  // namespace wb
