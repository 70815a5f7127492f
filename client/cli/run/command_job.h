#pragma once

// What a program is given, as a job: constants for what is the same for all instances, columns for
// the rest.

#include <cstdint>
#include <string>
#include <vector>

#include "client/cli/run/item_list.h"
#include "compiler/base/status.h"
#include "wasmburst/v1/jobs.pb.h"

namespace wb::cli {

// Texts may hold placeholders, but for paths of this machine without a note.
struct CommandOptions {
  std::string name;  // argument 0
  std::vector<std::string> args;
  std::vector<std::string> environment;   // NAME=TEXT
  std::string input_file;                 // standard input: a file, without placeholders
  std::string input_from;                 // ... a file for each instance
  std::string input_column;               // ... a column's name, or a text with placeholders
  std::string files;                      // a folder, without placeholders
  bool keep_times = false;                // of its files
  std::vector<std::string> own_files;     // GUEST=HOST
  std::vector<std::string> output_files;  // paths for the program, without placeholders
  uint64_t seed = 0;
  std::string clock;  // "now", or a time such as 2026-01-31T12:00:00Z; empty: 1970
  uint32_t scratch_bytes = 0;
};

// The command, its columns and the number of instances. Reads all files. INVALID_ARGUMENT,
// IO_ERROR.
Result<wasmburst::v1::Job> BuildCommandJob(const CommandOptions& options, const ItemList& items);

}  // namespace wb::cli
