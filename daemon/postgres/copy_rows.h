#pragma once

// CopyRows: rows in the binary format of COPY (postgresql.org/docs/15/sql-copy.html, "Binary
// Format"). Pure.

#include <cstdint>
#include <string>
#include <string_view>

#include "compiler/base/bytes.h"

namespace wb {

class CopyRows {
 public:
  explicit CopyRows(int columns);

  // Begins a row; as many values as it has columns follow.
  CopyRows& Row();
  CopyRows& Number(int64_t number);  // bigint
  CopyRows& Text(std::string_view text);
  CopyRows& Blob(ByteView bytes);  // bytea

  bool empty() const { return rows_ == 0; }
  size_t size() const { return bytes_.size(); }
  std::string Take() &&;  // with the end of the file

 private:
  const int columns_;
  uint64_t rows_ = 0;
  std::string bytes_;
};

}  // namespace wb
