#include "compiler/system/wasi/content.h"

#include "compiler/system/wasi/config.h"
#include "compiler/system/wasi/heap.h"
#include "compiler/system/wasi/layer.h"

// Files that are written have at most 4 GiB.
enum { kMostBlocks = 1 << 20, kFirstBlocks = 4 };

static uint64_t Lesser(uint64_t a, uint64_t b) { return a < b ? a : b; }

static uint8_t* BlockAt(const Content* content, uint64_t at) {
  const uint64_t index = at / kBlockBytes;
  return index < content->blocks ? content->block[index] : NULL;
}

// Where the bytes of a piece are. A piece lies in one block or in none.
typedef struct {
  const uint8_t* block;  // null: in the input, or zeros
  bool is_input;
  uint32_t bytes;
} Piece;

static Piece PieceAt(const Content* content, uint64_t at, uint64_t bytes) {
  Piece piece = {BlockAt(content, at), false, 0};
  uint64_t end = (at / kBlockBytes + 1) * kBlockBytes;
  if (piece.block != NULL) {
    piece.block += at % kBlockBytes;
  } else {
    while (end < at + bytes && BlockAt(content, end) == NULL) end += kBlockBytes;
    piece.is_input = at < content->from_input;
    if (piece.is_input) end = Lesser(end, content->from_input);
  }
  piece.bytes = (uint32_t)Lesser(Lesser(end - at, bytes), kMostMoved);
  return piece;
}

uint32_t ContentRead(const Content* content, uint64_t at, Guest to, uint32_t bytes) {
  if (at >= content->size) return 0;
  const uint32_t wanted = (uint32_t)Lesser(bytes, content->size - at);
  uint32_t done = 0;
  while (done < wanted) {
    const Piece piece = PieceAt(content, at + done, Lesser(wanted - done, kMostMoved));
    if (piece.block != NULL) {
      SystemToGuest(to + done, piece.block, piece.bytes);
    } else if (!piece.is_input) {
      GuestZero(to + done, piece.bytes);
    } else if (GuestInputRead(content->input, content->input_at + at + done, to + done,
                              piece.bytes) != piece.bytes) {
      break;  // the input is shorter than its own description says
    }
    done += piece.bytes;
  }
  return done;
}

static bool GrowTable(Content* content, uint64_t index) {
  if (index < content->blocks) return true;
  uint32_t blocks = content->blocks == 0 ? kFirstBlocks : content->blocks;
  while (blocks <= index) blocks *= 2;
  uint8_t** table = Allocate(blocks * sizeof(uint8_t*));
  if (table == NULL) return false;
  for (uint32_t i = 0; i < content->blocks; ++i) table[i] = content->block[i];
  Release(content->block, content->blocks * sizeof(uint8_t*));
  content->block = table;
  content->blocks = blocks;
  return true;
}

// What the block holds before it is written. Nothing of it is read when all of it is overwritten.
static void FillBlock(const Content* content, uint64_t start, uint8_t* block) {
  if (start >= content->from_input) return;
  const uint32_t bytes = (uint32_t)Lesser(kBlockBytes, content->from_input - start);
  InputRead(content->input, content->input_at + start, block, bytes);
}

static bool HasRoom(void) {
  return layer.scratch_blocks <
         ((uint64_t)TheConfig()->scratch_bytes + kBlockBytes - 1) / kBlockBytes;
}

// The block for writing; null: the limit is reached or memory is.
static uint8_t* OwnBlock(Content* content, uint64_t at, bool whole) {
  const uint64_t index = at / kBlockBytes;
  uint8_t* block = BlockAt(content, at);
  if (block != NULL) return block;
  if (!HasRoom() || !GrowTable(content, index)) return NULL;
  block = Allocate(kBlockBytes);
  if (block == NULL) return NULL;
  ++layer.scratch_blocks;
  if (!whole) FillBlock(content, index * kBlockBytes, block);
  content->block[index] = block;
  return block;
}

Errno ContentWrite(Content* content, uint64_t at, Guest from, uint32_t bytes, uint32_t* done) {
  *done = 0;
  if (bytes > 0 && at + bytes > (uint64_t)kMostBlocks * kBlockBytes) return E_FBIG;
  while (*done < bytes) {
    const uint64_t here = at + *done;
    const uint32_t within = (uint32_t)(here % kBlockBytes);
    const uint32_t piece = (uint32_t)Lesser(kBlockBytes - within, bytes - *done);
    uint8_t* block = OwnBlock(content, here, piece == kBlockBytes);
    if (block == NULL) return *done == 0 ? E_NOSPC : E_OK;
    GuestToSystem(block + within, from + *done, piece);
    *done += piece;
    if (content->size < here + piece) content->size = here + piece;
  }
  return E_OK;
}

static void ReleaseBlock(Content* content, uint64_t index) {
  if (content->block[index] == NULL) return;
  Release(content->block[index], kBlockBytes);
  content->block[index] = NULL;
  --layer.scratch_blocks;
}

// What lies behind the new end must be zeros when the file grows again.
static void CutOff(Content* content, uint64_t size) {
  const uint32_t within = (uint32_t)(size % kBlockBytes);
  uint8_t* last = within == 0 ? NULL : BlockAt(content, size);
  if (last != NULL) __builtin_memset(last + within, 0, kBlockBytes - within);
  const uint64_t kept = (size + kBlockBytes - 1) / kBlockBytes;
  for (uint64_t i = kept; i < content->blocks; ++i) ReleaseBlock(content, i);
  content->from_input = Lesser(content->from_input, size);
}

Errno ContentResize(Content* content, uint64_t size) {
  if (size > (uint64_t)kMostBlocks * kBlockBytes && size > content->size) return E_FBIG;
  if (size < content->size) CutOff(content, size);
  content->size = size;
  return E_OK;
}

void ContentRelease(Content* content) {
  for (uint64_t i = 0; i < content->blocks; ++i) ReleaseBlock(content, i);
  Release(content->block, content->blocks * sizeof(uint8_t*));
  content->block = NULL;
  content->blocks = 0;
}

void ContentDeliver(const Content* content, uint32_t stream) {
  uint8_t* copy = Allocate(kBlockBytes);
  if (copy == NULL) return;
  if (content->size == 0) OutputWrite(stream, copy, 0);  // there is a file
  for (uint64_t at = 0; at < content->size;) {
    const Piece piece = PieceAt(content, at, Lesser(kBlockBytes, content->size - at));
    const uint8_t* from = piece.block;
    if (from == NULL) {
      __builtin_memset(copy, 0, piece.bytes);
      if (piece.is_input) InputRead(content->input, content->input_at + at, copy, piece.bytes);
      from = copy;
    }
    OutputWrite(stream, from, piece.bytes);
    at += piece.bytes;
  }
  Release(copy, kBlockBytes);
}
