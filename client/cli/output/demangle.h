#pragma once

// Names of functions as their language writes them. Pure.

#include <string>

namespace wb::cli {

// "_ZN5parse4lineEi" -> "parse::line(int)"; Rust's "_ZN5parse4line17h0123456789abcdefE" ->
// "parse::line". Any other name stays as it is, and so does one that refers to earlier parts of
// itself so often that its long form might be of any length.
std::string DemangledName(const std::string& name);

}  // namespace wb::cli
