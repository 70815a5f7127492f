#include "scheduler/pipelines/cache_key.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <span>

#include "compiler/base/check.h"
#include "scheduler/base/disk_file.h"
#include "scheduler/base/quoted.h"
#include "scheduler/base/system_error.h"

namespace wb {
namespace {

constexpr const char* kFileName = "/cache.key";
using Secret = std::array<uint8_t, CacheKey::kBytes>;

struct FreeMac {
  void operator()(EVP_MAC* mac) const { EVP_MAC_free(mac); }
  void operator()(EVP_MAC_CTX* context) const { EVP_MAC_CTX_free(context); }
};

// What lies in the key's place. Neither a secret nor a fault: nothing.
struct Found {
  std::optional<Secret> secret;
  std::string fault;  // "has 3 bytes and not 32"
  bool passes = false;
};

Found Fault(const std::string& what) { return {std::nullopt, what, false}; }

Found Look(const std::string& path) {
  const DiskFile file(path, kReadFlags);
  if (!file.ok() && errno == ENOENT) return {};
  if (!file.ok()) return {std::nullopt, "cannot be opened", IsPassing(errno)};
  const std::optional<struct stat> facts = file.Facts();
  if (!facts) return Fault("is no plain file of this user");
  if ((facts->st_mode & 077) != 0) return Fault("can be opened by others");
  Secret secret;
  const auto bytes = static_cast<size_t>(facts->st_size);
  if (bytes != secret.size()) {
    return Fault("has " + Quoted(bytes) + " bytes and not " + Quoted(secret.size()));
  }
  if (file.Read(secret) != secret.size()) return Fault("cannot be read");
  return {secret, "", false};
}

// On the disk and whole, or not at all. What is there stays, unless it is to be replaced: of two
// processes that make a key at a time the first one's counts. `errno` says why not.
bool Publish(const Secret& secret, const std::string& folder, bool replaces) {
  const std::string path = folder + kFileName;
  const std::string fresh = path + "." + RandomDigest().Hex().substr(0, 16) + ".new";
  bool worked = WriteFlushed(fresh, O_EXCL, {secret});
  if (worked && replaces) {
    worked = ::rename(fresh.c_str(), path.c_str()) == 0;
  } else if (worked) {
    worked = ::link(fresh.c_str(), path.c_str()) == 0 || errno == EEXIST;
  }
  const int reason = errno;
  if (!worked || !replaces) ::unlink(fresh.c_str());
  errno = reason;
  return worked && FlushFolder(folder);
}

// `mac`: the algorithm's name; `settings`: its own. The result fills `out`.
void MakeMac(const char* name, ByteView key, const OSSL_PARAM* settings,
             const std::vector<ByteView>& parts, std::span<uint8_t> out) {
  const std::unique_ptr<EVP_MAC, FreeMac> mac(EVP_MAC_fetch(nullptr, name, nullptr));
  WB_CHECK(mac != nullptr);
  const std::unique_ptr<EVP_MAC_CTX, FreeMac> context(EVP_MAC_CTX_new(mac.get()));
  WB_CHECK(EVP_MAC_init(context.get(), key.data(), key.size(), settings) == 1);
  for (const ByteView part : parts) {
    WB_CHECK(EVP_MAC_update(context.get(), part.data(), part.size()) == 1);
  }
  size_t bytes = 0;
  WB_CHECK(EVP_MAC_final(context.get(), out.data(), &bytes, out.size()) == 1);
  WB_CHECK(bytes == out.size());
}

}  // namespace

Digest RandomDigest() {
  Digest random;
  WB_CHECK(RAND_bytes(random.bytes.data(), static_cast<int>(random.bytes.size())) == 1);
  return random;
}

CacheKey CacheKey::Random() {
  CacheKey key;
  key.secret_ = RandomDigest().bytes;
  return key;
}

CacheKey CacheKey::OfFolder(const std::string& folder,
                            const std::function<void(const std::string&)>& log) {
  CacheKey key = Random();
  const std::string file = "The key of compiled kernels " + Quoted(folder + kFileName) + " ";
  const std::string then =
      " This daemon takes a key that it forgets when it ends, and compiles anew.";
  if (const Status made = MakePrivateFolder(folder, "The state folder"); !made.ok()) {
    log(made.message() + then);
    return key;
  }
  Found found = Look(folder + kFileName);
  if (found.passes) {
    log(file + "cannot be opened now." + then);
    return key;
  }
  if (!found.secret) {
    if (!found.fault.empty()) {
      log(file + found.fault + ". Another one takes its place, and kernels are compiled again.");
    }
    if (!Publish(key.secret_, folder, !found.fault.empty())) {
      log(file + "cannot be written: " + std::strerror(errno) + "." + then);
      return key;
    }
    found = Look(folder + kFileName);  // it may be another process's
  }
  if (found.secret) key.secret_ = *found.secret;
  return key;
}

Digest CacheKey::Hmac(const std::vector<ByteView>& parts) const {
  char digest_name[] = "SHA256";
  const OSSL_PARAM settings[] = {OSSL_PARAM_construct_utf8_string("digest", digest_name, 0),
                                 OSSL_PARAM_construct_end()};
  Digest digest;
  MakeMac("HMAC", secret_, settings, parts, digest.bytes);
  return digest;
}

CacheKey::Signature CacheKey::Sign(const std::vector<ByteView>& head, ByteView payload) const {
  const Digest key = Hmac(head);
  char cipher_name[] = "AES-256-GCM";
  std::array<uint8_t, 12> zeros{};  // the key is used once
  const OSSL_PARAM settings[] = {
      OSSL_PARAM_construct_utf8_string("cipher", cipher_name, 0),
      OSSL_PARAM_construct_octet_string("iv", zeros.data(), zeros.size()),
      OSSL_PARAM_construct_end()};
  Signature signature{};
  MakeMac("GMAC", key.bytes, settings, {payload}, signature);
  return signature;
}

bool CacheKey::HasSigned(const std::vector<ByteView>& head, ByteView payload,
                         const Signature& signature) const {
  const Signature right = Sign(head, payload);
  return CRYPTO_memcmp(right.data(), signature.data(), right.size()) == 0;
}

}  // namespace wb
