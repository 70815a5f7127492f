// Module::Decode: the preamble, then the sections.

#include <algorithm>
#include <cstring>
#include <string>

#include "compiler/wasm/decode_error.h"
#include "compiler/wasm/module.h"
#include "compiler/wasm/operator_decoder.h"

namespace wb {
namespace {

constexpr uint8_t kMagic[4] = {0, 'a', 's', 'm'};
constexpr uint8_t kVersion[4] = {1, 0, 0, 0};
constexpr uint8_t kComponentLayer[2] = {1, 0};  // bytes 6 and 7 of a component's preamble
constexpr size_t kPreambleBytes = 8;

// Text begins with spaces, comments (";;", "(;") or "(module".
bool LooksLikeText(ByteView wasm) {
  for (uint8_t byte : wasm) {
    if (byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r') continue;
    return byte == '(' || byte == ';';
  }
  return false;
}

std::string HexBytes(ByteView bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (uint8_t byte : bytes) {
    if (!text.empty()) text += ' ';
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

Status CheckMagic(ByteView wasm) {
  size_t length = std::min(wasm.size(), sizeof(kMagic));
  if (length != 0 && std::memcmp(wasm.data(), kMagic, length) != 0) {
    if (LooksLikeText(wasm)) {
      return DecodeError(Reason::kWasmMalformed,
                         "this looks like WebAssembly text; assemble it first", {});
    }
    return DecodeError(Reason::kWasmMalformed,
                       "a WebAssembly binary begins with [00 61 73 6d], this one with [" +
                           HexBytes(wasm.first(length)) + "]",
                       {});
  }
  return Status();
}

Status CheckVersion(ByteView wasm) {
  ByteView version = wasm.subspan(4, 4);
  if (std::memcmp(version.data(), kVersion, sizeof(kVersion)) == 0) return Status();
  if (std::memcmp(version.data() + 2, kComponentLayer, sizeof(kComponentLayer)) == 0) {
    return DecodeError(Reason::kWasmUnsupportedFeature,
                       "this is a component, not a core module; take the core module out of it",
                       {4, {}});
  }
  return DecodeError(Reason::kWasmMalformed,
                     "the version must be [01 00 00 00], not [" + HexBytes(version) + "]", {4, {}});
}

Status CheckPreamble(ByteView wasm) {
  if (wasm.empty()) return DecodeError(Reason::kWasmMalformed, "it has no bytes", {});
  if (wasm.size() > Module::kMaxBytes) {
    return DecodeError(Reason::kWasmMalformed,
                       "it has [" + std::to_string(wasm.size()) +
                           "] bytes, the most accepted are [" + std::to_string(Module::kMaxBytes) +
                           "]",
                       {Module::kMaxBytes, {}});
  }
  WB_TRY(CheckMagic(wasm));
  if (wasm.size() < kPreambleBytes) {
    return DecodeError(Reason::kWasmMalformed,
                       "it ends after [" + std::to_string(wasm.size()) +
                           "] bytes, within the 8 bytes that every module begins with",
                       {wasm.size(), {}});
  }
  return CheckVersion(wasm);
}

}  // namespace

Result<std::shared_ptr<const Module>> Module::Decode(ByteView wasm, const Proposals& proposals) {
  WB_TRY(CheckPreamble(wasm));
  auto module = std::make_shared<Module>();
  module->binary_.assign(wasm.begin(), wasm.end());
  WB_TRY(OperatorDecoder(module.get(), proposals).Run());
  module->digest_ = Sha256(wasm);
  return std::shared_ptr<const Module>(std::move(module));
}

}  // namespace wb
