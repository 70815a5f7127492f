#pragma once

// A result as one line of JSON, the form that programs read. Pure.

#include <map>
#include <string>

#include "client/cli/output/print.h"

namespace wb::cli {

// Outputs of a result that lie in files: the path of each, by the output's name.
using OutputPaths = std::map<std::string, std::string>;

// An output that lies in a file is shown as its size and the file's path, in no other form. Texts
// that are not UTF-8 are replaced where they are wrong.
std::string ResultJson(const wasmburst::v1::InstanceResult& result, const ResultShown& shown,
                       const OutputPaths& in_files = {});

}  // namespace wb::cli
