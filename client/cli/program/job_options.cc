#include "client/cli/program/job_options.h"

#include <CLI/CLI.hpp>

#include "client/cli/program/binding_text.h"
#include "client/cli/program/duration.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

Status SetLabels(const std::vector<std::string>& labels, v1::Job* job) {
  for (const std::string& label : labels) {
    size_t equals = label.find('=');
    if (equals == std::string::npos) {
      return Status(Reason::kInvalidArgument, "The label [" + label + "] is not KEY=VALUE.");
    }
    (*job->mutable_labels())[label.substr(0, equals)] = label.substr(equals + 1);
  }
  return {};
}

}  // namespace

void AddJobOptions(CLI::App* command, JobOptions* options) {
  AddLimitOptions(command, &options->limits);
  command->add_option("--placement", options->placement, "auto, cpu, gpu or interpreter")
      ->check(CLI::IsMember({"auto", "cpu", "gpu", "interpreter"}));
  command
      ->add_option("--floats", options->floats,
                   "exact, or fast32: devices that flush f32 subnormals (Apple's) may")
      ->check(CLI::IsMember({"exact", "fast32"}));
  command
      ->add_option("--hint", options->hints,
                   "never needed, and changes no result: divergent (instances differ in length: "
                   "lanes of a GPU wait for none of their group) or uniform (they are alike: lanes "
                   "wait longer, to begin together)")
      ->type_name("HINT")
      ->check(CLI::IsMember({"divergent", "uniform"}))
      ->allow_extra_args(false);
  command
      ->add_option(
          "--bind", options->bindings,
          "MODULE.NAME=WAY: what an import is bound to that no module gives. trap: a call "
          "traps; ignore: it does nothing, its results are zero; record: its arguments are "
          "shown with the result; constant:i32:7 (or constant:i32:7,f64:0.5): it returns "
          "these, or a global has the value; lookup:FILE.csv: its results are those of the row "
          "with its arguments, other arguments trap, or give VALUE with "
          "lookup:FILE.csv,otherwise=VALUE; the header is such as arg:i32,arg:i32,result:f64; "
          "host: "
          "the program of --host answers it, and host:bytes(1,2)+bytes(3,=16)+string(4) sends it "
          "memory at these arguments, counted from 0: as many bytes as argument 2 says, 16, up to "
          "a "
          "zero byte. 'MODULE.*=WAY' is for all others of MODULE")
      ->type_name("MODULE.NAME=WAY")
      ->allow_extra_args(false);
  command
      ->add_option("--host-timeout", options->host_timeout,
                   "how long a call of an import bound to host may wait for its answer; then it "
                   "traps (default: 60s)")
      ->type_name("DURATION");
  command
      ->add_option("--dump-on-trap", options->dump_on_trap,
                   "keep dumps of so many instances that trap, the first that are heard of, and "
                   "what the job was given: for job dump and job replay, until the job expires")
      ->type_name("K")
      ->check(CLI::Range(0, 64));
  command
      ->add_option("--profile", options->profile,
                   "a profile of so many instances, spread over the job's, is made when it has "
                   "ended, and takes no more than a tenth of its time: job profile shows it")
      ->check(CLI::Range(0, 1024))
      ->type_name("INSTANCES");
  command->add_option("--label", options->labels, "KEY=VALUE")->allow_extra_args(false);
}

Status SetJobOptions(const JobOptions& options, v1::Job* job) {
  WB_TRY(SetLimits(options.limits, job->mutable_limits()));
  WB_TRY(SetLabels(options.labels, job));
  for (const std::string& text : options.bindings) {
    WB_ASSIGN(*job->add_bindings(), ParseBinding(text));
  }
  if (!options.host_timeout.empty()) {
    WB_ASSIGN(const int64_t nanoseconds, ParseDuration(options.host_timeout));
    job->mutable_host_call_timeout()->set_seconds(nanoseconds / 1'000'000'000);
    job->mutable_host_call_timeout()->set_nanos(static_cast<int32_t>(nanoseconds % 1'000'000'000));
  }
  for (const std::string& hint : options.hints) job->add_hints(hint);
  job->set_dump_on_trap(options.dump_on_trap);
  if (options.profile != 0) job->mutable_profile()->set_instances(options.profile);
  if (options.placement == "cpu") job->set_placement(v1::CPU);
  if (options.placement == "interpreter") job->set_placement(v1::INTERPRETER);
  if (options.placement == "gpu") job->set_placement(v1::GPU);
  if (options.floats == "fast32") job->set_floats(v1::FAST32);
  return {};
}

}  // namespace wb::cli
