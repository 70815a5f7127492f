#include "scheduler/devices/metal/metal_binary.h"

#include <algorithm>

namespace wb {
namespace {

constexpr std::string_view kMagic = "WBMETAL1";
constexpr size_t kHead = 24;

void PutLength(uint64_t length, Bytes& out) {
  for (int shift = 0; shift < 64; shift += 8) out.push_back(static_cast<uint8_t>(length >> shift));
}

uint64_t LengthAt(ByteView bytes, size_t at) {
  uint64_t length = 0;
  for (size_t i = 0; i < 8; ++i) length |= uint64_t{bytes[at + i]} << (8 * i);
  return length;
}

}  // namespace

Bytes EncodeMetalBinary(const MetalBinary& binary) {
  Bytes out(kMagic.begin(), kMagic.end());
  out.reserve(kHead + binary.text.size() + binary.archive.size());
  PutLength(binary.text.size(), out);
  PutLength(binary.archive.size(), out);
  out.insert(out.end(), binary.text.begin(), binary.text.end());
  out.insert(out.end(), binary.archive.begin(), binary.archive.end());
  return out;
}

Result<MetalBinary> DecodeMetalBinary(ByteView bytes) {
  const Status foreign(Reason::kCompileFailed, "The kernel binary is not one of the metal device.");
  if (bytes.size() < kHead) return foreign;
  if (!std::equal(kMagic.begin(), kMagic.end(), bytes.begin())) return foreign;
  const uint64_t text = LengthAt(bytes, 8);
  const uint64_t archive = LengthAt(bytes, 16);
  const uint64_t left = bytes.size() - kHead;
  if (text > left || archive != left - text) return foreign;
  MetalBinary binary;
  binary.text = AsText(bytes.subspan(kHead, text));
  binary.archive = bytes.subspan(kHead + text);
  return binary;
}

}  // namespace wb
