#pragma once

// What the system layer exports: every call of wasi.def under its own name, those of
// wasi_unstable.def as unstable_NAME, and `finish`.

#include "compiler/system/wasi/abi.h"

#ifdef __wasm__
#define WB_EXPORT(name) __attribute__((export_name(#name)))
#else
#define WB_EXPORT(name)
#endif

#define NOTHING void
#define WB_WASI(name, result, params) WB_EXPORT(name) result wasi_##name params;
#include "compiler/system/wasi.def"
#undef WB_WASI
#define WB_WASI(name, result, params) WB_EXPORT(unstable_##name) result wasi_unstable_##name params;
#include "compiler/system/wasi_unstable.def"
#undef WB_WASI
#undef NOTHING

// Delivers the output files that the configuration names. For after `_start`; proc_exit does it
// itself. Only the first call has an effect.
WB_EXPORT(finish) void Finish(void);
