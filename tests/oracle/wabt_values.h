#pragma once

// The oracle's values and words in wabt's form and back. C++17, for the oracle's own files.

#include <wabt/interp/interp.h>

#include <string>
#include <vector>

#include "tests/oracle/oracle.h"

namespace wb::oracle {

// The specification's words for a trap.
std::string SpecificationWords(const std::string& message);

// False for a type that the oracle does not pass (only_numbers: vectors and references too).
bool ToType(wabt::Type type, bool only_numbers, Type* out);
bool ToTypes(const wabt::interp::ValueTypes& types, bool only_numbers, std::vector<Type>* out);

// References: any object of the store, or null.
wabt::interp::Value ToWabt(wabt::interp::Store& store, const Value& value);
Value FromWabt(Type type, const wabt::interp::Value& value);

// What a call came to.
Outcome OutcomeOf(const std::vector<Type>& types, const wabt::interp::Values& results,
                  const wabt::interp::Trap::Ptr& trap);

}  // namespace wb::oracle
