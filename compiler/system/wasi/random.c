// random_get: numbers counted from 0 through a mixing function, under a key of the job's seed and
// the instance's number, or one that the job gives it. So an instance draws the same on every run
// and engine.

#include "compiler/system/wasi/calls.h"
#include "compiler/system/wasi/layer.h"

static const uint64_t kStep = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio, odd

// A bijection in which every bit depends on every bit (SplitMix64, public domain).
static uint64_t Mix(uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

// The instance's, unless the job gives another one.
static uint64_t DrawNumber(void) {
  uint64_t number = 0;
  if ((TheConfig()->flags & kDrawNumbers) == 0) return InstanceNumber();
  InputRead(InputOfDrawNumber(), 0, &number, sizeof(number));  // little-endian, as the machine
  return number;
}

static uint64_t NextNumber(void) {
  Clock* state = &layer.clock;
  if (!state->has_key) {
    state->has_key = true;
    // Instance i of a job with seed s is as instance 0 of one with s + i * kStep: a run that is
    // cut into jobs has the numbers of one that is not.
    state->key = Mix(TheConfig()->seed + (DrawNumber() + 1) * kStep);
  }
  return Mix(state->key + ++state->numbers * kStep);
}

I32 wasi_random_get(I32 to, I32 bytes) {
  if (!GuestHas(to, bytes)) return E_FAULT;
  for (; bytes >= 8; bytes -= 8, to += 8) GuestStore64(to, NextNumber());
  if (bytes == 0) return E_OK;
  uint64_t rest = NextNumber();
  for (; bytes > 0; --bytes, ++to, rest >>= 8) GuestStore8(to, (uint32_t)(rest & 0xff));
  return E_OK;
}
