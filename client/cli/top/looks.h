#pragma once

// Looks as text and as JSON, for what is no terminal. Pure.

#include <string>

#include "client/cli/top/top_facts.h"
#include "client/cli/top/top_model.h"

namespace wb::cli {

// The tables of devices and of jobs, all columns, at most `width` characters a line; a blank line
// after each.
std::string PlainLook(TopModel* model, size_t width);

// One line: time_unix_ms, devices, jobs, bursts (that ended since the look before), and of server,
// cache and tenants what was asked for.
std::string LookJson(const TopFacts& facts);

}  // namespace wb::cli
