#pragma once

// Modules that are linked beside a subject: what it imports, and what looks at its state. Made from
// what the subject declares, so they work for any module, and the same binaries run in wabt. Texts.

#include <cstdint>
#include <string>

#include "compiler/base/status.h"
#include "compiler/wasm/module.h"

namespace wb::fuzz {

inline constexpr std::string_view kMemoryExport = "memory";      // of the world
inline constexpr std::string_view kDigestExport = "(digest)";    // () -> i64, of a whole memory
inline constexpr std::string_view kGlobalsExport = "(globals)";  // () -> i64 for each half
inline constexpr std::string_view kSeenExport = "(seen)";        // () -> i64, of all arguments
std::string DigestExport(size_t memory);  // "(digest 3)": by number of the export
std::string TableExport(size_t table);    // "(table 0)": () -> i64

// A memory for all subjects of a batch, and its digest.
std::string WorldText(uint32_t min_pages, uint32_t max_pages);

// The functions that a subject imports: each remembers its arguments and gives zeros. Empty where
// it imports none. WASM_UNSUPPORTED_FEATURE for imports of other kinds, but for a memory.
Result<std::string> SupportText(const Module& subject);

// What a subject exports under any names, read: its memories, unless they are the world's, its
// mutable globals, and those of its tables that operators of its own change. Imports from
// "subject".
struct Observer {
  std::string text;  // empty: there is nothing to see
  bool globals = false;
  std::vector<size_t> memories, tables;  // numbers of exports
};
Observer ObserverOf(const Module& subject);

}  // namespace wb::fuzz
