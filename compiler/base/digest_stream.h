#pragma once

// SHA-256 of bytes that come in parts: the same digest as Sha256 of all of them.

#include <memory>

#include "compiler/base/digest.h"

namespace wb {

class DigestStream {
 public:
  DigestStream();
  ~DigestStream();
  void Add(ByteView part);
  Digest Finish();  // once

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace wb
