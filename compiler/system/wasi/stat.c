#include "compiler/system/wasi/stat.h"

#include "compiler/system/wasi/clock.h"

uint64_t NodeBytes(const Node* node) { return node->type == TYPE_REGULAR ? node->content.size : 0; }

const StatFormat kStat = {FILESTAT_BYTES, 24, 32};
const StatFormat kUnstableStat = {UNSTABLE_FILESTAT_BYTES, 20, 24};

void StoreStat(Guest out, const StatFormat* format, uint8_t type, Node* node) {
  GuestZero(out, format->bytes);
  GuestStore8(out + 16, type);
  GuestStore32(out + format->names, 1);
  if (node == NULL) return;
  SettleTimes(node);
  GuestStore64(out, 1);  // device
  GuestStore64(out + 8, node->number);
  const Guest size = out + format->size;
  GuestStore64(size, NodeBytes(node));
  GuestStore64(size + 8, node->accessed);
  GuestStore64(size + 16, node->modified);
  GuestStore64(size + 24, node->modified);
}

Errno SetTimes(Node* node, I64 accessed, I64 modified, I32 flags) {
  const I32 both_atim = TIME_ATIM | TIME_ATIM_NOW, both_mtim = TIME_MTIM | TIME_MTIM_NOW;
  if (flags > TIME_FLAGS) return E_INVAL;
  if ((flags & both_atim) == both_atim || (flags & both_mtim) == both_mtim) return E_INVAL;
  SettleTimes(node);
  const bool now = (flags & (TIME_ATIM_NOW | TIME_MTIM_NOW)) != 0;
  const uint64_t time = now ? TimeOfDay() : 0;
  if (flags & TIME_ATIM) node->accessed = accessed;
  if (flags & TIME_ATIM_NOW) node->accessed = time;
  if (flags & TIME_MTIM) node->modified = modified;
  if (flags & TIME_MTIM_NOW) node->modified = time;
  node->is_changed = true;
  return E_OK;
}
