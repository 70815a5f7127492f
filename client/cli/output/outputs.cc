#include "client/cli/output/outputs.h"

#include <algorithm>
#include <filesystem>

#include "client/cli/program/files.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

Status NotWritten(const std::string& path) {
  return Status(Reason::kIoError, "The file [" + path + "] cannot be written.", {{"file", path}});
}

// A name as a file's name: no folders, nothing hidden.
std::string SafeName(const std::string& name) {
  std::string safe = name;
  for (char& c : safe) {
    bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
    if (!plain && c != '.') c = '_';
  }
  return safe;
}

}  // namespace

ConcatFile::ConcatFile(std::string output, std::string path)
    : output_(std::move(output)),
      path_(std::move(path)),
      stream_(path_, std::ios::binary | std::ios::trunc) {}

Status ConcatFile::Write(const std::string& bytes) {
  stream_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return stream_ ? Status() : NotWritten(path_);
}

Status ConcatFile::Add(const v1::InstanceResult& result) {
  if (!stream_.is_open()) return NotWritten(path_);
  std::string bytes;
  auto same = [this](const v1::Output& output) { return output.name() == output_; };
  auto at = std::find_if(result.outputs().begin(), result.outputs().end(), same);
  if (at != result.outputs().end()) {
    bytes = at->data();
  } else if (result.end() == v1::RETURNED) {
    return Status(Reason::kNotFound, "The instance [" + std::to_string(result.instance()) +
                                         "] has no output [" + output_ + "].");
  } else {
    ++missing_;
  }
  if (result.instance() != next_) {
    early_[result.instance()] = std::move(bytes);
    return {};
  }
  WB_TRY(Write(bytes));
  ++next_;
  while (!early_.empty() && early_.begin()->first == next_) {
    WB_TRY(Write(early_.begin()->second));
    early_.erase(early_.begin());
    ++next_;
  }
  return {};
}

Status ConcatFile::Finish() {
  for (const auto& [instance, bytes] : early_) {
    missing_ += instance - next_;
    next_ = instance + 1;
    WB_TRY(Write(bytes));
  }
  early_.clear();
  stream_.close();
  return stream_ ? Status() : NotWritten(path_);
}

Status OutputFiles::Open(const std::string& folder, const std::vector<std::string>& concats) {
  folder_ = folder;
  if (!folder.empty()) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) return NotWritten(folder);
  }
  for (const std::string& text : concats) {
    size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size()) {
      return Status(Reason::kInvalidArgument, "The text [" + text + "] is not NAME=FILE.");
    }
    WB_TRY(CheckWritable(text.substr(equals + 1)));
    concats_.push_back(
        std::make_unique<ConcatFile>(text.substr(0, equals), text.substr(equals + 1)));
  }
  return {};
}

Status OutputFiles::Add(const v1::InstanceResult& result) {
  for (const auto& concat : concats_) WB_TRY(concat->Add(result));
  if (folder_.empty()) return {};
  const std::string stem =
      named_by_ ? FileNameAt(*named_by_, result.instance()) : std::to_string(result.instance());
  for (const v1::Output& output : result.outputs()) {
    const std::string name = stem + "." + SafeName(output.name());
    WB_TRY(WriteFile((std::filesystem::path(folder_) / name).string(), output.data()));
  }
  return {};
}

Status OutputFiles::Finish() {
  for (const auto& concat : concats_) WB_TRY(concat->Finish());
  return {};
}

uint64_t OutputFiles::missing() const {
  uint64_t missing = 0;
  for (const auto& concat : concats_) missing += concat->missing();
  return missing;
}

}  // namespace wb::cli
