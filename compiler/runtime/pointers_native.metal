// ---- pointers to words of lanes, on devices whose prelude has natives.

// The same pointer. No compiler sees from which it was made: else it makes the address of each word
// from the kernel's argument again, with twice the instructions.
static inline device uint *wb_settled(device uint *p) { return wb_native_settled(p); }
// The lane's word `w` from `p` on.
static inline device uint *wb_word_at(device uint *p, uint w) { return wb_native_word_at(p, w); }
// Byte `i` of the word at `p`, 0 to 3.
static inline device uchar *wb_byte_at(device uint *p, uint i) { return wb_native_byte_at(p, i); }
