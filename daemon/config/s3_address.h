#pragma once

// Where blobs lie in an object store that speaks S3, as a setting. Pure.

#include <string>
#include <string_view>

#include "compiler/base/status.h"
#include "daemon/config/config.h"

namespace wb {

struct S3Address {
  std::string origin;  // "https://HOST[:PORT]"
  std::string bucket;
  std::string prefix;  // of keys: "" or "a/b/"
};

// "https://HOST[:PORT]/BUCKET[/PREFIX]", or http://. CONFIG_INVALID for anything else, and where it
// holds a name and a password: settings are shown. Bucket and prefix are letters, digits and
// -._ (and / in a prefix), so that they need no escapes.
Result<S3Address> ParseS3Address(std::string_view text);

// CONFIG_INVALID: the address, or what stands beside it.
Status CheckBlobPlaces(const Config& config);

}  // namespace wb
