#pragma once

// The runtime text as C++ in namespace wb::kernel_text. Built once per layout: the build defines
// WB_TEST_INTERLEAVED as 0 or 1, and WB_TEST_TILED as 1 for the tiled one. Include after all
// standard headers. The constants are those of a module with a stage of 4 words, 4 global words and
// 64 frame words.

#include <metal_stdlib>

#include "compiler/abi/lane.h"

namespace wb {
namespace kernel_text {

#ifdef WB_TEST_MEETS  // a stage of 8 words; lanes run in step
constant uint WB_GLOBALS_AT = abi::LANE_STAGE + 8u;
constant uint WB_GROUP_AT = WB_GLOBALS_AT + 2u;  // behind two globals of the module
constant uint WB_FRAMES_AT = WB_GLOBALS_AT + 8u;
constant uint WB_LOCKSTEP = 1u;
#else
constant uint WB_GLOBALS_AT = abi::LANE_STAGE + 4u;
constant uint WB_GROUP_AT = 0u;
constant uint WB_FRAMES_AT = WB_GLOBALS_AT + 4u;
constant uint WB_LOCKSTEP = 0u;
#endif
constant uint WB_MEMORY_AT = 1024u;
constant uint WB_WINDOWED = 0u;
constant uint WB_PRIMITIVES = WB_LOCKSTEP;
constant uint WB_COLLECTIVES = WB_LOCKSTEP;
constant uint WB_GROUP_MEMORY_AT = 0u;

#define WB_AS_CPP_GROUP_MEMORY
#if WB_TEST_TILED
#define WB_AS_CPP_TILED
#elif WB_TEST_INTERLEAVED
#define WB_AS_CPP_INTERLEAVED
#endif
#include "compiler/runtime/as_cpp.inc"

}  // namespace kernel_text
}  // namespace wb
