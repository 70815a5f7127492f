// ---- lane program: what an instance does, step by step, as words (STEP_* and OPERAND_* in
// compiler/abi/lane.def).

// Two words of an operand before its loads: its low half (the addend is added to it) or its high
// half.
static inline ulong wb_operand_half(WbSeat S, uint at, uint half_index) {
  uint source = S.program[at + WB_OPERAND_SOURCE];
  uint word = S.program[at + WB_OPERAND_AT] + 2u * half_index;
  uint value_at = at + WB_OPERAND_VALUE + 2u * half_index;
  bool two = S.program[at + WB_OPERAND_SIZE] > 1u;
  ulong value = wb_join(S.program[value_at], S.program[value_at + 1u]);
  if (source == WB_OPERAND_COLUMN) {
    ulong step = (ulong)S.seats;
    ulong from = (ulong)word * step + (ulong)S.seat;
    value = value + wb_join(S.columns[from], two ? S.columns[from + step] : 0u);
  } else if (source == WB_OPERAND_REGISTER) {
    uint from = WB_RECORD_REGISTERS + word;
    value = value + wb_join(S.record[from], two ? S.record[from + 1u] : 0u);
  } else if (source == WB_OPERAND_GLOBAL) {
    uint from = WB_GLOBALS_AT + word;
    value = value + wb_join(wb_get(S.lane, from), two ? wb_get(S.lane, from + 1u) : 0u);
  }
  return value;
}

// An operand of one word. `outside`: one of its loads was out of bounds, and there is no value.
struct WbWord {
  uint value;
  bool outside;
};

static __attribute__((noinline)) WbWord wb_operand_word(WbSeat S, uint at) {
  ulong bytes = wb_memory_bytes(S.lane);
  ulong low = wb_window_low(S.lane);
  uint loads = S.program[at + WB_OPERAND_LOADS];
  WbWord W;
  W.value = (uint)wb_operand_half(S, at, 0u);
  W.outside = false;
  #pragma unroll 1
  for (uint i = 0u; i < loads; i += 1u) {
    W.outside = W.outside || wb_misses(S.lane, bytes, low, W.value, 4ul);
    if (!W.outside) {
      uint added = S.program[at + WB_OPERAND_VALUE + 1u + i];
      W.value = wb_peek32(wb_memory(S.lane), (ulong)W.value) + added;
    }
  }
  return W;
}

// Operand i of a step that takes addresses and lengths.
static inline WbWord wb_operand(WbSeat S, uint step, uint i) {
  return wb_operand_word(S, S.program[step + WB_STEP_OPERANDS] + i * WB_OPERAND_WORDS);
}

// The step does not fit the first memory, or what the lane holds of it.
static inline bool wb_step_misses(WbSeat S, uint d, uint n) {
  return wb_fill_misses(S.lane, wb_memory_bytes(S.lane), wb_window_low(S.lane), d, n);
}

// A trap of the step itself, which has no place in the module.
static inline uint wb_step_outside(WbSeat S) {
  wb_put_trap(S.lane, WB_TRAP_OUT_OF_BOUNDS_MEMORY, WB_NONE, WB_NONE);
  return WB_TRAPPED;
}

// The arguments of a call, one behind the other, to the stage. WB_RETURNED or WB_TRAPPED.
static __attribute__((noinline)) uint wb_stage_operands(WbSeat S, uint step) {
  uint at = S.program[step + WB_STEP_OPERANDS];
  uint end = at + S.program[step + WB_STEP_OPERAND_COUNT] * WB_OPERAND_WORDS;
  uint to = WB_LANE_STAGE;
  bool outside = false;
  #pragma unroll 1
  for (uint operand = at; operand < end; operand += WB_OPERAND_WORDS) {
    uint words = S.program[operand + WB_OPERAND_SIZE];
    if (S.program[operand + WB_OPERAND_LOADS] != 0u) {
      WbWord loaded = wb_operand_word(S, operand);
      outside = outside || loaded.outside;
      wb_put(S.lane, to, loaded.value);
      to = to + 1u;
      words = 0u;
    }
    #pragma unroll 1
    for (uint i = 0u; i < words; i += 1u) {
      ulong half_value = wb_operand_half(S, operand, i >> 1u);
      wb_put(S.lane, to, (i & 1u) == 0u ? (uint)half_value : (uint)(half_value >> 32u));
      to = to + 1u;
    }
  }
  return outside ? wb_step_outside(S) : WB_RETURNED;
}

static inline void wb_copy_results(WbSeat S, uint step) {
  uint to = WB_RECORD_REGISTERS + S.program[step + WB_STEP_RESULTS];
  uint words = S.program[step + WB_STEP_RESULT_WORDS];
  #pragma unroll 1
  for (uint i = 0u; i < words; i += 1u) {
    S.record[to + i] = wb_get(S.lane, WB_LANE_STAGE + i);
  }
}

// WB_STEP_WRITE: bytes of the blob to memory. The result is WB_RETURNED or WB_TRAPPED.
static __attribute__((noinline)) uint wb_step_write(WbSeat S, uint step, constant WbParams &P) {
  WbWord pointer = wb_operand(S, step, 0u);
  uint d = pointer.value;
  uint from = wb_operand(S, step, 1u).value;
  uint n = wb_operand(S, step, 2u).value;
  if (pointer.outside || wb_step_misses(S, d, n)) {
    return wb_step_outside(S);
  }
  wb_note_written(S.lane, wb_spans_of(d, n, P.span_shift));
  wb_note_data(S.lane, wb_touches(d, n, P.data_from, P.data_end));
  wb_from_input(S.blob, wb_memory(S.lane), d, (ulong)from, n);
  return WB_RETURNED;
}

// WB_STEP_STORE: a word to memory. WB_RETURNED or WB_TRAPPED.
static __attribute__((noinline)) uint wb_step_store(WbSeat S, uint step, constant WbParams &P) {
  WbWord pointer = wb_operand(S, step, 0u);
  WbWord value = wb_operand(S, step, 1u);
  bool outside = pointer.outside || value.outside;
  if (outside || wb_step_misses(S, pointer.value, 4u)) {
    return wb_step_outside(S);
  }
  wb_note_written(S.lane, wb_spans_of(pointer.value, 4u, P.span_shift));
  wb_note_data(S.lane, wb_touches(pointer.value, 4u, P.data_from, P.data_end));
  wb_poke32(wb_memory(S.lane), (ulong)pointer.value, value.value);
  return WB_RETURNED;
}

// How many bytes stand from `from` on before the first zero, or `most`. Bytes beyond what an output
// holds are not looked at: the step cannot append them. `outside`: memory ends before that.
static inline WbWord wb_bytes_until_zero(WbSeat S, uint from, uint most, constant WbParams &P) {
  ulong bytes = wb_memory_bytes(S.lane);
  uint end = most <= P.output_bytes ? most : P.output_bytes + 1u;
  ulong at = (ulong)from;
  WbWord W;
  W.value = 0u;
  if (end != 0u && at < wb_window_low(S.lane)) {
    W.outside = wb_note_miss(S.lane, at + 1ul);
    return W;
  }
  #pragma unroll 1
  while (W.value != end && at < bytes && wb_peek8(wb_memory(S.lane), at) != 0u) {
    W.value = W.value + 1u;
    at = at + 1ul;
  }
  W.outside = W.value != end && at >= bytes && wb_note_miss(S.lane, at + 1ul);
  return W;
}

// WB_STEP_READ: memory to the output, in a frame of its own where there are frames. WB_RETURNED,
// WB_TRAPPED, WB_OUTPUT_FULL, or WB_OUTPUT_WAITS: then the step is to be made again.
static __attribute__((noinline)) uint wb_step_read(WbSeat S, uint step, constant WbParams &P) {
  WbWord pointer = wb_operand(S, step, 0u);
  WbWord length = wb_operand(S, step, 1u);
  uint from = pointer.value;
  bool outside = pointer.outside || length.outside;
  if (!outside && (S.program[step + WB_STEP_FLAGS] & WB_STEP_UNTIL_ZERO) != 0u) {
    length = wb_bytes_until_zero(S, from, length.value, P);
    outside = length.outside;
  }
  uint n = length.value;
  if (outside || wb_step_misses(S, from, n)) {
    return wb_step_outside(S);
  }
  uint w = WB_OUTPUT_FULL;
  if (WB_PRIMITIVES == 0u) {
    w = wb_output_plain(S, from, n, P);
  } else if (n <= WB_MOST_FRAME_BYTES) {
    w = wb_output(S, wb_source(wb_memory(S.lane), 0u), WB_STREAM_OF_STEPS, from, n, P);
  }
  if (w == WB_LEFT && S.program[step + WB_STEP_RESULT_WORDS] != 0u) {
    uint result = WB_RECORD_REGISTERS + S.program[step + WB_STEP_RESULTS];
    S.record[result] = wb_get(S.lane, WB_LANE_OUT_BYTES) - n;
    S.record[result + 1u] = n;
  }
  return w == WB_LEFT ? WB_RETURNED : w;
}

// A trap in a step that goes on: what happened to its registers, and the lane forgets it.
static inline void wb_note_trap(WbSeat S, uint step) {
  uint to = S.program[step + WB_STEP_TRAP_REGISTER];
  if (to != WB_NONE) {
    S.record[WB_RECORD_REGISTERS + to] = wb_get(S.lane, WB_LANE_TRAP);
    S.record[WB_RECORD_REGISTERS + to + 1u] = wb_get(S.lane, WB_LANE_TRAP_FUNCTION);
    S.record[WB_RECORD_REGISTERS + to + 2u] = wb_get(S.lane, WB_LANE_TRAP_OFFSET);
  }
  wb_put_trap(S.lane, 0u, 0u, 0u);
}

