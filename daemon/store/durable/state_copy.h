#pragma once

// A state folder as a backup, and back.

#include <string>

#include "compiler/base/status.h"

namespace wb {

// Copies the state that a daemon may be using to a folder that is not there yet. What is
// acknowledged when the copy begins is in it: jobs first, then the modules and inputs that they
// need, which stay while a job needs them. Flushed when it returns; a copy that fails is removed.
// CONFIG_INVALID: there is no state, or the folder is there. NOSPACE, IO_ERROR.
Status BackUpState(const std::string& folder, const std::string& to);

// The other way: `folder` holds no state yet, and no daemon uses it.
Status RestoreState(const std::string& backup, const std::string& folder);

}  // namespace wb
