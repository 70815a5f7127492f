#pragma once

#include "compiler/system/wasi/abi.h"

bool BytesEqual(const void* a, const void* b, size_t bytes);
// Below, at or above zero: the order of names in a file set.
int CompareNames(const char* a, size_t a_bytes, const char* b, size_t b_bytes);
