// job run --each-file FILES --call F: a file's bytes go to memory, F takes pointer and length.

#include "client/cli/program/literal.h"
#include "client/cli/program/program.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

constexpr uint32_t kFileColumnIndex = 0;

Status Mismatch(const std::string& words) { return Status(Reason::kSignatureMismatch, words); }

// A first step that gives the pointer.
Status AddAlloc(const std::string& name, const v1::Module& module, v1::Job* job) {
  WB_ASSIGN(const v1::ModuleExport alloc, FindFunction(module, name));
  const bool right = alloc.params_size() == 1 && alloc.params(0) == v1::I32 &&
                     alloc.results_size() == 1 && alloc.results(0) == v1::I32;
  if (!right) {
    return Mismatch("The function [" + SignatureText(alloc) +
                    "] cannot give room for a file; --alloc needs one that takes a length (i32) "
                    "and returns a pointer (i32).");
  }
  v1::CallStep* call = job->add_steps()->mutable_call();
  call->set_function(name);
  call->add_args()->set_column_length(kFileColumnIndex);
  return {};
}

}  // namespace

Status AddFileSteps(const ProgramOptions& options, const v1::Module& module, v1::Job* job) {
  if (options.alloc.empty() == options.write_at.empty()) {
    return Status(Reason::kInvalidArgument,
                  "Say where the bytes of a file go: either --alloc EXPORT, which is called with "
                  "their length and returns the pointer, or --write-at ADDRESS.");
  }
  WB_ASSIGN(*job->add_columns(),
            BuildColumn(*options.files, v1::VALUE_TYPE_UNSPECIFIED, job->instances()));
  v1::Operand pointer;
  if (options.alloc.empty()) {
    WB_ASSIGN(*pointer.mutable_constant(), ParseValue(options.write_at, v1::I32));
  } else {
    WB_TRY(AddAlloc(options.alloc, module, job));
    pointer.mutable_result()->set_step(0);
  }
  v1::WriteStep* write = job->add_steps()->mutable_write();
  *write->mutable_pointer() = pointer;
  write->set_column(kFileColumnIndex);
  return {};
}

Status AddFileArguments(const v1::ModuleExport& function, const v1::Job& job, v1::CallStep* call) {
  for (int i = 0; i < 2; ++i) {
    if (function.params(i) == v1::I32) continue;
    return Mismatch("The function [" + SignatureText(function) +
                    "] does not take pointer and length of a file (i32, i32) first.");
  }
  // AddFileSteps' last step is the write.
  *call->add_args() = job.steps(job.steps_size() - 2).write().pointer();
  call->add_args()->set_column_length(kFileColumnIndex);
  return {};
}

}  // namespace wb::cli
