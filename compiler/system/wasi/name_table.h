#pragma once

// The names of a directory by their hashes. Few names are looked through one by one; of more there
// is a table that grows with them, so that a program may make tens of thousands.

#include "compiler/system/wasi/tree.h"

// A name that is in the directory's list now. Where there is no memory for a larger table, chains
// grow longer.
void AddToTable(Directory* directory, Name* name);
void TakeFromTable(Directory* directory, Name* name);
Name* FindInTable(const Directory* directory, const char* text, uint32_t bytes);
void ReleaseTable(Directory* directory);
