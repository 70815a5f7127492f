// Large numbers: n! and a Fibonacci number in decimal, by limbs of nine digits.
#include "guest.h"

enum { kLimbs = 80, kBase = 1000000000 };
typedef struct {
  uint32_t limbs[kLimbs];
  uint32_t count;
} Number;

static void set(Number* number, uint32_t value) {
  memset(number, 0, sizeof(*number));
  number->limbs[0] = value;
  number->count = 1;
}

static void push(Number* number, uint64_t carry) {
  for (; carry > 0; carry /= kBase) {
    if (number->count == kLimbs) __builtin_trap();
    number->limbs[number->count++] = (uint32_t)(carry % kBase);
  }
}

static void multiply(Number* number, uint32_t factor) {
  uint64_t carry = 0;
  for (uint32_t i = 0; i < number->count; ++i) {
    carry += (uint64_t)number->limbs[i] * factor;
    number->limbs[i] = (uint32_t)(carry % kBase);
    carry /= kBase;
  }
  push(number, carry);
}

static void add(Number* to, const Number* other) {
  uint32_t carry = 0;
  for (uint32_t i = 0; i < to->count || i < other->count; ++i) {
    uint32_t sum = carry + to->limbs[i] + other->limbs[i];
    to->limbs[i] = sum % kBase;
    carry = sum / kBase;
  }
  if (other->count > to->count) to->count = other->count;
  push(to, carry);
}

static uint32_t remainder(const Number* number, uint32_t divisor) {
  uint64_t rest = 0;
  for (uint32_t i = number->count; i-- > 0;) rest = (rest * kBase + number->limbs[i]) % divisor;
  return (uint32_t)rest;
}

static void print(const Number* number) {
  for (uint32_t i = number->count; i-- > 0;) {
    uint32_t limb = number->limbs[i], power = kBase / 10;
    if (i + 1 == number->count) {
      out_decimal(limb);
      continue;
    }
    for (; power > 0; power /= 10) out_byte('0' + limb / power % 10);
  }
  out_byte('\n');
}

static Number product, a, b;

EXPORT(run) uint32_t run(uint32_t seed) {
  uint32_t n = 20 + seed % 250;
  set(&product, 1);
  for (uint32_t i = 2; i <= n; ++i) multiply(&product, i);
  print(&product);
  out_decimal(remainder(&product, 1000003 + seed));
  out_byte('\n');
  set(&a, 0);
  set(&b, 1);
  for (uint32_t i = 0; i < n * 4; i += 2) {
    add(&a, &b);
    add(&b, &a);
  }
  print(&a);
  out_decimal(remainder(&b, 999983));
  return guest_output_size;
}
