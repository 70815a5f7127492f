#pragma once

// Modules as the client hears of them, and a job's steps in words.

#include <string>
#include <vector>

#include "wasmburst/v1/jobs.pb.h"
#include "wasmburst/v1/modules.pb.h"

namespace wb::cli {

// A function of i32 parameters and results; an "l" among the letters is an i64.
struct FunctionUnderTest {
  std::string name;
  std::string params;   // "ii"
  std::string results;  // "i"
};

wasmburst::v1::Module ModuleWith(const std::vector<FunctionUnderTest>& functions);
void AddImport(wasmburst::v1::Module* module, const std::string& from, const std::string& name,
               const std::string& kind, const std::string& type);

// "malloc(length 0); write r0 column 0; sum(r0, length 0); free(r0)". A result is r and its step,
// with .1 for the second one; [x] is what stands in memory at x, and "store x = y" writes there.
std::string StepsText(const wasmburst::v1::Job& job);

}  // namespace wb::cli
