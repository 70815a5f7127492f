#pragma once

// Standard output: where the data of a command goes. There is one for the process, so that what is
// known of it belongs to no object. One thread prints.

#include <string>

namespace wb::cli {

// Nothing more is written once a write has failed.
void Print(const std::string& text);
void PrintLine(const std::string& text);
// Writes what is buffered. False once standard output takes no more: its reader has gone, or its
// file system is full.
bool OutputWorks();
// errno of the first write that failed; 0: none has.
int OutputError();

}  // namespace wb::cli
