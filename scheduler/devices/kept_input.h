#pragma once

// Inputs that a device keeps: the bytes of an input that are the same for all instances of a job
// lie on the device once, whatever number of lanes, dispatches and jobs read them.

#include <cstdint>
#include <memory>
#include <utility>

#include "compiler/base/bytes.h"
#include "compiler/base/digest.h"

namespace wb {

// The bytes as the host has them. The kernel reads whole words, so the last word can be read, too.
struct InputBytes {
  Digest digest;  // of the bytes, or of a message that they came in: equal ones are the same bytes
  ByteView bytes;
  int shared = -1;  // a descriptor of memory that begins with the bytes; -1: there is none
  std::shared_ptr<const void> owner;  // bytes and descriptor live as long
};

// What Device::Keep gave. It is opaque, immutable, and dropped like a pipeline.
class KeptInput {
 public:
  virtual ~KeptInput() = default;
};
using KeptInputRef = std::shared_ptr<const KeptInput>;

// Of a device that reads the host's memory where it is.
class MappedInput final : public KeptInput {
 public:
  explicit MappedInput(InputBytes input) : input_(std::move(input)) {}
  const uint32_t* words() const { return reinterpret_cast<const uint32_t*>(input_.bytes.data()); }

 private:
  const InputBytes input_;
};

}  // namespace wb
