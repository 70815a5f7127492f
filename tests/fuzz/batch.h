#pragma once

// Several subjects linked to one program, so that one build serves them all. A lane instantiates
// and calls one of them only, so each is as if alone. Pure.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "compiler/compiler.h"
#include "compiler/link/link.h"
#include "tests/fuzz/subject.h"

namespace wb::fuzz {

// How a batch is put together and printed; the same for a subject that is run again alone.
struct Variant {
  uint32_t number = 0;
  // The memory of all subjects is one that they import, so that it is memory 0 as in a job of one
  // module; else each has its own, one behind the other.
  bool shared_memory = true;
  Flattening flattening = Flattening::kMixed;  // for the engines that flatten
  uint32_t copies = 12;                        // of recursive functions
  uint64_t turn = 0;                           // which engines build it in full (fuzzer.h)
};
inline constexpr uint32_t kVariants = 8;
Variant VariantOf(uint64_t batch_number);  // one after the other

// An export of a part that looks at a subject's state.
struct Look {
  uint32_t part = 0;
  std::string function;
};

// Where a subject's parts are, in the order in which they are instantiated.
struct Placed {
  std::vector<uint32_t> parts;
  uint32_t subject = 0;  // the subject's own
  std::vector<Look> looks;
};

struct Batch {
  std::vector<Subject> subjects;
  std::vector<LinkPart> parts;
  std::vector<Placed> places;  // of subjects
  std::shared_ptr<const Module> linked;
  Variant variant;
};

// Pages of a memory at most. A subject that declares more gets one of the world's that is smaller,
// here and in the oracle.
inline constexpr uint32_t kMaxPages = 4;

// WASM_UNSUPPORTED_FEATURE for a subject that needs imports of other kinds than functions.
Result<Batch> MakeBatch(std::vector<Subject> subjects, const Variant& variant);

}  // namespace wb::fuzz
