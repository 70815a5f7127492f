// poll_oneoff: files and streams are ready at once, and a wait for a clock moves the virtual time.

#include "compiler/system/wasi/calls.h"
#include "compiler/system/wasi/layer.h"
#include "compiler/system/wasi/stat.h"

// Of a subscription to a clock: snapshot 0 has a second number of the user before these.
typedef struct {
  uint32_t bytes;  // of the record
  uint32_t clock;  // its number
  uint32_t timeout, flags;
} Format;

static const Format kFormat = {SUBSCRIPTION_BYTES, 16, 24, 40};
static const Format kUnstable = {UNSTABLE_SUBSCRIPTION_BYTES, 24, 32, 48};

typedef struct {
  uint64_t user;
  uint8_t type;
  I32 id;          // of the clock or the descriptor
  uint64_t waits;  // nanoseconds from now; 0 for descriptors
  Errno error;
} Subscription;

static void ReadClockWait(Guest at, const Format* format, Subscription* subscription) {
  const uint64_t timeout = GuestLoad64(at + format->timeout);
  uint64_t now = 0;
  subscription->id = GuestLoad32(at + format->clock);
  if (subscription->id >= CLOCK_COUNT) {
    subscription->error = E_INVAL;
  } else if (!(GuestLoad16(at + format->flags) & CLOCK_ABSOLUTE)) {
    subscription->waits = timeout;
  } else if (ReadClock(subscription->id, &now) && timeout > now) {
    subscription->waits = timeout - now;
  }
}

static Subscription SubscriptionAt(Guest at, const Format* format) {
  Subscription subscription = {GuestLoad64(at), (uint8_t)GuestLoad8(at + 8), GuestLoad32(at + 16),
                               0, E_OK};
  if (subscription.type == EVENT_CLOCK) {
    ReadClockWait(at, format, &subscription);
  } else if (subscription.type <= EVENT_FD_WRITE) {
    Descriptor* descriptor = NULL;
    subscription.error = FindDescriptor(subscription.id, RIGHT_POLL_FD_READWRITE, 0, &descriptor);
  } else {
    subscription.error = E_INVAL;
  }
  return subscription;
}

static void StoreEvent(Guest to, const Subscription* subscription) {
  GuestZero(to, EVENT_BYTES);
  GuestStore64(to, subscription->user);
  GuestStore16(to + 8, subscription->error);
  GuestStore8(to + 10, subscription->type);
  Descriptor* descriptor = NULL;
  const bool reads = subscription->type == EVENT_FD_READ && subscription->error == E_OK;
  if (!reads || FindDescriptor(subscription->id, 0, 0, &descriptor) != E_OK) return;
  if (descriptor->kind != kFile) return;
  const uint64_t bytes = NodeBytes(descriptor->node);
  GuestStore64(to + 16, bytes > descriptor->offset ? bytes - descriptor->offset : 0);
}

static uint64_t ShortestWait(Guest at, I32 count, const Format* format) {
  uint64_t shortest = UINT64_MAX;
  for (I32 i = 0; i < count; ++i) {
    const Subscription subscription = SubscriptionAt(at + i * format->bytes, format);
    if (subscription.waits < shortest) shortest = subscription.waits;
  }
  return shortest;
}

static void Sleep(uint64_t nanoseconds) {
  uint64_t* slept = &layer.clock.slept;
  *slept = nanoseconds > INT64_MAX - *slept ? INT64_MAX : *slept + nanoseconds;
}

// Events may lie where the subscriptions begin: their records are shorter, so none is overwritten
// before it is read.
static Errno Poll(Guest at, Guest to, I32 count, Guest out, const Format* format) {
  const bool has = GuestHas(at, (uint64_t)count * format->bytes) &&
                   GuestHas(to, (uint64_t)count * EVENT_BYTES) && GuestHas(out, 4);
  if (!has) return E_FAULT;
  if (count == 0) return E_INVAL;
  const uint64_t wait = ShortestWait(at, count, format);
  I32 events = 0;
  for (I32 i = 0; i < count; ++i) {
    const Subscription subscription = SubscriptionAt(at + i * format->bytes, format);
    if (subscription.waits > wait) continue;
    StoreEvent(to + events++ * EVENT_BYTES, &subscription);
  }
  Sleep(wait);
  GuestStore32(out, events);
  return E_OK;
}

I32 wasi_poll_oneoff(I32 at, I32 to, I32 count, I32 out) {
  return Poll(at, to, count, out, &kFormat);
}

I32 wasi_unstable_poll_oneoff(I32 at, I32 to, I32 count, I32 out) {
  return Poll(at, to, count, out, &kUnstable);
}
