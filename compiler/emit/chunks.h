#pragma once

// A kernel text cut into several that compile by themselves, side by side, and are then linked: for
// devices whose compiler would take too long for all of it at once. Pure.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace wb {

// A call takes a compiler as long as so many more bytes: a function may be resumed behind it, so
// paths meet there (bench/docs/compile_times_gpu.md).
inline constexpr size_t kCallBytes = 500;

size_t BytesOfFunctions(std::string_view text);  // of the module's

// Texts of about `bytes` of the module's functions each, or of more where there would be very many
// of them; the text itself where one is enough. They take a compiler about as long as one another.
// Each holds what stands before the functions, so constants and the runtime's functions are each
// one's own, and declares the functions that it has and calls, which are not `static` there. The
// last holds the rest: what calls functions by number, and the entry.
std::vector<std::string> ChunksOf(std::string_view text, size_t bytes);

// The same, for texts that one compiler would do: only between functions that cold calls alone
// connect, which are made outside of loops and of recursion. Three to eight texts of functions, and
// one of the rest; the text itself where it has too few bytes, or where half of them stay together.
std::vector<std::string> ColdChunksOf(std::string_view text, size_t bytes);

}  // namespace wb
