// ---- output: how bytes of memory reach the output part of an instance's record. Where a module has
// primitives they come in frames (FRAME_* in compiler/abi/lane.def).

// `n` bytes of a memory to the record from its output byte `to` on.
static inline void wb_append(WbSeat S, wb_mem M, uint output_at, uint to, uint from, uint n) {
  uint i = 0u;
  while (i != n) {
    uint w = output_at + ((to + i) >> 2u);
    uint shift = ((to + i) & 3u) * 8u;
    if (shift == 0u && n - i >= 4u) {
      S.record[w] = wb_peek32(M, (ulong)from + (ulong)i);
      i = i + 4u;
    } else {
      uint kept = shift == 0u ? 0u : S.record[w] & ~(0xffffffffu << shift);
      S.record[w] = kept | (wb_peek8(M, (ulong)from + (ulong)i) << shift);
      i = i + 1u;
    }
  }
}

// Where the next bytes of a stream go: behind the last frame where that is of the stream, else behind
// the first word of a new one. `header` is that word, at output byte `frame`.
struct WbFrame {
  uint frame;
  uint header;
  uint at;
};

static inline WbFrame wb_frame(WbSeat S, uint stream, uint n, constant WbParams &P) {
  WbFrame F;
  F.at = wb_get(S.lane, WB_LANE_OUT_BYTES);
  F.frame = wb_get(S.lane, WB_LANE_OUT_FRAME) - 1u;
  F.header = 0u;
  bool goes_on = F.frame != WB_NONE && stream != WB_STREAM_OF_STEPS;
  if (goes_on) {
    F.header = S.record[P.output_at + (F.frame >> 2u)];
    goes_on = (F.header & WB_FRAME_STREAM) == stream &&
              (F.header >> WB_FRAME_BYTES_SHIFT) + n <= WB_MOST_FRAME_BYTES;
  }
  if (!goes_on) {
    F.frame = (F.at + 3u) & ~3u;
    F.header = stream;
    F.at = F.frame + 4u;
  }
  return F;
}

// `n` bytes of a memory, at most WB_MOST_FRAME_BYTES, to a stream; none make its frame alone. How many
// the output had room for, WB_NONE if not even for the frame's first word.
static inline uint wb_output(WbSeat S, wb_mem M, uint stream, uint from, uint n,
                             constant WbParams &P) {
  WbFrame F = wb_frame(S, stream, n, P);
  uint fits = WB_NONE;
  if (F.at <= P.output_bytes) {
    fits = P.output_bytes - F.at < n ? P.output_bytes - F.at : n;
    wb_append(S, M, P.output_at, F.at, from, fits);
    S.record[P.output_at + (F.frame >> 2u)] = F.header + (fits << WB_FRAME_BYTES_SHIFT);
    wb_put(S.lane, WB_LANE_OUT_FRAME, F.frame + 1u);
    wb_put(S.lane, WB_LANE_OUT_BYTES, F.at + fits);
  }
  return fits;
}

// `n` bytes of an input buffer from its byte `from` on, to memory.
static inline void wb_from_input(const device uint *input, wb_mem M, uint d, ulong from, uint n) {
  const device uint *words = input + (from >> 2u);
  uint first = (uint)from & 3u;
  uint shift = first * 8u;
  uint i = 0u;
  while (n - i >= 4u) {
    uint w = i >> 2u;
    uint value = words[w];
    if (shift != 0u) {
      value = (value >> shift) | (words[w + 1u] << (32u - shift));
    }
    wb_poke32(M, (ulong)d + (ulong)i, value);
    i = i + 4u;
  }
  while (i != n) {
    uint b = first + i;
    wb_poke8(M, (ulong)d + (ulong)i, words[b >> 2u] >> ((b & 3u) * 8u));
    i = i + 1u;
  }
}

