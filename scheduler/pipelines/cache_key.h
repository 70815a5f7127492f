#pragma once

// CacheKey: the secret with which a daemon signs what it writes to the pipeline cache. Entries are
// code that its engine hosts run, so that whoever can write to the folder must not be able to add
// one. The key lies in the state folder and not beside the cache: what may be thrown away and what
// must stay secret are folders of their own, and no engine host and no compiler can open that one.
//
// Threads: any.

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "compiler/base/bytes.h"
#include "compiler/base/digest.h"

namespace wb {

class CacheKey {
 public:
  static constexpr size_t kBytes = 32;

  // Of this process alone: what another one wrote is not taken.
  static CacheKey Random();

  // That of `folder`/cache.key, which is made where it is not there. The file is this user's,
  // closed to others, and no link. Whatever is wrong with it, `log` hears so and another key takes
  // its place: then all entries are compiled again. Where the file cannot be read or written now,
  // the key is of this process alone.
  static CacheKey OfFolder(const std::string& folder,
                           const std::function<void(const std::string&)>& log);

  // HMAC-SHA256 (RFC 2104) of `parts` one after another.
  Digest Hmac(const std::vector<ByteView>& parts) const;

  // GMAC (NIST SP 800-38D, AES-256) of the payload, under a key of its own: the Hmac() of
  // `head`. No two heads may be equal, so each holds random bytes; then no such key is used twice.
  // A digest would take several times as long, which is most of what an entry takes to be loaded.
  using Signature = std::array<uint8_t, 16>;
  Signature Sign(const std::vector<ByteView>& head, ByteView payload) const;
  // Takes as long wherever they differ.
  bool HasSigned(const std::vector<ByteView>& head, ByteView payload,
                 const Signature& signature) const;

 private:
  std::array<uint8_t, kBytes> secret_{};
};

Digest RandomDigest();  // 32 bytes that nobody can guess

}  // namespace wb
