#pragma once

// The system layer's C, compiled for this machine, over a guest's memory, inputs and outputs that
// are C++ containers. Tests only; one program at a time.

#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

extern "C" {
#include "compiler/system/wasi/calls.h"
#include "compiler/system/wasi/host.h"
}

#include "tests/compiler/system/file_set.h"

namespace wb::test {

// What the primitive `exit` does.
struct Exited {
  uint32_t code = 0;
};

// A program that is about to call: a fresh system layer, and a page of memory. An access outside
// the memory, which would be a trap of the layer, throws std::logic_error.
class Program {
 public:
  explicit Program(const InstanceInputs& inputs = {});
  ~Program();

  // Memory of the guest that no other call of these returned; zeros, or the bytes.
  Guest Room(uint32_t bytes);
  Guest Put(std::string_view bytes);
  // An array of iovecs, each with room for so many bytes, or with these bytes.
  Guest Buffers(const std::vector<uint32_t>& sizes);
  Guest Buffers(const std::vector<std::string>& texts);

  uint64_t Number(Guest at, uint32_t bytes = 4) const;
  std::string Text(Guest at, uint32_t bytes) const;

  // path_open from the first preopened directory, with all rights of it. The descriptor; the errno
  // is in `error`.
  I32 Open(std::string_view path, I32 how = 0, I32 flags = 0);
  // Of a file by a path, all of it; "errno N" where it cannot be opened or read.
  std::string Read(std::string_view path);
  std::string ReadAll(I32 fd, uint32_t piece = 1000);
  // The errno. The file is made or cut to nothing first.
  I32 Write(std::string_view path, std::string_view bytes);
  I32 WriteTo(I32 fd, std::string_view bytes);
  // Names in a directory, each with a slash if it is one; listed with room for `room` bytes a call.
  std::vector<std::string> List(std::string_view path, uint32_t room = 4096);
  std::string Output(uint32_t stream) const;

  I32 error = 0;  // of the last Open
};

// State of the primitives, for tests that look at it.
struct HostState {
  std::vector<uint8_t> memory;
  std::map<uint32_t, std::string> inputs, outputs;
  uint64_t fuel = 0, instance = 0;
  uint32_t primitive_calls = 0;
  size_t memory_left = 64 << 20;  // of the layer's own
  std::vector<uint8_t*> given;
};
HostState& TheHost();

inline constexpr I32 kFirstPreopen = 3;
inline constexpr Guest kOutside = 65536 - 2;  // too little memory behind it for anything

}  // namespace wb::test
