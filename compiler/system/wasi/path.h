#pragma once

// Paths. They are read as text first, so "a/../b" is "b" whether there is an `a` or not, and no
// path leads out of the directory where it starts. There are no symbolic links.

#include "compiler/system/wasi/tree.h"

enum { kLongestPath = 4096 };

// What a path names. The caller gives it back by LeavePlace.
typedef struct {
  Node* directory;   // held: where the last name is; null: the path is the start itself
  const char* text;  // the last name, in a buffer of the layer
  uint32_t bytes;
  Name* name;            // as FindChild answers
  Node* node;            // held; null: there is none of that name
  bool wants_directory;  // the path ends with a slash
} Place;

// Cleans the path in place: no ".", "..", empty names or slash at either end. E_NOTCAPABLE: it
// leads above its start. E_INVAL: it has a zero byte.
Errno CleanPath(char* path, uint32_t* bytes);
// `path` is clean, and stays while the place is used. E_NOENT and E_NOTDIR: there is no directory
// for the last name.
Errno FindPlace(Node* start, const char* path, uint32_t bytes, Place* place);
void LeavePlace(Place* place);
// The node of that path, held; directories that are missing are made, the last one too.
Errno MakeDirectories(Node* start, const char* path, uint32_t bytes, Node** node);
