// ---- no primitives: the module asks for nothing.

static inline WbEnd wb_answer(WbSeat S, WbEnd end, ulong used, constant WbParams &P) { return end; }

