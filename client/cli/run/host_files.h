#pragma once

// Files of this machine for programs: one by one, and folders as one image.

#include <string>

#include "compiler/base/status.h"

namespace wb::cli {

// All files and folders under `folder` as a FileSetImage. Files that are linked to are packed as
// what they are; folders that are linked to, and what is neither file nor folder, are left out.
// `keep_times`: with the times of their last change, else all of one time, so that the same files
// are the same image. INVALID_ARGUMENT where there is too much for one input; IO_ERROR.
Result<std::string> PackFolder(const std::string& folder, bool keep_times);

// Whether a descriptor is a file or a pipe, whose end will come.
bool HasInput(int descriptor);

// What stands before and behind the first "=", neither empty. INVALID_ARGUMENT, which names the
// form ("GUEST=HOST").
struct NamedText {
  std::string name;
  std::string text;
};
Result<NamedText> SplitNamed(const std::string& text, const std::string& form);

}  // namespace wb::cli
