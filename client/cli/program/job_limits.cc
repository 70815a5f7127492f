#include "client/cli/program/job_limits.h"

#include <CLI/CLI.hpp>

#include "client/cli/program/duration.h"

namespace wb::cli {
namespace {

Status SetDuration(const std::string& text, google::protobuf::Duration* duration) {
  WB_ASSIGN(const int64_t nanoseconds, ParseDuration(text));
  duration->set_seconds(nanoseconds / 1'000'000'000);
  duration->set_nanos(static_cast<int32_t>(nanoseconds % 1'000'000'000));
  return {};
}

// "-1" would be read as a very large number.
const CLI::Validator kNotNegative(
    [](const std::string& text) {
      return text.starts_with("-") ? "needs a number that is not negative, not [" + text + "]"
                                   : std::string();
    },
    "");

}  // namespace

void AddLimitOptions(CLI::App* command, LimitOptions* options) {
  command->add_option("--fuel", options->fuel, "wasm instructions an instance may use")
      ->check(kNotNegative);
  command->add_option("--memory", options->memory_bytes, "bytes of memory an instance may have")
      ->transform(CLI::AsSizeValue(false));
  command->add_option("--stack", options->stack, "8-byte stack slots an instance may use")
      ->check(kNotNegative);
  command->add_option("--output-limit", options->output_bytes, "bytes of output of an instance")
      ->transform(CLI::AsSizeValue(false));
  command
      ->add_option("--total-fuel", options->total_fuel,
                   "wasm instructions all instances together may use")
      ->check(kNotNegative);
  command->add_option("--results-limit", options->results_bytes, "bytes of all results together")
      ->transform(CLI::AsSizeValue(false));
  command->add_option("--max-time", options->max_time,
                      "for the whole job from its first turn on a device, such as 10s");
  command->add_option("--total-time", options->total_time,
                      "for the whole job from its submission, such as 10m");
}

Status SetLimits(const LimitOptions& options, wasmburst::v1::Limits* limits) {
  limits->set_max_fuel(options.fuel);
  limits->set_max_memory_bytes(options.memory_bytes);
  limits->set_max_stack(options.stack);
  limits->set_max_output_bytes(options.output_bytes);
  limits->set_max_total_fuel(options.total_fuel);
  limits->set_max_results_bytes(options.results_bytes);
  if (!options.max_time.empty()) {
    WB_TRY(SetDuration(options.max_time, limits->mutable_max_time()));
  }
  if (options.total_time.empty()) return {};
  return SetDuration(options.total_time, limits->mutable_max_total_time());
}

}  // namespace wb::cli
