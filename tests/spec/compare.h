#pragma once

// Whether what an engine gave is what a script expects. Pure.

#include <string>
#include <string_view>

#include "compiler/abi/lane.h"
#include "tests/spec/script.h"

namespace wb::spec {

// Source: specification 2.0, section 4.3.3 (NaN propagation) for the two NaN patterns; every other
// bit is compared.
bool Matches(const ScriptValue& expected, const Value& actual);

// The words of an assertion against a trap of ours: equal, or the assertion only adds the index of
// the element ("uninitialized element 2"), or gives only the beginning, as spectest-interp allows.
bool TrapMatches(std::string_view expected, Trap actual);

std::string Describe(const Value& value);           // "f32 0x7fc00000"
std::string Describe(const ScriptValue& expected);  // "f32 nan:canonical"

}  // namespace wb::spec
