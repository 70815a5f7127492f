// Function pointers: a table of operations, and a state machine whose states name their successor.
#include "guest.h"

static uint32_t add(uint32_t a, uint32_t b) { return a + b; }
static uint32_t subtract(uint32_t a, uint32_t b) { return a - b; }
static uint32_t multiply(uint32_t a, uint32_t b) { return a * b; }
static uint32_t divide(uint32_t a, uint32_t b) { return b == 0 ? ~0u : a / b; }
static uint32_t shift(uint32_t a, uint32_t b) { return a << (b & 31) | a >> (31 - (b & 31)); }
static uint32_t mix(uint32_t a, uint32_t b) {
  for (int i = 0; i < 8; ++i) a = (a ^ b) * 16777619u;
  return a;
}
static uint32_t largest(uint32_t a, uint32_t b) { return a > b ? a : b; }
static uint32_t gcd(uint32_t a, uint32_t b) {
  while (b != 0) {
    uint32_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

typedef uint32_t (*Operation)(uint32_t, uint32_t);
static const Operation operations[] = {add, subtract, multiply, divide, shift, mix, largest, gcd};
static double half(double x) { return x / 2; }
static double twice(double x) { return x + x + 1; }
static double (*const scale[])(double) = {half, twice};

typedef struct Machine Machine;
typedef void (*State)(Machine*, uint32_t);
struct Machine {
  State state;
  uint32_t words, numbers, sum, digits;
};

static void between(Machine* m, uint32_t c);
static void word(Machine* m, uint32_t c);
static void number(Machine* m, uint32_t c);

static int is_digit(uint32_t c) { return c >= '0' && c <= '9'; }

static void between(Machine* m, uint32_t c) {
  if (is_digit(c)) {
    ++m->numbers;
    m->digits = c - '0';
    m->state = number;
  } else if (c >= 'a') {
    ++m->words;
    m->state = word;
  }
}
static void word(Machine* m, uint32_t c) {
  if (c < 'a' && !is_digit(c)) m->state = between;
}
static void number(Machine* m, uint32_t c) {
  if (is_digit(c)) {
    m->digits = m->digits * 10 + c - '0';
    return;
  }
  m->sum += m->digits;
  m->state = between;
  m->state(m, c);
}

// A pointer that crosses memory and is changed at run time.
static Operation chosen[16];

EXPORT(run) uint32_t run(uint32_t seed) {
  seed_random(seed);
  uint32_t value = seed;
  for (int i = 0; i < 16; ++i) chosen[i] = operations[next_random() % 8];
  for (int i = 0; i < 2000; ++i) {
    value = chosen[next_random() % 16](value, next_random() >> (i % 32));
    if (i % 100 == 0) chosen[i % 16] = operations[value % 8];
  }
  out_u32(value);
  double x = 1;
  for (int i = 0; i < 64; ++i) x = scale[next_random() & 1](x);
  uint64_t bits;
  memcpy(&bits, &x, 8);
  out_u64(bits);
  Machine machine = {between, 0, 0, 0, 0};
  for (int i = 0; i < 3000; ++i) {
    machine.state(&machine, (uint8_t) " .0123456789abcxyz"[next_random() % 18]);
  }
  out_u32(machine.words);
  out_u32(machine.numbers);
  out_u32(machine.sum);
  return guest_output_size;
}
