#include "compiler/link/bundle.h"

#include <algorithm>
#include <array>
#include <utility>

namespace wb {
namespace {

constexpr std::array<uint8_t, 8> kMagic = {0, 'w', 'b', 'l', 1, 0, 0, 0};

void PutNumber(Bytes& out, size_t number) {
  for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<uint8_t>(number >> shift));
}

void PutBytes(Bytes& out, ByteView bytes) {
  PutNumber(out, bytes.size());
  out.insert(out.end(), bytes.begin(), bytes.end());
}

class Reader {
 public:
  explicit Reader(ByteView bytes) : rest_(bytes) {}

  bool Number(uint32_t* number) {
    if (rest_.size() < 4) return false;
    *number = 0;
    for (int i = 3; i >= 0; --i) *number = *number << 8 | rest_[i];
    rest_ = rest_.subspan(4);
    return true;
  }
  bool Part(ByteView* bytes) {
    uint32_t length = 0;
    if (!Number(&length) || rest_.size() < length) return false;
    *bytes = rest_.first(length);
    rest_ = rest_.subspan(length);
    return true;
  }
  bool done() const { return rest_.empty(); }

 private:
  ByteView rest_;
};

Status Broken() {
  return Status(Reason::kWasmMalformed, "A bundle of linked modules is not whole.");
}

}  // namespace

Bytes EncodeBundle(const std::vector<LinkPart>& parts) {
  Bytes out(kMagic.begin(), kMagic.end());
  PutNumber(out, parts.size());
  for (const LinkPart& part : parts) {
    PutBytes(out, AsBytes(part.name));
    PutBytes(out, part.module->binary());
  }
  return out;
}

Result<std::shared_ptr<const Module>> LoadModule(ByteView bytes) {
  if (bytes.size() < kMagic.size() || !std::equal(kMagic.begin(), kMagic.end(), bytes.begin())) {
    return Module::Decode(bytes);
  }
  Reader reader(bytes.subspan(kMagic.size()));
  uint32_t count = 0;
  if (!reader.Number(&count)) return Broken();
  std::vector<std::pair<std::string, std::shared_ptr<const Module>>> modules;
  for (uint32_t i = 0; i < count; ++i) {
    ByteView name, wasm;
    if (!reader.Part(&name) || !reader.Part(&wasm)) return Broken();
    WB_ASSIGN(auto module, Module::Decode(wasm));
    modules.emplace_back(AsText(name), std::move(module));
  }
  if (!reader.done()) return Broken();
  return Link(PartsByName(modules), {}, Instantiation::kAtStart);
}

}  // namespace wb
