#pragma once

// The keys by which a daemon signs what it asks an object store: from a file or the environment,
// never from the command line, and never told.

#include <string>
#include <string_view>

#include "compiler/base/status.h"

namespace wb {

struct S3Keys {
  std::string id;
  std::string secret;
  std::string session_token;  // of keys that expire; empty: there is none
};

// Lines NAME = VALUE with the names of AWS's file of credentials (aws_access_key_id,
// aws_secret_access_key, aws_session_token; docs.aws.amazon.com/cli, "Configuration and credential
// file settings"); the first of each counts. Other lines are skipped. CONFIG_INVALID: a key is
// missing; what is there is not quoted. Pure.
Result<S3Keys> ParseS3Keys(std::string_view text, const std::string& file);

// Of the file, which others may not read; "": of AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and
// AWS_SESSION_TOKEN. Each time anew: keys may be replaced while the daemon runs. CONFIG_INVALID.
Result<S3Keys> ReadS3Keys(const std::string& file);

}  // namespace wb
