#pragma once

// Reads the mappings of a source map, one after the other: Base64 numbers of which each is a
// difference to the one before. Of several generated lines only the first is read, since a binary
// is one line. Pure.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace wb {

struct Mapping {
  uint32_t offset = 0;  // byte offset in the module from which on it counts
  bool has_source = false;
  uint32_t source = 0;  // index into the map's sources
  uint32_t line = 0;    // from 0 on
};

class MappingCursor {
 public:
  explicit MappingCursor(std::string_view mappings) : mappings_(mappings) {}

  // False: there are no more, or what comes is none (then not ok()). Offsets never go back.
  bool Next(Mapping* mapping);
  bool ok() const { return ok_; }
  size_t at() const { return at_; }

 private:
  // 1, 4 or 5 numbers; each at most seven digits. The result is their count; 0: they are wrong.
  int ReadNumbers(int64_t (&numbers)[5]);
  bool ReadNumber(int64_t* number);
  bool EndsHere() const;
  bool Break();

  std::string_view mappings_;
  size_t at_ = 0;
  bool ok_ = true;
  int64_t offset_ = 0;
  int64_t source_ = 0;
  int64_t line_ = 0;
};

}  // namespace wb
