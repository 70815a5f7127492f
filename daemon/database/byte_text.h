#pragma once

// ByteWriter and ByteReader: numbers and strings as bytes, for what lies on the disk. Numbers are
// LEB128 as in WebAssembly (core specification, 5.2.2), words have their little end first.
//
// A reader never reads beyond its bytes: what is missing reads as zero, and ok() says so.

#include <cstdint>
#include <string>
#include <string_view>

#include "compiler/base/bytes.h"

namespace wb {

class ByteWriter {
 public:
  void Number(uint64_t number);
  void Signed(int64_t number);  // small ones of both signs are short
  void Word(uint32_t word);
  void Byte(uint8_t byte) { bytes_.push_back(byte); }
  void Text(std::string_view text);  // its length first
  void Raw(ByteView bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }

  size_t size() const { return bytes_.size(); }
  Bytes Take() && { return std::move(bytes_); }

 private:
  Bytes bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(ByteView bytes) : bytes_(bytes) {}

  uint64_t Number();
  int64_t Signed();
  uint32_t Word();
  uint8_t Byte();
  std::string_view Text();
  ByteView Raw(size_t bytes);
  // A count of things that have at least one byte each; more than are left is an error.
  uint64_t Count();

  bool ok() const { return ok_; }
  bool is_done() const { return ok_ && bytes_.empty(); }
  void Fail() { ok_ = false, bytes_ = {}; }

 private:
  ByteView bytes_;  // those that are left
  bool ok_ = true;
};

// XXH3 of 64 bits: not against forgery, against disks.
uint64_t Checksum(ByteView bytes);

}  // namespace wb
