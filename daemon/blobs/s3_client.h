#pragma once

// S3Client: requests to one bucket of an object store that speaks S3, by libcurl, which signs them
// (AWS Signature Version 4). What may pass is asked for again some times, after pauses that grow.
//
// Threads: any; each request has a connection of its own, of those that are kept.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compiler/base/bytes.h"
#include "compiler/base/mutex.h"
#include "compiler/base/status.h"
#include "daemon/blobs/s3_keys.h"
#include "daemon/config/s3_address.h"

namespace wb {

enum class S3Operation : uint8_t { kPut, kGet, kHead, kCopy, kDelete, kList };
inline constexpr size_t kS3Operations = static_cast<size_t>(S3Operation::kList) + 1;
const char* S3OperationName(S3Operation operation);  // "put"

struct S3Request {
  S3Operation operation = S3Operation::kGet;
  std::string object;  // behind the prefix of the address; of a list: what its names begin with
  std::string query;   // names in order, escaped
  std::string source;  // of a copy: the object
  ByteView body;
  std::string digest;          // of the body, SHA-256 in hexadecimal; empty: of no byte
  uint64_t most = UINT64_MAX;  // bytes of the answer; of more it is an error
};

struct S3Answer {
  long status = 0;     // 200 to 299
  uint64_t bytes = 0;  // that the object has
  Bytes body;
};

// How long a request may take.
struct S3Pace {
  std::chrono::milliseconds connect{5000};
  std::chrono::seconds stalled{20};      // with less than a KiB a second
  std::chrono::milliseconds pause{200};  // before the second try; four times as long each time
  int tries = 4;
};

class S3Client {
 public:
  struct Parts {
    S3Address address;
    std::string region;
    std::string ca_file;                   // PEM; empty: the system's
    std::function<Result<S3Keys>()> keys;  // asked for each time
    // Each try: how long it took, and whether it was answered as it should be; a missing object is.
    std::function<void(S3Operation operation, std::chrono::nanoseconds took, bool ok)> told;
    S3Pace pace;
  };
  // IO_ERROR: the library cannot start, or cannot sign.
  static Result<std::shared_ptr<const S3Client>> Open(Parts parts);
  ~S3Client();
  S3Client(const S3Client&) = delete;
  S3Client& operator=(const S3Client&) = delete;

  // Errors as S3Refusal's; MACHINE_FAULT: there was no answer; CONFIG_INVALID: there are no keys.
  Result<S3Answer> Send(const S3Request& request) const;
  const std::string& place() const { return place_; }  // the address, for messages

 private:
  struct Handle;
  explicit S3Client(Parts parts);
  Result<S3Answer> Try(const S3Request& request, bool* may_pass) const;
  std::string UrlOf(const S3Request& request) const;
  std::vector<std::string> HeadersOf(const S3Request& request, const S3Keys& keys) const;
  std::unique_ptr<Handle> TakeHandle() const;
  void KeepHandle(std::unique_ptr<Handle> handle) const;

  const Parts parts_;
  const std::string place_;
  mutable Mutex mutex_;
  mutable std::vector<std::unique_ptr<Handle>> handles_ WB_GUARDED_BY(mutex_);  // not in use
};

}  // namespace wb
