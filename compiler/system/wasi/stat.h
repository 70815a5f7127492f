#pragma once

// What programs see of a node.

#include "compiler/system/wasi/tree.h"

uint64_t NodeBytes(const Node* node);

// Where the fields of a filestat are that snapshot 0 has elsewhere.
typedef struct {
  uint32_t bytes;  // of the record
  uint32_t names;  // how many the file has
  uint32_t size;   // then the times, 8 bytes each
} StatFormat;
extern const StatFormat kStat, kUnstableStat;

// A record in that format, which is in memory. `node`: null for a stream.
void StoreStat(Guest out, const StatFormat* format, uint8_t type, Node* node);
// fd_filestat_get and path_filestat_get.
Errno DescriptorStat(I32 fd, Guest out, const StatFormat* format);
Errno PathStat(I32 fd, Guest path, I32 bytes, Guest out, const StatFormat* format);
// E_INVAL: the flags contradict each other.
Errno SetTimes(Node* node, I64 accessed, I64 modified, I32 flags);
