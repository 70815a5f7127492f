#pragma once

// What programs see of a node.

#include "compiler/system/wasi/tree.h"

uint64_t NodeBytes(const Node* node);
// A record of FILESTAT_BYTES bytes, which are in memory. `node`: null for a stream.
void StoreStat(Guest out, uint8_t type, Node* node);
// E_INVAL: the flags contradict each other.
Errno SetTimes(Node* node, I64 accessed, I64 modified, I32 flags);
