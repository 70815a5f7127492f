#include "compiler/system/wasi/clock.h"

#include "compiler/system/wasi/calls.h"
#include "compiler/system/wasi/layer.h"

uint64_t TimeSinceStart(void) { return FuelUsed() + layer.clock.slept; }

uint64_t TimeOfDay(void) { return TheConfig()->clock_start + TimeSinceStart(); }

bool ReadClock(I32 clock, uint64_t* time) {
  if (clock >= CLOCK_COUNT) return false;
  *time = clock == CLOCK_REALTIME_ID ? TimeOfDay() : TimeSinceStart();
  return true;
}

void SettleTimes(Node* node) {
  if (!node->time_is_due) return;
  node->time_is_due = false;
  node->accessed = node->modified = TimeOfDay();
}

I32 wasi_clock_res_get(I32 clock, I32 out) {
  if (clock >= CLOCK_COUNT) return E_INVAL;
  if (!GuestHas(out, 8)) return E_FAULT;
  GuestStore64(out, 1);
  return E_OK;
}

I32 wasi_clock_time_get(I32 clock, I64 precision, I32 out) {
  (void)precision;
  uint64_t time = 0;
  if (!GuestHas(out, 8)) return E_FAULT;
  if (!ReadClock(clock, &time)) return E_INVAL;
  GuestStore64(out, time);
  return E_OK;
}
