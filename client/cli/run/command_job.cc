#include "client/cli/run/command_job.h"

#include <google/protobuf/util/time_util.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "client/cli/program/files.h"
#include "client/cli/run/host_files.h"
#include "client/cli/run/placeholders.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

// What one job takes of files of instances.
constexpr uint64_t kMostFileBytes = uint64_t{1} << 30;
constexpr uint64_t kLongInput = 64 << 10;
constexpr uint64_t kSeedStep =
    0x9e3779b97f4a7c15;  // what an instance's number counts of the seed (Command.seed)

Status Bad(const std::string& words) { return Status(Reason::kInvalidArgument, words); }

class CommandBuilder {
 public:
  CommandBuilder(const CommandOptions& options, const SharedInputs& shared, const ItemList& items,
                 const ItemRange& range)
      : options_(options),
        shared_(shared),
        items_(items),
        range_(range),
        command_(*job_.mutable_command()) {}

  Result<v1::Job> Build() &&;

 private:
  Status AddTexts();
  Status AddStandardInput();
  Status AddFiles();
  Status AddClock();
  void AddSeed();
  // A text, or the bytes of the file whose path the text is.
  Status SetText(const std::string& text, v1::BytesOperand* operand);
  Status SetFile(const std::string& path, v1::BytesOperand* operand);
  Result<std::string> ReadCounted(const std::string& path);
  v1::Column* AddColumn(v1::BytesOperand* operand);

  const CommandOptions& options_;
  const SharedInputs& shared_;
  const ItemList& items_;
  const ItemRange range_;
  v1::Job job_;
  v1::Command& command_;
  std::map<std::string, uint32_t> text_columns_, file_columns_;  // by what they were made of
  uint64_t file_bytes_ = 0;
};

v1::Column* CommandBuilder::AddColumn(v1::BytesOperand* operand) {
  operand->set_column(static_cast<uint32_t>(job_.columns_size()));
  return job_.add_columns();
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
  v1::BytesList* column = AddColumn(operand)->mutable_bytes();
  text_columns_[text] = operand->column();
  for (uint64_t i = 0; i < range_.count; ++i) {
    column->add_values(parsed.At(items_, range_.first + i));
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
  v1::BytesList* column = AddColumn(operand)->mutable_bytes();
  file_columns_[path] = operand->column();
  const uint64_t files = parsed.varies() ? range_.count : 1;
  for (uint64_t i = 0; i < files; ++i) {
    WB_ASSIGN(*column->add_values(), ReadCounted(parsed.At(items_, range_.first + i)));
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
    *AddColumn(input) = *shared_.standard_input;
    return {};
  }
  const std::string& column = options_.input_column;
  const bool is_text = column.find('{') != std::string::npos;
  return SetText(is_text ? column : "{" + column + "}", input);
}

Status CommandBuilder::AddFiles() {
  if (shared_.files) *AddColumn(command_.mutable_files()) = *shared_.files;
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

// What an item draws follows from its number among all, however the run is cut and whatever is left
// out of it. Instances are numbered within their job; the first item's number adds the rest.
void CommandBuilder::AddSeed() {
  const uint64_t* numbers = items_.numbers.data() + range_.first;
  const bool has_gaps = numbers[range_.count - 1] - numbers[0] != range_.count - 1;
  command_.set_seed(options_.seed + (has_gaps ? 0 : numbers[0] * kSeedStep));
  if (!has_gaps) return;
  v1::BytesList* column = AddColumn(command_.mutable_draw_numbers())->mutable_bytes();
  for (uint64_t i = 0; i < range_.count; ++i) {
    std::string* bytes = column->add_values();
    for (int shift = 0; shift < 64; shift += 8) *bytes += static_cast<char>(numbers[i] >> shift);
  }
}

Result<v1::Job> CommandBuilder::Build() && {
  job_.set_instances(range_.count);
  command_.set_scratch_bytes(options_.scratch_bytes);
  WB_TRY(AddTexts());
  WB_TRY(AddStandardInput());
  WB_TRY(AddFiles());
  WB_TRY(AddClock());
  AddSeed();
  return std::move(job_);
}

// 0 where it cannot be said; reading the file then says why.
uint64_t SizeOf(const std::string& path) {
  std::error_code error;
  const uintmax_t size = std::filesystem::file_size(path, error);
  return error ? 0 : size;
}

// The templates of files that differ between items.
Result<std::vector<Template>> FilesOfItems(const CommandOptions& options, const ItemList& items) {
  std::vector<std::string> texts = {options.input_from};
  for (const std::string& text : options.own_files) {
    WB_ASSIGN(NamedText file, SplitNamed(text, "GUEST=HOST"));
    texts.push_back(std::move(file.text));
  }
  std::vector<Template> files;
  for (const std::string& text : texts) {
    WB_ASSIGN(Template parsed, Template::Parse(text, items));
    if (parsed.varies()) files.push_back(std::move(parsed));
  }
  return files;
}

Result<v1::Column> SharedColumn(const InputSource& value, const UploadShared& upload) {
  v1::Column column;
  if (value.bytes > kLongInput) {
    WB_ASSIGN(const v1::Input input, upload(ColumnSource(value)));
    column.mutable_uploaded()->set_input(input.name());
    return column;
  }
  std::string* held = column.mutable_bytes()->add_values();
  WB_TRY(value.write([held](std::string_view part) {
    held->append(part);
    return Status();
  }));
  return column;
}

// What is no file, such as a pipe, can be read once, and is held.
Result<v1::Column> SharedStandardInput(const std::string& path, const UploadShared& upload) {
  std::error_code error;
  if (path != "-" && std::filesystem::is_regular_file(path, error)) {
    WB_ASSIGN(const HostFile file, HostFile::At(path));
    if (file.bytes() > kLongInput) return SharedColumn(file.Source(), upload);
  }
  WB_ASSIGN(const std::string held, ReadFile(path));
  const auto write = [&held](const TakePart& take) { return take(held); };
  return SharedColumn({"The file [" + path + "]", held.size(), write}, upload);
}

}  // namespace

Result<SharedInputs> ReadShared(const CommandOptions& options, const UploadShared& upload) {
  SharedInputs shared;
  if (!options.input_file.empty()) {
    WB_ASSIGN(shared.standard_input, SharedStandardInput(options.input_file, upload));
  }
  if (!options.files.empty()) {
    WB_ASSIGN(const FolderListing listing, FolderListing::Of(options.files, options.keep_times));
    WB_ASSIGN(shared.files, SharedColumn(listing.Source(), upload));
  }
  return shared;
}

Result<ItemRange> NextRange(const CommandOptions& options, const ItemList& items, uint64_t first,
                            const RangeBounds& bounds) {
  WB_ASSIGN(const std::vector<Template> files, FilesOfItems(options, items));
  const uint64_t end = first + std::min(bounds.most_items, items.size() - first);
  uint64_t bytes = 0;
  for (uint64_t place = first; place < end; ++place) {
    for (const Template& file : files) bytes += SizeOf(file.At(items, place));
    if (bytes > bounds.most_bytes && place > first) return ItemRange{first, place - first};
  }
  return ItemRange{first, end - first};
}

Result<v1::Job> BuildCommandJob(const CommandOptions& options, const SharedInputs& shared,
                                const ItemList& items, const ItemRange& range) {
  return CommandBuilder(options, shared, items, range).Build();
}

}  // namespace wb::cli
