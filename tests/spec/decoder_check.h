#pragma once

// assert_invalid and assert_malformed: a binary must be refused by our decoder, a text by wabt's
// parser (the text format is wabt's part in WasmBurst).

#include <string_view>

#include "compiler/base/bytes.h"
#include "compiler/wasm/module.h"
#include "tests/spec/plan.h"
#include "tests/spec/script.h"

namespace wb::spec {

// `file` is the content of command.filename.
Outcome CheckDecoder(const Command& command, ByteView file, const Proposals& proposals);

// Whether wabt's parser accepts the text with its default features and these proposals.
bool TextParses(std::string_view wat, const Proposals& proposals);

}  // namespace wb::spec
