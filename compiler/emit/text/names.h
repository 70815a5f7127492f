#pragma once

// How types, values and functions are spelled in kernel text. Nothing of a module's own names ever
// reaches the text.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/abi/lane.h"
#include "compiler/wasm/opcode.h"

namespace wb {

std::string_view TypeText(ValueType type);  // "uint", "ulong", "wb_f32", "wb_v128"...
std::string LiteralText(ValueType type,
                        uint64_t bits);     // "5u", "5ul", "wb_f64_const(5ul)"; v128: zero
std::string VectorText(const V128& words);  // "wb_v128_const(1u, 0u, 0u, 0u)"
std::string Hex(uint32_t value);            // "0x40000001u"
// "wf_3"; "wf_3_2" is its copy 2 (NativeCalls).
std::string FunctionText(uint32_t index, uint32_t copy);
std::string DataText(uint32_t segment);      // "wd_3": the array of a data segment
std::string ElementsText(uint32_t segment);  // "we_3": of an element segment
// "wl_1088_160": of so many words of the data that memory 0 begins with, from an address on
std::string LoopDataText(uint32_t address, uint32_t words);
std::string TableText(uint32_t table);  // "wt_3": callee numbers of a constant table
inline constexpr std::string_view kNumbersText = "wn";  // callee numbers by function
inline constexpr std::string_view kSlotsText = "ws";    // stack slots by callee number
// The struct a function with these results returns: "WbR_" and a letter per result.
std::string ReturnText(const std::vector<ValueType>& results);
// "wb_get64(L, 5u)"; `from`: the lane, or a frame of it ("F").
std::string GetText(ValueType type, const std::string& word, std::string_view from = "L");
std::string PutText(ValueType type, const std::string& word, const std::string& value,
                    std::string_view to = "L");
// "wb_f64_canon(value)": the canonical NaN for any NaN.
std::string CanonText(ValueType type, const std::string& value);

// "fuel = fuel - 5u;"
std::string PayText(const std::string& amount);

// Why a function ends with this trap at this byte offset of the module (WHY_TRAP in abi/lane.def).
uint32_t TrapWhy(Trap trap, uint32_t offset);
// "wb_exhausted(L, 0x9800014cu)": why it ends where too few slots are left for a call there.
std::string ExhaustedText(uint32_t offset);

}  // namespace wb
