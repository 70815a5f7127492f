#pragma once

// Traps in words: the one place for them. Pure.

#include <string>

#include "wasmburst/v1/results.pb.h"

namespace wb::cli {

// "integer divide by zero in parse_header (function 12, offset 0x1a3) at src/parse.c:41".
std::string TrapText(const wasmburst::v1::Trap& trap);
// "parse (function 3, offset 0x41) at src/parse.c:7".
std::string FrameText(const wasmburst::v1::TraceFrame& frame);

// The calls on the way to the trap, a line each: "\n    from main (function 4, offset 0x99) at
// src/main.c:12". Empty where none are known, or the trap is in the step's own function.
std::string BacktraceText(const wasmburst::v1::InstanceResult& result);

// Without what a terminal would obey.
std::string Printable(const std::string& text);

}  // namespace wb::cli
