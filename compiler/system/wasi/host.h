#pragma once

// What the system layer stands on: primitives (module `wasmburst`) over its own memory, and the
// bridge to the guest's memory. Every call of a primitive leaves to the kernel's outer loop, so the
// layer makes as few as it can; the bridge is native code.

#include "compiler/system/wasi/abi.h"

#ifdef __wasm__
#define WB_IMPORT(from, name) __attribute__((import_module(#from), import_name(#name)))
#else
#define WB_IMPORT(from, name)
#endif

// An address in the guest's memory.
typedef uint32_t Guest;

// The most that one call of a primitive moves.
enum { kMostMoved = 65536 };

WB_IMPORT(wasmburst, input_size) int64_t InputSize(uint32_t input);
WB_IMPORT(wasmburst, input_read)
uint32_t InputRead(uint32_t input, uint64_t offset, void* to, uint32_t bytes);
WB_IMPORT(wasmburst, output_write)
uint32_t OutputWrite(uint32_t stream, const void* from, uint32_t bytes);
WB_IMPORT(wasmburst, instance) uint64_t InstanceNumber(void);
WB_IMPORT(wasmburst, fuel_used) uint64_t FuelUsed(void);
WB_IMPORT(wasmburst, exit) void ExitInstance(uint32_t code);

// These trap where an address is not in the guest's memory; the layer asks GuestHas first.
WB_IMPORT(bridge, guest_pages) uint32_t GuestPages(void);
WB_IMPORT(bridge, guest_load8) uint32_t GuestLoad8(Guest at);
WB_IMPORT(bridge, guest_load16) uint32_t GuestLoad16(Guest at);
WB_IMPORT(bridge, guest_load32) uint32_t GuestLoad32(Guest at);
WB_IMPORT(bridge, guest_load64) uint64_t GuestLoad64(Guest at);
WB_IMPORT(bridge, guest_store8) void GuestStore8(Guest at, uint32_t value);
WB_IMPORT(bridge, guest_store16) void GuestStore16(Guest at, uint32_t value);
WB_IMPORT(bridge, guest_store32) void GuestStore32(Guest at, uint32_t value);
WB_IMPORT(bridge, guest_store64) void GuestStore64(Guest at, uint64_t value);
WB_IMPORT(bridge, guest_to_system) void GuestToSystem(void* to, Guest from, uint32_t bytes);
WB_IMPORT(bridge, system_to_guest) void SystemToGuest(Guest to, const void* from, uint32_t bytes);
WB_IMPORT(bridge, guest_zero) void GuestZero(Guest at, uint32_t bytes);
WB_IMPORT(bridge, guest_input_read)
uint32_t GuestInputRead(uint32_t input, uint64_t offset, Guest to, uint32_t bytes);
WB_IMPORT(bridge, guest_output_write)
uint32_t GuestOutputWrite(uint32_t stream, Guest from, uint32_t bytes);

// More of the layer's own memory: at least `bytes`, a multiple of 16; `given` says how many. Null:
// there is none left. (memory.grow; in native tests an array.)
uint8_t* MoreMemory(size_t bytes, size_t* given);
