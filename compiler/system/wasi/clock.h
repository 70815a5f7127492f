#pragma once

// Virtual time: an instruction takes a nanosecond, and sleeping takes what was asked for. So the
// clocks read the same on every run and engine.

#include "compiler/system/wasi/tree.h"

typedef struct {
  uint64_t slept;         // nanoseconds
  bool has_key;           // of random numbers
  uint64_t key, numbers;  // and how many were taken
} Clock;

uint64_t TimeSinceStart(void);  // nanoseconds
uint64_t TimeOfDay(void);       // nanoseconds since 1970
// Of a clock by its number; false: there is no such clock.
bool ReadClock(I32 clock, uint64_t* time);
// Fills in the time of the node's last change. Asking for the time at every write would leave to
// the outer loop at every write.
void SettleTimes(Node* node);
