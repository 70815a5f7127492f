// ---- output: how bytes of memory reach the output part of an instance's record. Where a module has
// primitives they come in frames (FRAME_* in compiler/abi/lane.def).

// Bytes that go to the output: those of a memory, or those of the lane's words from `words` on if that
// is not 0.
struct WbSource {
  wb_mem memory;
  uint words;
};
static inline WbSource wb_source(wb_mem M, uint words) {
  WbSource from;
  from.memory = M;
  from.words = words;
  return from;
}
// The word with byte `at` as its lowest one: of a lane's words, the bytes of one of them alone.
static inline uint wb_source_word(WbSeat S, WbSource B, uint at) {
  if (B.words != 0u) {
    return wb_get(S.lane, B.words + (at >> 2u)) >> ((at & 3u) * 8u);
  }
  return wb_peek32(B.memory, (ulong)at);
}
static inline uint wb_source_byte(WbSeat S, WbSource B, uint at) {
  return B.words != 0u ? wb_source_word(S, B, at) & 0xffu : wb_peek8(B.memory, (ulong)at);
}

// `n` bytes to the record from its output byte `to` on.
static __attribute__((noinline))
void wb_append(WbSeat S, WbSource B, uint output_at, uint to, uint from, uint n) {
  uint i = 0u;
  #pragma unroll 1
  while (i != n) {
    uint w = output_at + ((to + i) >> 2u);
    uint shift = ((to + i) & 3u) * 8u;
    bool whole = B.words == 0u || ((from + i) & 3u) == 0u;
    if (shift == 0u && n - i >= 4u && whole) {
      S.record[w] = wb_source_word(S, B, from + i);
      i = i + 4u;
    } else {
      uint kept = shift == 0u ? 0u : S.record[w] & ~(0xffffffffu << shift);
      S.record[w] = kept | (wb_source_byte(S, B, from + i) << shift);
      i = i + 1u;
    }
  }
}

// The output part may be smaller than the limit of the output. What does not fit waits: the write
// ends WB_OUTPUT_WAITS, the host takes the part's bytes between two launches, and the same write is
// made again. WB_LANE_OUT_DONE says how much of it was done before. The limit counts as if nothing
// were ever taken.

static inline uint wb_lesser(uint a, uint b) { return a < b ? a : b; }

// How much of a write of `n` bytes was done before it waited.
static inline uint wb_done(WbSeat S, uint n) { return wb_lesser(wb_get(S.lane, WB_LANE_OUT_DONE), n); }

// The write has come so far, and the output and its part have so many bytes. WB_LEFT, or
// WB_OUTPUT_WAITS where it is to go on.
static inline uint wb_note_output(WbSeat S, uint bytes, uint held, uint done, bool waits) {
  wb_put(S.lane, WB_LANE_OUT_BYTES, bytes);
  wb_put(S.lane, WB_LANE_OUT_DONE, waits ? done : 0u);
  S.record[WB_RECORD_OUT_BYTES] = held;
  return waits ? WB_OUTPUT_WAITS : WB_LEFT;
}

// `n` bytes of memory to an output without frames: all of them, or none where they are too many.
// WB_LEFT, WB_OUTPUT_WAITS or WB_OUTPUT_FULL.
static inline uint wb_output_plain(WbSeat S, uint from, uint n, constant WbParams &P) {
  uint done = wb_done(S, n);
  uint bytes = wb_get(S.lane, WB_LANE_OUT_BYTES);
  if ((ulong)(bytes - done) + (ulong)n > (ulong)P.output_bytes) {
    return WB_OUTPUT_FULL;
  }
  uint held = S.record[WB_RECORD_OUT_BYTES];
  uint fits = held < P.output_buffer ? wb_lesser(P.output_buffer - held, n - done) : 0u;
  wb_append(S, wb_source(wb_memory(S.lane), 0u), P.output_at, held, from + done, fits);
  return wb_note_output(S, bytes + fits, held + fits, done + fits, fits != n - done);
}

// Where the next bytes of a stream go: behind the last frame where that is of the stream, else behind
// the first word of a new one.
struct WbFrame {
  uint first;   // byte of the output part where the frame's first word lies
  uint word;    // what it is before these bytes
  uint at;      // byte of the part where they go
  uint header;  // as WB_LANE_OUT_HEADER, before these bytes
  uint bytes;   // of the output before them
};

// Bytes that go on with a frame that the host has taken have a first word that says so.
static inline WbFrame wb_frame(WbSeat S, uint stream, uint n, uint done, constant WbParams &P) {
  uint held = S.record[WB_RECORD_OUT_BYTES];
  WbFrame F;
  F.first = wb_get(S.lane, WB_LANE_OUT_FRAME);
  F.word = WB_STREAM_GOES_ON;
  F.at = held;
  F.header = wb_get(S.lane, WB_LANE_OUT_HEADER);
  F.bytes = wb_get(S.lane, WB_LANE_OUT_BYTES);
  bool goes_on = done != 0u;
  if (!goes_on && stream != WB_STREAM_OF_STEPS) {
    goes_on = (F.header & WB_FRAME_STREAM) == stream &&
              (F.header >> WB_FRAME_BYTES_SHIFT) + n <= WB_MOST_FRAME_BYTES;
  }
  if (!goes_on) {
    F.word = stream;
    F.header = stream;
    F.bytes = ((F.bytes + 3u) & ~3u) + 4u;
  }
  if (goes_on && held != 0u) {
    F.word = S.record[P.output_at + (F.first >> 2u)];
  } else {
    F.first = (held + 3u) & ~3u;
    F.at = F.first + 4u;
  }
  return F;
}

// `n` bytes, at most WB_MOST_FRAME_BYTES, to a stream; none make its frame alone.
// WB_LEFT, WB_OUTPUT_WAITS, or WB_OUTPUT_FULL where the limit has no room for all: what it has room
// for is there.
static inline uint wb_output(WbSeat S, WbSource B, uint stream, uint from, uint n,
                             constant WbParams &P) {
  uint done = wb_done(S, n);
  WbFrame F = wb_frame(S, stream, n, done, P);
  if (F.bytes > P.output_bytes) {
    return WB_OUTPUT_FULL;
  }
  uint allowed = wb_lesser(P.output_bytes - F.bytes, n - done);
  uint fits = F.at < P.output_buffer ? wb_lesser(P.output_buffer - F.at, allowed) : 0u;
  bool begins = fits != 0u || (allowed == 0u && F.at <= P.output_buffer);
  uint w = WB_OUTPUT_WAITS;
  if (begins) {
    wb_append(S, B, P.output_at, F.at, from + done, fits);
    S.record[P.output_at + (F.first >> 2u)] = F.word + (fits << WB_FRAME_BYTES_SHIFT);
    wb_put(S.lane, WB_LANE_OUT_FRAME, F.first);
    wb_put(S.lane, WB_LANE_OUT_HEADER, F.header + (fits << WB_FRAME_BYTES_SHIFT));
    w = wb_note_output(S, F.bytes + fits, F.at + fits, done + fits, fits != allowed);
  }
  return w == WB_LEFT && allowed != n - done ? WB_OUTPUT_FULL : w;
}

// `n` bytes of an input buffer from its byte `from` on, to memory.
static __attribute__((noinline))
void wb_from_input(const device uint *input, wb_mem M, uint d, ulong from, uint n) {
  const device uint *words = input + (from >> 2u);
  uint first = (uint)from & 3u;
  uint shift = first * 8u;
  uint i = 0u;
  #pragma unroll 1
  while (n - i >= 4u) {
    uint w = i >> 2u;
    uint value = words[w];
    if (shift != 0u) {
      value = (value >> shift) | (words[w + 1u] << (32u - shift));
    }
    wb_poke32(M, (ulong)d + (ulong)i, value);
    i = i + 4u;
  }
  #pragma unroll 1
  while (i != n) {
    uint b = first + i;
    wb_poke8(M, (ulong)d + (ulong)i, words[b >> 2u] >> ((b & 3u) * 8u));
    i = i + 1u;
  }
}

