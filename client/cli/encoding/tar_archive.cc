#include "client/cli/encoding/tar_archive.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

namespace wb::cli {
namespace {

constexpr size_t kTarBlock = 512;

// Fields of a header by their places (POSIX.1-1988, ustar).
struct TarField {
  size_t at;
  size_t size;
};
constexpr TarField kName{0, 100}, kMode{100, 8}, kOwner{108, 8}, kGroup{116, 8}, kSize{124, 12},
    kTime{136, 12}, kSum{148, 8}, kType{156, 1}, kMagic{257, 8};

void PutText(std::string* header, TarField field, std::string_view text) {
  header->replace(field.at, std::min(field.size, text.size()), text.substr(0, field.size));
}

// Octal digits and a NUL, as wide as the field.
void PutOctal(std::string* header, TarField field, uint64_t number) {
  char text[24];
  std::snprintf(text, sizeof text, "%0*llo", static_cast<int>(field.size - 1),
                static_cast<unsigned long long>(number));
  PutText(header, field, text);
}

std::string TarHeader(const ArchiveFile& file, int64_t time) {
  std::string header(kTarBlock, '\0');
  PutText(&header, kName, file.name);
  PutOctal(&header, kMode, 0600);
  PutOctal(&header, kOwner, 0);
  PutOctal(&header, kGroup, 0);
  PutOctal(&header, kSize, file.bytes.size());
  PutOctal(&header, kTime, static_cast<uint64_t>(time));
  PutText(&header, kType, "0");
  PutText(&header, kMagic, std::string_view("ustar\00000", 8));
  PutText(&header, kSum, "        ");  // so it counts in the sum
  uint64_t sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  PutOctal(&header, {kSum.at, 7}, sum);
  return header;
}

uint32_t Crc32(std::string_view bytes) {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < table.size(); ++i) {
    uint32_t entry = i;
    for (int bit = 0; bit < 8; ++bit) entry = (entry >> 1) ^ ((entry & 1) != 0 ? 0xedb88320 : 0);
    table[i] = entry;
  }
  uint32_t crc = 0xffffffff;
  for (const char c : bytes) crc = (crc >> 8) ^ table[(crc ^ static_cast<unsigned char>(c)) & 0xff];
  return ~crc;
}

void AddLittleEndian(uint32_t number, int bytes, std::string* out) {
  for (int i = 0; i < bytes; ++i) *out += static_cast<char>(number >> (8 * i) & 0xff);
}

// RFC 1952, with stored blocks of RFC 1951.
std::string Gzip(std::string_view bytes, int64_t time) {
  constexpr size_t kLongestBlock = 65'535;
  std::string out("\x1f\x8b\x08\x00", 4);
  AddLittleEndian(static_cast<uint32_t>(time), 4, &out);
  out += std::string("\x00\xff", 2);  // of an unknown system
  for (size_t at = 0; at == 0 || at < bytes.size(); at += kLongestBlock) {
    const std::string_view block = bytes.substr(at, kLongestBlock);
    const auto size = static_cast<uint32_t>(block.size());
    out += static_cast<char>(at + kLongestBlock >= bytes.size() ? 1 : 0);  // the last one
    AddLittleEndian(size, 2, &out);
    AddLittleEndian(~size, 2, &out);
    out += block;
  }
  AddLittleEndian(Crc32(bytes), 4, &out);
  AddLittleEndian(static_cast<uint32_t>(bytes.size()), 4, &out);
  return out;
}

}  // namespace

std::string TarGz(const std::vector<ArchiveFile>& files, int64_t time) {
  std::string tar;
  for (const ArchiveFile& file : files) {
    tar += TarHeader(file, time) + file.bytes;
    tar.resize((tar.size() + kTarBlock - 1) / kTarBlock * kTarBlock);
  }
  tar.resize(tar.size() + 2 * kTarBlock);  // its end
  return Gzip(tar, time);
}

}  // namespace wb::cli
