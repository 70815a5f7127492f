#include "daemon/translate/wire_reader.h"

#include <google/protobuf/wire_format_lite.h>

namespace wb {
namespace {

using google::protobuf::internal::WireFormatLite;

constexpr int kTagTypeBits = WireFormatLite::kTagTypeBits;

}  // namespace

std::optional<uint64_t> WireReader::ReadVarint() {
  uint64_t value = 0;
  for (int shift = 0; shift < 64 && at_ < bytes_.size(); shift += 7) {
    const uint8_t byte = bytes_[at_++];
    value |= uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

uint32_t WireReader::ReadTag() {
  const std::optional<uint64_t> tag = ReadVarint();
  const bool is_tag = tag && *tag <= UINT32_MAX && *tag >> kTagTypeBits != 0;
  return is_tag ? static_cast<uint32_t>(*tag) : 0;
}

std::optional<size_t> WireReader::ReadLength() {
  const std::optional<uint64_t> length = ReadVarint();
  if (!length || *length > left()) return std::nullopt;
  return static_cast<size_t>(*length);
}

bool WireReader::Skip(uint64_t bytes) {
  if (bytes > left()) return false;
  at_ += bytes;
  return true;
}

bool WireReader::SkipField(uint32_t tag) {
  switch (WireFormatLite::GetTagWireType(tag)) {
    case WireFormatLite::WIRETYPE_VARINT: return ReadVarint().has_value();
    case WireFormatLite::WIRETYPE_FIXED32: return Skip(sizeof(uint32_t));
    case WireFormatLite::WIRETYPE_FIXED64: return Skip(sizeof(uint64_t));
    case WireFormatLite::WIRETYPE_LENGTH_DELIMITED: {
      const std::optional<size_t> length = ReadLength();
      return length && Skip(*length);
    }
    default: return false;
  }
}

}  // namespace wb
