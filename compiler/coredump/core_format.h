#pragma once

// Numbers of core files, which writer and reader share.

#include <cstdint>

namespace wb {

inline constexpr uint8_t kCoreMagic[] = {0, 'a', 's', 'm', 1, 0, 0, 0};

enum class CoreSection : uint8_t { kCustom = 0, kMemory = 5, kGlobal = 6, kData = 11 };

inline constexpr const char* kCoreName = "core";
inline constexpr const char* kCoreModulesName = "coremodules";
inline constexpr const char* kCoreInstancesName = "coreinstances";
inline constexpr const char* kCoreStackName = "corestack";
inline constexpr const char* kCoreFactsName = "wasmburst";

inline constexpr uint8_t kMissingValue = 0x01;
inline constexpr uint8_t kTypeI32 = 0x7f;
inline constexpr uint8_t kTypeI64 = 0x7e;
inline constexpr uint8_t kTypeF32 = 0x7d;
inline constexpr uint8_t kTypeF64 = 0x7c;
inline constexpr uint8_t kTypeV128 = 0x7b;
inline constexpr uint8_t kTypeFuncRef = 0x70;
inline constexpr uint8_t kTypeExternRef = 0x6f;

// Operators of constant expressions.
inline constexpr uint8_t kOpI32Const = 0x41;
inline constexpr uint8_t kOpI64Const = 0x42;
inline constexpr uint8_t kOpF32Const = 0x43;
inline constexpr uint8_t kOpF64Const = 0x44;
inline constexpr uint8_t kOpRefNull = 0xd0;
inline constexpr uint8_t kOpVector = 0xfd;
inline constexpr uint8_t kOpV128Const = 0x0c;
inline constexpr uint8_t kOpEnd = 0x0b;

inline constexpr uint32_t kMostCorePages = 65536;
inline constexpr uint64_t kCorePageBytes = 65536;

}  // namespace wb
