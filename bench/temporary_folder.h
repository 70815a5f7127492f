#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>

#include "compiler/base/check.h"

namespace wb::bench {

// A folder nobody else can read, removed with all it holds.
class TemporaryFolder {
 public:
  TemporaryFolder()
      : path_((std::filesystem::temp_directory_path() / "wasmburst-bench-XXXXXX").string()) {
    WB_CHECK(mkdtemp(path_.data()) != nullptr);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace wb::bench
