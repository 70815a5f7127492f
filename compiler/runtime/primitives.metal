// ---- primitives: what a module asks of the engine (compiler/abi/primitive.def). A function that
// asks leaves with WB_LANE_REQUEST and its arguments in the stage; behind them lies the size of the
// memory in pages where the primitive has one. The answer is in the stage when the call is resumed.

static inline uint wb_argument(WbSeat S, uint i) { return wb_get(S.lane, WB_LANE_STAGE + i); }

// The lane's instance has left for a collective.
static inline bool wb_meets(wb_lane L) {
  return ((wb_get(L, WB_LANE_REQUEST) - 1u) & 0xffu) == WB_PRIMITIVE_COLLECTIVE;
}

// Operand `i` of the row of inputs, as a word of the program.
static inline uint wb_input_operand(WbSeat S, uint i, constant WbParams &P) {
  return S.program[P.steps * WB_STEP_WORDS + WB_STEP_OPERANDS] + i * WB_OPERAND_WORDS;
}

// The operand with the offset of an input in the blob, or in what the device keeps; behind it is that
// with its length. WB_NONE: there is no such input.
static inline uint wb_input_at(WbSeat S, uint input, constant WbParams &P) {
  uint inputs = (S.program[P.steps * WB_STEP_WORDS + WB_STEP_OPERAND_COUNT] - 2u) >> 1u;
  return input < inputs ? wb_input_operand(S, 2u + 2u * input, P) : WB_NONE;
}

static inline ulong wb_input_bytes(WbSeat S, uint at) {
  return wb_operand_half(S, at + WB_OPERAND_WORDS, 0u);
}

// The buffer that an input lies in.
static inline const device uint *wb_input_buffer(WbSeat S, uint at) {
  return S.program[at + WB_OPERAND_SOURCE] == WB_OPERAND_KEPT ? S.kept : S.blob;
}

// What an answer moves is paid for, and its bytes must lie in the memory, which has `pages`: WB_LEFT or
// WB_TRAPPED.
static inline WbEnd wb_pay_moved(WbSeat S, WbEnd end, uint memory, uint at, uint n, uint pages) {
  end.fuel = end.fuel - ((n + 15u) >> 4u);
  bool outside = n != 0u && (ulong)at + (ulong)n > wb_bytes_of(pages);
  if (WB_WINDOWED != 0u && memory == 0u && n != 0u) {
    outside = wb_step_misses(S, at, n);
  }
  if (outside) {
    wb_put_trap(S.lane, WB_TRAP_OUT_OF_BOUNDS_MEMORY, WB_NONE, WB_NONE);
    end.w = WB_TRAPPED;
  }
  return end;
}

static inline WbEnd wb_input_read(WbSeat S, WbEnd end, uint memory, constant WbParams &P) {
  uint at = wb_input_at(S, wb_argument(S, 0u), P);
  ulong offset = wb_get64(S.lane, WB_LANE_STAGE + 1u);
  uint to = wb_argument(S, 3u);
  uint n = wb_argument(S, 4u);
  ulong size = at == WB_NONE ? 0ul : wb_input_bytes(S, at);
  ulong left = offset < size ? size - offset : 0ul;
  n = n < WB_REQUEST_BYTES ? n : WB_REQUEST_BYTES;
  n = (ulong)n < left ? n : (uint)left;
  end = wb_pay_moved(S, end, memory, to, n, wb_argument(S, 5u));
  if (end.w == WB_LEFT && n != 0u) {
    ulong from = wb_operand_half(S, at, 0u) + offset;
    wb_from_input(wb_input_buffer(S, at), wb_memory_at(S.lane, memory), to, from, n);
    if (memory == 0u) {
      wb_note_written(S.lane, wb_spans_of(to, n, P.span_shift));
      wb_note_data(S.lane, wb_touches(to, n, P.data_from, P.data_end));
    }
  }
  wb_put(S.lane, WB_LANE_STAGE, n);
  return end;
}

// A write that waits keeps its arguments in the stage, and is paid for when it is done. `end` is what
// stood before it.
static inline WbEnd wb_unless_waits(WbEnd end, WbEnd paid) {
  if (paid.w == WB_OUTPUT_WAITS) {
    end.w = paid.w;
    return end;
  }
  return paid;
}

// From its argument `first` on: an address, a number of bytes, the memory's size.
static inline WbEnd wb_write_to(WbSeat S, WbEnd end, uint memory, uint stream, uint first,
                                constant WbParams &P) {
  uint from = wb_argument(S, first);
  uint n = wb_argument(S, first + 1u);
  uint answer = WB_NONE;
  if (stream - 1u < WB_MOST_STREAM) {
    n = n < WB_REQUEST_BYTES ? n : WB_REQUEST_BYTES;
    answer = n;
    WbEnd paid = wb_pay_moved(S, end, memory, from, n, wb_argument(S, first + 2u));
    if (paid.w == WB_LEFT) {
      paid.w = wb_output(S, wb_source(wb_memory_at(S.lane, memory), 0u), stream, from, n, P);
    }
    end = wb_unless_waits(end, paid);
  }
  if (end.w != WB_OUTPUT_WAITS) {
    wb_put(S.lane, WB_LANE_STAGE, answer);
  }
  return end;
}

// The first of four values, in the order of their bytes in the output.
static inline WbEnd wb_output_values(WbSeat S, WbEnd end, constant WbParams &P) {
  uint stream = wb_argument(S, 0u);
  uint count = wb_argument(S, 1u);
  uint answer = WB_NONE;
  if (stream - 1u < WB_MOST_STREAM && count <= WB_MOST_VALUES) {
    uint n = count * 8u;
    answer = count;
    WbEnd paid = end;
    paid.fuel = paid.fuel - ((n + 15u) >> 4u);
    WbSource values = wb_source(wb_memory(S.lane), WB_LANE_STAGE + 2u);
    paid.w = wb_output(S, values, stream, 0u, n, P);
    end = wb_unless_waits(end, paid);
  }
  if (end.w != WB_OUTPUT_WAITS) {
    wb_put(S.lane, WB_LANE_STAGE, answer);
  }
  return end;
}

static inline ulong wb_instance_number(WbSeat S, constant WbParams &P) {
  return wb_operand_half(S, wb_input_operand(S, 0u, P), 0u);
}

static inline uint wb_assert(WbSeat S) {
  uint w = WB_LEFT;
  if (wb_argument(S, 0u) == 0u) {
    wb_put_trap(S.lane, WB_TRAP_ASSERTION_FAILED, WB_NONE, wb_argument(S, 1u));
    w = WB_TRAPPED;
  }
  return w;
}

// One that has used up its fuel takes no part: it ends.
static inline WbEnd wb_come_to_meeting(WbEnd end, ulong used, constant WbParams &P) {
  if (used <= wb_join(P.max_fuel_lo, P.max_fuel_hi)) {
    end.w = WB_MEETS;
  }
  return end;
}

// Answers what a call left for, if it did. `used`: fuel of the instance so far.
static inline WbEnd wb_answer(WbSeat S, WbEnd end, ulong used, constant WbParams &P) {
  uint request = end.w == WB_LEFT ? wb_get(S.lane, WB_LANE_REQUEST) : 0u;
  if (request != 0u) {
    uint number = (request - 1u) & 0xffu;
    uint memory = request >> 8u;
    wb_put(S.lane, WB_LANE_REQUEST, 0u);
    if (number == WB_PRIMITIVE_INPUT_SIZE) {
      uint at = wb_input_at(S, wb_argument(S, 0u), P);
      wb_put64(S.lane, WB_LANE_STAGE, at == WB_NONE ? ~0ul : wb_input_bytes(S, at));
    } else if (number == WB_PRIMITIVE_INPUT_READ) {
      end = wb_input_read(S, end, memory, P);
    } else if (number == WB_PRIMITIVE_OUTPUT_WRITE) {
      end = wb_write_to(S, end, memory, wb_argument(S, 0u), 1u, P);
    } else if (number == WB_PRIMITIVE_LOG) {
      end = wb_write_to(S, end, memory, WB_LOG_STREAM, 0u, P);
    } else if (number == WB_PRIMITIVE_ASSERT) {
      end.w = wb_assert(S);
    } else if (number == WB_PRIMITIVE_INSTANCE) {
      wb_put64(S.lane, WB_LANE_STAGE, wb_instance_number(S, P));
    } else if (number == WB_PRIMITIVE_LANE_ID) {
      wb_put(S.lane, WB_LANE_STAGE, (uint)wb_instance_number(S, P) % WB_GROUP_LANES);
    } else if (number == WB_PRIMITIVE_GROUP_SIZE) {
      wb_put(S.lane, WB_LANE_STAGE, WB_GROUP_LANES);
    } else if (number == WB_PRIMITIVE_COLLECTIVE) {
      end = wb_come_to_meeting(end, used, P);
    } else if (number == WB_PRIMITIVE_MIXED_GROUP) {
      wb_put_trap(S.lane, WB_TRAP_COLLECTIVE_MISMATCH, WB_NONE, WB_NONE);
      end.w = WB_TRAPPED;
    } else if (number == WB_PRIMITIVE_INSTANCE_COUNT) {
      wb_put64(S.lane, WB_LANE_STAGE, wb_operand_half(S, wb_input_operand(S, 1u, P), 0u));
    } else if (number == WB_PRIMITIVE_FUEL_USED) {
      wb_put64(S.lane, WB_LANE_STAGE, used);
    } else if (number == WB_PRIMITIVE_OUTPUT_VALUES) {
      end = wb_output_values(S, end, P);
    } else if (number == WB_PRIMITIVE_HOST_CALL) {
      // The lane leaves as before a memory.grow beyond the reserve, and goes on where the host has
      // put the results into the stage.
      wb_put(S.lane, WB_LANE_WANTED_PAGES, WB_ASKS_HOST);
    } else {
      end.w = WB_EXITED;
    }
    if (end.w == WB_OUTPUT_WAITS || end.w == WB_MEETS) {
      wb_put(S.lane, WB_LANE_REQUEST, request);  // it is answered again
    }
  }
  return end;
}

