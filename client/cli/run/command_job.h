#pragma once

// What a program is given, as a job: constants for what is the same for all instances, columns for
// the rest.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "client/cli/run/item_list.h"
#include "client/input_source.h"
#include "compiler/base/status.h"
#include "wasmburst/v1/inputs.pb.h"
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

// What all instances share, read once for all jobs of a run: a column each, or none. Short ones are
// in their columns. Long ones are uploaded, so that all jobs of the run, and of later ones, use
// one; files are not held for it.
struct SharedInputs {
  std::optional<wasmburst::v1::Column> standard_input;
  std::optional<wasmburst::v1::Column> files;  // an image (FileSetImage)
};
using UploadShared = std::function<Result<wasmburst::v1::Input>(const InputSource& column)>;
// IO_ERROR, INVALID_ARGUMENT, and what `upload` answers.
Result<SharedInputs> ReadShared(const CommandOptions& options, const UploadShared& upload);

// Of a list's items those that one job runs.
struct ItemRange {
  uint64_t first = 0;  // place in the list
  uint64_t count = 0;
};
struct RangeBounds {
  uint64_t most_items = 1'000'000;
  uint64_t most_bytes = uint64_t{256} << 20;  // of their files
};
// The next part from an item on, at least one item: however many there are, those of one part are
// in memory. By the sizes of files as they are now.
Result<ItemRange> NextRange(const CommandOptions& options, const ItemList& items, uint64_t first,
                            const RangeBounds& bounds = {});

// The command, its columns and the number of instances; reads the files of these items. Random
// numbers differ between all items of a run. INVALID_ARGUMENT, IO_ERROR.
Result<wasmburst::v1::Job> BuildCommandJob(const CommandOptions& options,
                                           const SharedInputs& shared, const ItemList& items,
                                           const ItemRange& range);

}  // namespace wb::cli
