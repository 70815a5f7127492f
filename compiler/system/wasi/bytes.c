#include "compiler/system/wasi/bytes.h"

bool BytesEqual(const void* a, const void* b, size_t bytes) {
  const uint8_t *left = a, *right = b;
  for (size_t i = 0; i < bytes; ++i) {
    if (left[i] != right[i]) return false;
  }
  return true;
}

int CompareNames(const char* a, size_t a_bytes, const char* b, size_t b_bytes) {
  const size_t shorter = a_bytes < b_bytes ? a_bytes : b_bytes;
  for (size_t i = 0; i < shorter; ++i) {
    const int difference = (uint8_t)a[i] - (uint8_t)b[i];
    if (difference != 0) return difference;
  }
  return a_bytes < b_bytes ? -1 : a_bytes > b_bytes;
}
