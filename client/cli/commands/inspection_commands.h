#pragma once

#include "client/cli/output/session.h"

namespace CLI {
class App;
}

namespace wb::cli {

void AddInspectionCommands(CLI::App* job, Command* chosen);  // dump, replay

}  // namespace wb::cli
