#include "compiler/system/kept_exports.h"

#include <algorithm>
#include <vector>

#include "compiler/base/check.h"

namespace wb {
namespace {

constexpr size_t kHeaderBytes = 8;  // magic and version
constexpr uint8_t kExportSection = 7, kCodeSection = 10;
constexpr uint8_t kFunctionExport = 0;
// A body: its size, no locals, `unreachable`, `end`.
constexpr uint8_t kTrappingBody[] = {3, 0, 0, 0x0b};

// Over a binary that has been decoded, so it is whole.
class Reader {
 public:
  explicit Reader(ByteView bytes) : rest_(bytes) {}

  bool done() const { return rest_.empty(); }
  uint8_t Byte() { return Take(1)[0]; }
  ByteView Take(size_t bytes) {
    WB_CHECK(bytes <= rest_.size());
    const ByteView taken = rest_.first(bytes);
    rest_ = rest_.subspan(bytes);
    return taken;
  }
  uint32_t Number() {  // unsigned LEB128
    uint32_t number = 0;
    for (int shift = 0;; shift += 7) {
      const uint8_t byte = Byte();
      number |= uint32_t{byte & 0x7fu} << shift;
      if ((byte & 0x80) == 0) return number;
    }
  }

 private:
  ByteView rest_;
};

void PutNumber(Bytes& out, size_t number) {
  for (; number >= 0x80; number >>= 7) out.push_back(static_cast<uint8_t>(number | 0x80));
  out.push_back(static_cast<uint8_t>(number));
}

void PutBytes(Bytes& out, ByteView bytes) { out.insert(out.end(), bytes.begin(), bytes.end()); }

std::vector<bool> CalledFrom(const Module& module, std::vector<uint32_t> functions) {
  std::vector<bool> called(module.functions.size());
  while (!functions.empty()) {
    const uint32_t function = functions.back();
    functions.pop_back();
    if (called[function]) continue;
    called[function] = true;
    if (function < module.imported_functions) continue;
    for (const Instruction& at : module.bodies[function - module.imported_functions].instructions) {
      if (at.opcode == Opcode::kCall) functions.push_back(static_cast<uint32_t>(at.imm));
    }
  }
  return called;
}

std::vector<bool> Needed(const Module& module, const KeptNames& kept) {
  WB_CHECK(module.elements.empty() && !module.start.has_value());
  std::vector<uint32_t> roots;
  for (const Export& item : module.exports) {
    if (item.kind == ExternKind::kFunction && kept.contains(item.name)) roots.push_back(item.index);
  }
  return CalledFrom(module, std::move(roots));
}

Bytes KeptExports(ByteView section, const KeptNames& kept) {
  Reader reader(section);
  Bytes items;
  size_t count = 0;
  for (uint32_t left = reader.Number(); left > 0; --left) {
    ByteView name = reader.Take(reader.Number());
    const uint8_t kind = reader.Byte();
    const uint32_t index = reader.Number();
    if (kind == kFunctionExport) {
      const auto at = kept.find(AsText(name));
      if (at == kept.end()) continue;
      name = AsBytes(at->second);
    }
    ++count;
    PutNumber(items, name.size());
    PutBytes(items, name);
    items.push_back(kind);
    PutNumber(items, index);
  }
  Bytes out;
  PutNumber(out, count);
  PutBytes(out, items);
  return out;
}

Bytes Bodies(ByteView section, const Module& module, const std::vector<bool>& needed) {
  Reader reader(section);
  Bytes out;
  const uint32_t count = reader.Number();
  PutNumber(out, count);
  for (uint32_t i = 0; i < count; ++i) {
    const ByteView body = reader.Take(reader.Number());
    if (needed[module.imported_functions + i]) {
      PutNumber(out, body.size());
      PutBytes(out, body);
    } else {
      PutBytes(out, kTrappingBody);
    }
  }
  return out;
}

}  // namespace

Bytes WithExportsOnly(const Module& module, const KeptNames& kept) {
  const std::vector<bool> needed = Needed(module, kept);
  Reader reader(module.binary());
  Bytes out;
  PutBytes(out, reader.Take(kHeaderBytes));
  while (!reader.done()) {
    const uint8_t id = reader.Byte();
    const ByteView section = reader.Take(reader.Number());
    const Bytes content = id == kExportSection ? KeptExports(section, kept)
                          : id == kCodeSection ? Bodies(section, module, needed)
                                               : Bytes(section.begin(), section.end());
    out.push_back(id);
    PutNumber(out, content.size());
    PutBytes(out, content);
  }
  return out;
}

}  // namespace wb
