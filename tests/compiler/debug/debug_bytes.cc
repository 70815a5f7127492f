#include "tests/compiler/debug/debug_bytes.h"

namespace wb::test {
namespace {

void PutBytes(Bytes& out, ByteView bytes) { out.insert(out.end(), bytes.begin(), bytes.end()); }

void PutText(Bytes& out, std::string_view text) {
  PutBytes(out, AsBytes(text));
  out.push_back(0);
}

void PutSigned(Bytes& out, int64_t number) {
  for (bool more = true; more;) {
    const auto byte = static_cast<uint8_t>(number & 0x7f);
    number >>= 7;
    more = !((number == 0 && (byte & 0x40) == 0) || (number == -1 && (byte & 0x40) != 0));
    out.push_back(more ? byte | 0x80 : byte);
  }
}

Bytes OldTables(std::string_view directory, std::string_view file) {
  Bytes out;
  PutText(out, directory);
  out.push_back(0);
  PutText(out, file);
  for (uint8_t number : {1, 0, 0}) out.push_back(number);
  out.push_back(0);
  return out;
}

Bytes NewTables(std::string_view directory, std::string_view file) {
  Bytes out = {1, 1, 0x08, 2};  // directories: paths, as text
  PutText(out, "/base");
  PutText(out, directory);
  for (uint8_t number : {2, 1, 0x08, 2, 0x0b, 2}) out.push_back(number);  // files: and a number
  for (int i = 0; i < 2; ++i) {
    PutText(out, file);
    out.push_back(1);
  }
  return out;
}

Bytes Program(const std::vector<TestRow>& rows) {
  Bytes out;
  int64_t line = 1;
  for (size_t i = 0; i < rows.size(); ++i) {
    for (uint8_t byte : {0, 5, 2}) out.push_back(byte);
    PutFixed(out, rows[i].address, 4);
    out.push_back(3);
    PutSigned(out, rows[i].line - line);
    line = rows[i].line;
    if (i + 1 < rows.size()) out.push_back(1);
  }
  for (uint8_t byte : {0, 1, 1}) out.push_back(byte);
  return out;
}

}  // namespace

void PutUnsigned(Bytes& out, uint64_t number) {
  while (number >= 0x80) {
    out.push_back(static_cast<uint8_t>(number | 0x80));
    number >>= 7;
  }
  out.push_back(static_cast<uint8_t>(number));
}

void PutFixed(Bytes& out, uint64_t number, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) out.push_back(static_cast<uint8_t>(number >> (8 * i)));
}

Bytes WithCustom(Bytes wasm, std::string_view name, ByteView contents) {
  Bytes section;
  PutUnsigned(section, name.size());
  PutBytes(section, AsBytes(name));
  PutBytes(section, contents);
  wasm.push_back(0);
  PutUnsigned(wasm, section.size());
  PutBytes(wasm, section);
  return wasm;
}

Bytes NameSection(const std::vector<std::pair<uint32_t, std::string>>& names) {
  Bytes list;
  PutUnsigned(list, names.size());
  for (const auto& [function, name] : names) {
    PutUnsigned(list, function);
    PutUnsigned(list, name.size());
    PutBytes(list, AsBytes(name));
  }
  Bytes section = {1};
  PutUnsigned(section, list.size());
  PutBytes(section, list);
  return section;
}

Bytes LineSection(uint16_t version, std::string_view directory, std::string_view file,
                  const std::vector<TestRow>& rows) {
  Bytes head = {1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
  PutBytes(head, version < 5 ? OldTables(directory, file) : NewTables(directory, file));
  Bytes unit;
  PutFixed(unit, version, 2);
  if (version == 5) PutFixed(unit, 4, 2);
  PutFixed(unit, head.size(), 4);
  PutBytes(unit, head);
  PutBytes(unit, Program(rows));
  Bytes section;
  PutFixed(section, unit.size(), 4);
  PutBytes(section, unit);
  return section;
}

}  // namespace wb::test
