#pragma once

// Certificates for tests: an authority and what it signs, valid for an hour.

#include <memory>
#include <string>

namespace wb {

struct TestCertificate {
  std::string certificate;  // PEM
  std::string key;          // PEM
};

class TestAuthority {
 public:
  TestAuthority();
  ~TestAuthority();
  const std::string& certificate() const { return own_.certificate; }
  // `alternative`: such as "DNS:localhost,IP:127.0.0.1" or "URI:spiffe://x/y"; "": none.
  TestCertificate Sign(const std::string& common_name, const std::string& alternative,
                       long valid_for = 3600) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  TestCertificate own_;
};

}  // namespace wb
