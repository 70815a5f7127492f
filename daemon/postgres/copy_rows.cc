#include "daemon/postgres/copy_rows.h"

#include "daemon/postgres/big_endian.h"

namespace wb {
namespace {

// The last byte tells changed line ends; it is a part of the name. No flags, no extension.
constexpr std::string_view kHeader("PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0", 19);

}  // namespace

CopyRows::CopyRows(int columns) : columns_(columns), bytes_(kHeader) {}

CopyRows& CopyRows::Row() {
  ++rows_;
  AppendBigEndian(static_cast<uint64_t>(columns_), 2, &bytes_);
  return *this;
}

CopyRows& CopyRows::Number(int64_t number) {
  AppendBigEndian(8, 4, &bytes_);
  AppendBigEndian(static_cast<uint64_t>(number), 8, &bytes_);
  return *this;
}

CopyRows& CopyRows::Text(std::string_view text) {
  AppendBigEndian(text.size(), 4, &bytes_);
  bytes_ += text;
  return *this;
}

CopyRows& CopyRows::Blob(ByteView bytes) { return Text(AsText(bytes)); }

std::string CopyRows::Take() && {
  AppendBigEndian(0xffff, 2, &bytes_);
  return std::move(bytes_);
}

}  // namespace wb
