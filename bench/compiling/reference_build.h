#pragma once

// What builds are compared with, so that a figure holds on a slower or busier machine: clang++ on a
// text that never changes.

#include <string>

#include "bench/compiling/build_target.h"

namespace wb::bench {

class ReferenceBuild {
 public:
  // CONFIG_INVALID: there is no clang++ in PATH.
  static Result<ReferenceBuild> Find();

  const std::string& version() const { return version_; }  // "clang 14": figures hold for one
  Result<BuildTime> Run() const;

 private:
  std::string path_;
  std::string version_;
};

}  // namespace wb::bench
