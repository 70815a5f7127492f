#include "compiler/link/bundle.h"

#include <algorithm>
#include <array>
#include <utility>

#include "compiler/link/module_bytes.h"
#include "compiler/link/module_starter.h"

namespace wb {
namespace {

constexpr std::array<uint8_t, 8> kMagic = {0, 'w', 'b', 'l', 2, 0, 0, 0};

// False: the bundle ends too early.
bool ReadImports(BytesReader* reader, std::map<std::string, uint32_t>* imports) {
  uint32_t count = 0;
  if (!reader->Number(&count)) return false;
  for (uint32_t i = 0; i < count; ++i) {
    ByteView name;
    uint32_t part = 0;
    if (!reader->Part(&name) || !reader->Number(&part)) return false;
    (*imports)[std::string(AsText(name))] = part;
  }
  return true;
}

Status Broken() {
  return Status(Reason::kWasmMalformed, "A bundle of linked modules is not whole.");
}

}  // namespace

std::map<std::string, uint32_t> UsedImports(const LinkPart& part) {
  std::map<std::string, uint32_t> used;
  for (const Import& import : part.module->imports) {
    const auto from = part.imports_from.find(import.module);
    if (from != part.imports_from.end()) used.insert(*from);
  }
  return used;
}

Bytes EncodeBundle(const std::vector<LinkPart>& parts) {
  Bytes out(kMagic.begin(), kMagic.end());
  PutNumber(out, parts.size());
  for (const LinkPart& part : parts) {
    PutBytes(out, AsBytes(part.name));
    const std::map<std::string, uint32_t> imports = UsedImports(part);
    PutNumber(out, imports.size());
    for (const auto& [name, from] : imports) {
      PutBytes(out, AsBytes(name));
      PutNumber(out, from);
    }
    PutBytes(out, part.module->binary());
  }
  return out;
}

Result<std::shared_ptr<const Module>> LoadModule(ByteView bytes) {
  if (IsStartedModule(bytes)) return LoadStartedModule(bytes, LoadModule);
  if (bytes.size() < kMagic.size() || !std::equal(kMagic.begin(), kMagic.end(), bytes.begin())) {
    return Module::Decode(bytes);
  }
  BytesReader reader(bytes.subspan(kMagic.size()));
  uint32_t count = 0;
  if (!reader.Number(&count)) return Broken();
  std::vector<LinkPart> parts;
  for (uint32_t i = 0; i < count; ++i) {
    ByteView name, wasm;
    LinkPart part;
    if (!reader.Part(&name) || !ReadImports(&reader, &part.imports_from)) return Broken();
    if (!reader.Part(&wasm)) return Broken();
    part.name = AsText(name);
    WB_ASSIGN(part.module, Module::Decode(wasm));
    parts.push_back(std::move(part));
  }
  if (!reader.done()) return Broken();
  return Link(parts, {}, Instantiation::kAtStart);
}

}  // namespace wb
