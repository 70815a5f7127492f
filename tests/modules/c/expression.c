// A calculator: expressions of integers with + - * / % ( ), unary minus, powers and variables.
// A division by zero is left to the machine: it traps.
#include "guest.h"

static uint8_t text[kInputBytes];
static uint32_t at, size, bad;
static int64_t variables[26];

EXPORT(input) uint8_t* input(void) { return text; }

static int64_t expression(void);

static uint32_t peek(void) {
  while (at < size && text[at] == ' ') ++at;
  return at < size ? text[at] : 0;
}
static uint32_t accept(uint32_t c) {
  if (peek() != c) return 0;
  ++at;
  return 1;
}

static int64_t primary(void) {
  uint32_t c = peek();
  if (c == '(') {
    ++at;
    int64_t value = expression();
    if (!accept(')')) bad = 1;
    return value;
  }
  if (c == '-') {
    ++at;
    return -primary();
  }
  if (c >= 'a' && c <= 'z') {
    ++at;
    return variables[c - 'a'];
  }
  if (c < '0' || c > '9') {
    bad = 1;
    return 0;
  }
  int64_t value = 0;
  for (; at < size && text[at] >= '0' && text[at] <= '9'; ++at) value = value * 10 + text[at] - '0';
  return value;
}

// Right-associative: the exponent is a power itself.
static int64_t power(void) {
  int64_t base = primary();
  if (!accept('^')) return base;
  uint64_t exponent = (uint64_t)power();
  uint64_t result = 1, square = (uint64_t)base;
  for (exponent &= 63; exponent > 0; exponent >>= 1, square *= square) {
    if (exponent & 1) result *= square;
  }
  return (int64_t)result;
}

static int64_t term(void) {
  int64_t value = power();
  for (;;) {
    if (accept('*')) {
      value = (int64_t)((uint64_t)value * (uint64_t)power());
    } else if (accept('/')) {
      value /= power();
    } else if (accept('%')) {
      value %= power();
    } else {
      return value;
    }
  }
}

static int64_t expression(void) {
  int64_t value = term();
  for (;;) {
    if (accept('+')) {
      value = (int64_t)((uint64_t)value + (uint64_t)term());
    } else if (accept('-')) {
      value = (int64_t)((uint64_t)value - (uint64_t)term());
    } else {
      return value;
    }
  }
}

// Statements `x = expression;`; the value of each is printed.
EXPORT(run) int64_t run(uint32_t length) {
  size = length < kInputBytes ? length : kInputBytes;
  int64_t value = 0;
  while (peek() != 0 && !bad) {
    uint32_t name = peek();
    ++at;
    if (name < 'a' || name > 'z' || !accept('=')) {
      bad = 1;
      break;
    }
    value = expression();
    variables[name - 'a'] = value;
    out_decimal(value);
    out_byte('\n');
    if (!accept(';')) bad = 1;
  }
  if (bad) out_text("error");
  return value;
}

EXPORT(output_size) uint32_t output_size(void) { return guest_output_size; }
