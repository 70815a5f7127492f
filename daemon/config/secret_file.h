#pragma once

// A file of secrets that a setting names: keys, or headers with a token. Others may not read it,
// and no message quotes it.

#include <string>
#include <string_view>

#include "compiler/base/status.h"

namespace wb {

class SecretFile {
 public:
  // `setting`: "store.s3_keys_file".
  SecretFile(std::string setting, std::string path)
      : setting_(std::move(setting)), path_(std::move(path)) {}

  // All of it. CONFIG_INVALID: it cannot be read, others may read it, or it has more than 64 KiB.
  Result<std::string> Read() const;
  // CONFIG_INVALID, "The file [PATH] of [SETTING] " and these words.
  Status Wrong(const std::string& words) const;

 private:
  const std::string setting_;
  const std::string path_;
};

// Without the blanks at both ends of a line.
std::string_view Trimmed(std::string_view line);

}  // namespace wb
