#include "client/cli/run/command_job.h"

#include <google/protobuf/util/time_util.h>

#include <map>
#include <utility>

#include "client/cli/run/host_files.h"
#include "client/cli/run/placeholders.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

// What one job takes of files of instances.
constexpr uint64_t kMostFileBytes = uint64_t{1} << 30;

Status Bad(const std::string& words) { return Status(Reason::kInvalidArgument, words); }

class CommandBuilder {
 public:
  CommandBuilder(const CommandOptions& options, const ItemList& items)
      : options_(options), items_(items), command_(*job_.mutable_command()) {}

  Result<v1::Job> Build() &&;

 private:
  Status AddTexts();
  Status AddStandardInput();
  Status AddFiles();
  Status AddClock();
  // A text, or the bytes of the file whose path the text is.
  Status SetText(const std::string& text, v1::BytesOperand* operand);
  Status SetFile(const std::string& path, v1::BytesOperand* operand);
  Result<std::string> ReadCounted(const std::string& path);
  v1::BytesList* AddColumn(v1::BytesOperand* operand);

  const CommandOptions& options_;
  const ItemList& items_;
  v1::Job job_;
  v1::Command& command_;
  std::map<std::string, uint32_t> text_columns_, file_columns_;  // by what they were made of
  uint64_t file_bytes_ = 0;
};

v1::BytesList* CommandBuilder::AddColumn(v1::BytesOperand* operand) {
  operand->set_column(static_cast<uint32_t>(job_.columns_size()));
  return job_.add_columns()->mutable_bytes();
}

Status CommandBuilder::SetText(const std::string& text, v1::BytesOperand* operand) {
  WB_ASSIGN(const Template parsed, Template::Parse(text, items_));
  if (!parsed.varies()) {
    operand->set_constant(parsed.At(items_, 0));
    return {};
  }
  const auto known = text_columns_.find(text);
  if (known != text_columns_.end()) {
    operand->set_column(known->second);
    return {};
  }
  v1::BytesList* column = AddColumn(operand);
  text_columns_[text] = operand->column();
  for (uint64_t i = 0; i < items_.size(); ++i) {
    const std::string value = parsed.At(items_, i);
    if (value.find('\0') != std::string::npos) {
      return Bad("The text [" + text + "] has a NUL byte for the item [" + items_.texts[i] + "].");
    }
    column->add_values(value);
  }
  return {};
}

Result<std::string> CommandBuilder::ReadCounted(const std::string& path) {
  WB_ASSIGN(std::string bytes, ReadFile(path));
  file_bytes_ += bytes.size();
  if (file_bytes_ <= kMostFileBytes) return bytes;
  return Bad("The files of all instances have [" + std::to_string(file_bytes_) +
             "] bytes or more; one run takes [" + std::to_string(kMostFileBytes) +
             "]. Give a part of the items to each of several runs.");
}

// Files are columns even where all instances have the same: long ones are uploaded by themselves.
Status CommandBuilder::SetFile(const std::string& path, v1::BytesOperand* operand) {
  const auto known = file_columns_.find(path);
  if (known != file_columns_.end()) {
    operand->set_column(known->second);
    return {};
  }
  WB_ASSIGN(const Template parsed, Template::Parse(path, items_));
  v1::BytesList* column = AddColumn(operand);
  file_columns_[path] = operand->column();
  const uint64_t files = parsed.varies() ? items_.size() : 1;
  for (uint64_t i = 0; i < files; ++i) {
    WB_ASSIGN(*column->add_values(), ReadCounted(parsed.At(items_, i)));
  }
  return {};
}

Status CommandBuilder::AddTexts() {
  command_.add_args()->set_constant(options_.name);
  for (const std::string& arg : options_.args) WB_TRY(SetText(arg, command_.add_args()));
  for (const std::string& text : options_.environment) {
    const size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return Bad("The variable [" + text + "] is not NAME=TEXT.");
    }
    WB_TRY(SetText(text, command_.add_environment()));
  }
  return {};
}

Status CommandBuilder::AddStandardInput() {
  const int sources = static_cast<int>(!options_.input_file.empty()) +
                      static_cast<int>(!options_.input_from.empty()) +
                      static_cast<int>(!options_.input_column.empty());
  if (sources == 0) return {};
  if (sources > 1) return Bad("Give one of --stdin, --stdin-from and --stdin-column.");
  v1::BytesOperand* input = command_.mutable_standard_input();
  if (!options_.input_from.empty()) return SetFile(options_.input_from, input);
  if (!options_.input_file.empty()) {
    WB_ASSIGN(*AddColumn(input)->add_values(), ReadFile(options_.input_file));
    return {};
  }
  const std::string& column = options_.input_column;
  const bool is_text = column.find('{') != std::string::npos;
  return SetText(is_text ? column : "{" + column + "}", input);
}

Status CommandBuilder::AddFiles() {
  if (!options_.files.empty()) {
    WB_ASSIGN(*AddColumn(command_.mutable_files())->add_values(),
              PackFolder(options_.files, options_.keep_times));
  }
  for (const std::string& text : options_.own_files) {
    WB_ASSIGN(const NamedText file, SplitNamed(text, "GUEST=HOST"));
    v1::OwnFile* own = command_.add_own_files();
    WB_TRY(SetText(file.name, own->mutable_path()));
    WB_TRY(SetFile(file.text, own->mutable_data()));
  }
  for (const std::string& path : options_.output_files) command_.add_output_files(path);
  return {};
}

Status CommandBuilder::AddClock() {
  using google::protobuf::util::TimeUtil;
  if (options_.clock.empty()) return {};
  google::protobuf::Timestamp* start = command_.mutable_clock_start();
  if (options_.clock == "now") {
    *start = TimeUtil::GetCurrentTime();
  } else if (!TimeUtil::FromString(options_.clock, start)) {
    return Bad("The time [" + options_.clock +
               "] of --clock is neither now nor such as 2026-01-31T12:00:00Z.");
  }
  return {};
}

Result<v1::Job> CommandBuilder::Build() && {
  job_.set_instances(items_.size());
  command_.set_seed(options_.seed);
  command_.set_scratch_bytes(options_.scratch_bytes);
  WB_TRY(AddTexts());
  WB_TRY(AddStandardInput());
  WB_TRY(AddFiles());
  WB_TRY(AddClock());
  return std::move(job_);
}

}  // namespace

Result<v1::Job> BuildCommandJob(const CommandOptions& options, const ItemList& items) {
  return CommandBuilder(options, items).Build();
}

}  // namespace wb::cli
