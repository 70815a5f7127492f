#include "daemon/translate/translate_command.h"

#include <algorithm>
#include <utility>

#include "daemon/translate/parsed_job.h"
#include "daemon/translate/system_configuration.h"
#include "daemon/translate/translate_value.h"
#include "wasmburst/v1/command.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

constexpr const char* kBridgeModule = "bridge";
constexpr int kMostTexts = 1024;  // arguments; environment
constexpr int kMostOwnFiles = 256;
constexpr int kMostOutputFiles = 251;  // streams 3 .. 253; 254 is of recorded calls
constexpr size_t kLongestPath = 4096;
constexpr uint32_t kDefaultScratch = 16 << 20;
constexpr int64_t kNanosecondsPerSecond = 1'000'000'000;
// Later ones have no 64 bits of nanoseconds.
constexpr int64_t kLastSecond = 18'446'744'073;

// Of generated columns: the job holds them.
uint32_t AddColumn(Column column, uint64_t bytes, ParsedJob* job) {
  job->request.holds.bytes += sizeof(Column) + bytes;
  job->columns.push_back(std::move(column));
  return static_cast<uint32_t>(job->columns.size() - 1);
}

uint32_t AddConstant(ByteView bytes, ParsedJob* job) {
  Column column;
  column.kind = Column::Kind::kBytes;
  column.bytes = {Bytes(bytes.begin(), bytes.end())};
  return AddColumn(std::move(column), bytes.size(), job);
}

Status AddInput(const v1::BytesOperand& proto, const std::string& field, ParsedJob* job) {
  uint32_t column = proto.column();
  if (proto.source_case() == v1::BytesOperand::kConstant) {
    column = AddConstant(AsBytes(proto.constant()), job);
  } else if (proto.source_case() == v1::BytesOperand::kColumn) {
    WB_TRY(CheckBytesColumn(*job, column, field + ".column"));
  } else {
    return FieldError(field, "is neither constant nor column");
  }
  job->request.input_columns.push_back(column);
  return {};
}

// One that may be missing: its place among the inputs is kept by one without bytes.
Status AddOptional(bool present, const v1::BytesOperand& proto, const std::string& field,
                   ParsedJob* job) {
  if (present) return AddInput(proto, field, job);
  job->request.input_columns.push_back(AddConstant({}, job));
  return {};
}

Status CheckText(const v1::BytesOperand& text, bool is_variable, const std::string& field) {
  if (text.source_case() != v1::BytesOperand::kConstant) return {};
  if (text.constant().find('\0') != std::string::npos) return FieldError(field, "has a NUL byte");
  const size_t equals = text.constant().find('=');
  if (is_variable && (equals == 0 || equals == std::string::npos)) {
    return FieldError(field, "is not NAME=value");
  }
  return {};
}

template <typename Texts>
Status AddTexts(const Texts& texts, bool are_variables, const std::string& field, ParsedJob* job) {
  if (texts.size() > kMostTexts) {
    return FieldError(field, "has [" + std::to_string(texts.size()) + "]; 1,024 at most");
  }
  for (int i = 0; i < texts.size(); ++i) {
    const std::string at = field + "[" + std::to_string(i) + "]";
    WB_TRY(CheckText(texts.Get(i), are_variables, at));
    WB_TRY(AddInput(texts.Get(i), at, job));
  }
  return {};
}

Status AddOwnFiles(const v1::Command& proto, ParsedJob* job) {
  if (proto.own_files_size() > kMostOwnFiles) {
    return FieldError("job.command.own_files", "has more than 256");
  }
  for (int i = 0; i < proto.own_files_size(); ++i) {
    const std::string at = "job.command.own_files[" + std::to_string(i) + "]";
    WB_TRY(AddInput(proto.own_files(i).path(), at + ".path", job));
    WB_TRY(AddInput(proto.own_files(i).data(), at + ".data", job));
  }
  return {};
}

Status ReadOutputFiles(const v1::Command& proto, SystemConfiguration* configuration) {
  const std::string field = "job.command.output_files";
  if (proto.output_files_size() > kMostOutputFiles) return FieldError(field, "has more than 251");
  for (int i = 0; i < proto.output_files_size(); ++i) {
    const std::string& path = proto.output_files(i);
    const std::string at = field + "[" + std::to_string(i) + "]";
    if (path.empty() || path.size() > kLongestPath) {
      return FieldError(at, "needs a path of 1 to 4,096 bytes");
    }
    const auto& before = configuration->output_files;
    if (path == "stdout" || path == "stderr" ||
        std::find(before.begin(), before.end(), path) != before.end()) {
      return FieldError(at, "has a name [" + path + "] that another output of the job has");
    }
    configuration->output_files.push_back(path);
  }
  return {};
}

Status ReadClock(const v1::Command& proto, SystemConfiguration* configuration) {
  const int64_t seconds = proto.clock_start().seconds();
  const int32_t rest = proto.clock_start().nanos();
  if (seconds < 0 || seconds >= kLastSecond || rest < 0 || rest >= kNanosecondsPerSecond) {
    return FieldError("job.command.clock_start", "lies outside the years 1970 to 2554");
  }
  configuration->clock_start_ns =
      static_cast<uint64_t>(seconds) * kNanosecondsPerSecond + static_cast<uint64_t>(rest);
  return {};
}

Result<SystemConfiguration> ConfigurationOf(const v1::Command& proto) {
  SystemConfiguration configuration;
  configuration.args = static_cast<uint32_t>(proto.args_size());
  configuration.environment = static_cast<uint32_t>(proto.environment_size());
  configuration.own_files = static_cast<uint32_t>(proto.own_files_size());
  configuration.seed = proto.seed();
  configuration.scratch_bytes =
      proto.scratch_bytes() == 0 ? kDefaultScratch : proto.scratch_bytes();
  configuration.has_standard_input = proto.has_standard_input();
  configuration.has_files = proto.has_files();
  configuration.has_draw_numbers = proto.has_draw_numbers();
  configuration.preopens = {{"/", ""}};
  WB_TRY(ReadClock(proto, &configuration));
  WB_TRY(ReadOutputFiles(proto, &configuration));
  return configuration;
}

// `finish` is the system layer's.
void AddSteps(JobRequest* request) {
  if (request->steps.empty()) request->steps.emplace_back(CallStep{"_start", {}, false, ""});
  request->shown_steps = request->steps.size();
  request->steps.emplace_back(CallStep{"finish", {}, false, kSystemModule});
}

Status CheckLinkedNames(const JobRequest& request) {
  for (const LinkedModuleName& linked : request.linked) {
    if (linked.name != kSystemModule && linked.name != kBridgeModule) continue;
    return FieldError("job.linked", "has a module [" + linked.name +
                                        "]; a program's own have the names [bridge] and [system]");
  }
  return {};
}

}  // namespace

Status CheckBytesColumn(const ParsedJob& job, uint32_t column, const std::string& field) {
  if (column >= job.columns.size()) {
    return FieldError(field, "is [" + std::to_string(column) + "]; the job has [" +
                                 std::to_string(job.columns.size()) + "] columns");
  }
  if (job.columns[column].kind == Column::Kind::kBytes) return {};
  return FieldError(field,
                    "is [" + std::to_string(column) + "], a column of numbers; it needs bytes");
}

Status AddCommand(const v1::Command& proto, ParsedJob* job) {
  WB_TRY(CheckLinkedNames(job->request));
  WB_ASSIGN(const SystemConfiguration configuration, ConfigurationOf(proto));
  job->request.input_columns = {AddConstant(EncodeSystemConfiguration(configuration), job)};
  WB_TRY(AddOptional(proto.has_standard_input(), proto.standard_input(),
                     "job.command.standard_input", job));
  WB_TRY(AddOptional(proto.has_files(), proto.files(), "job.command.files", job));
  WB_TRY(AddTexts(proto.args(), false, "job.command.args", job));
  WB_TRY(AddTexts(proto.environment(), true, "job.command.environment", job));
  WB_TRY(AddOwnFiles(proto, job));
  if (proto.has_draw_numbers()) {
    WB_TRY(AddInput(proto.draw_numbers(), "job.command.draw_numbers", job));
  }
  job->request.streams = {"stdout", "stderr"};
  for (const std::string& path : configuration.output_files) job->request.streams.push_back(path);
  AddSteps(&job->request);
  return {};
}

}  // namespace wb
