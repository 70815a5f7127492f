#include "daemon/database/blob_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <random>
#include <string_view>
#include <system_error>
#include <utility>

#include "daemon/database/whole_file.h"
#include "daemon/process/fail_point.h"
#include "scheduler/base/disk_file.h"
#include "scheduler/base/quoted.h"

namespace wb {
namespace {

constexpr const char* kFresh = ".new";
constexpr const char* kQuarantine = "quarantine";
constexpr std::string_view kDamaged = "The bytes of the file ";

std::optional<Digest> DigestOf(const std::filesystem::path& path) {
  return Digest::FromHex(path.filename().string());
}

constexpr std::chrono::hours kLeft{24};

// Threads, processes and machines may put the same blob at a time: each writes a file of its own.
std::string FreshName(const std::string& path) {
  static std::atomic<uint64_t> number{uint64_t{std::random_device{}()} << 32};
  return path + "." + std::to_string(++number) + kFresh;
}

// What was left half written so long ago.
void RemoveFresh(const std::string& folder, std::chrono::hours age, const DiskCalls& disk) {
  std::error_code error;
  const auto now = std::filesystem::file_time_type::clock::now();
  for (const auto& part : std::filesystem::directory_iterator(folder, error)) {
    for (const auto& file : std::filesystem::directory_iterator(part.path(), error)) {
      if (file.path().extension() != kFresh) continue;
      const auto written = std::filesystem::last_write_time(file.path(), error);
      if (age.count() > 0 && (error || now - written < age)) continue;
      (void)disk.Remove(file.path().string());
    }
  }
}

}  // namespace

Result<BlobFolder> BlobFolder::Open(const std::string& folder, const DiskCalls& disk) {
  WB_TRY(MakeLastingFolder(folder, "The folder of blobs", disk));
  RemoveFresh(folder, {}, disk);
  return BlobFolder(folder, disk);
}

Result<BlobFolder> BlobFolder::OpenShared(const std::string& folder) {
  WB_TRY(MakeLastingFolder(folder, "The folder of blobs", SystemDisk()));
  RemoveFresh(folder, kLeft, SystemDisk());
  return BlobFolder(folder, SystemDisk());
}

std::string BlobFolder::PathOf(const Digest& digest) const {
  const std::string hex = digest.Hex();
  return folder_ + "/" + hex.substr(0, 2) + "/" + hex;
}

std::vector<BlobFolder::Entry> BlobFolder::List() const {
  std::vector<Entry> entries;
  std::error_code error;
  for (const auto& part : std::filesystem::directory_iterator(folder_, error)) {
    if (part.path().filename() == kQuarantine) continue;
    for (const auto& file : std::filesystem::directory_iterator(part.path(), error)) {
      const std::optional<Digest> digest = DigestOf(file.path());
      struct stat facts {};
      if (!digest || ::lstat(file.path().c_str(), &facts) != 0) continue;
      const int64_t time = int64_t{facts.st_mtim.tv_sec} * 1'000'000'000 + facts.st_mtim.tv_nsec;
      entries.push_back({*digest, static_cast<uint64_t>(facts.st_size), time});
    }
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.digest < b.digest; });
  return entries;
}

// What is there may be of a process that ended before it had flushed the names.
Status BlobFolder::Put(const Digest& digest, ByteView bytes) const {
  const std::string path = PathOf(digest);
  const std::string part = path.substr(0, path.rfind('/'));
  struct stat facts {};
  if (::lstat(path.c_str(), &facts) == 0 && static_cast<uint64_t>(facts.st_size) == bytes.size()) {
    Touch(digest);
    return FlushNames(part);
  }
  WB_TRY(MakePrivateFolder(part, "The folder of blobs", *disk_));
  WB_TRY(Write(path, bytes));
  FailPoint(FailPlace::kBlobRenamed);
  Status flushed = FlushNames(part);
  if (flushed.ok()) return {};
  // The system may take the names for flushed the next time. So they are made anew then.
  (void)disk_->Remove(path);
  (void)disk_->RemoveFolder(part);  // stays where others lie in it
  return flushed;
}

Status BlobFolder::Write(const std::string& path, ByteView bytes) const {
  const std::string fresh = FreshName(path);
  bool is_there = WriteFlushed(fresh, O_EXCL, {bytes}, *disk_);
  if (is_there) {
    FailPoint(FailPlace::kBlobWritten);
    is_there = disk_->Rename(fresh, path) == 0;
  }
  if (is_there) return {};
  Status failed = FileFailed(path, "cannot be written");
  (void)disk_->Remove(fresh);
  return failed;
}

Status BlobFolder::FlushNames(const std::string& part) const {
  if (FlushFolder(part, *disk_) && FlushFolder(folder_, *disk_)) return {};
  return FileFailed(part, "cannot be flushed");
}

Result<Bytes> BlobFolder::Look(const Digest& digest) const {
  const std::string path = PathOf(digest);
  const DiskFile file(path, kReadFlags);
  if (!file.ok() && errno == ENOENT) {
    return Status(Reason::kNotFound, "There is no blob " + Quoted(digest.Hex()) + ".");
  }
  const auto facts = file.Facts();
  if (!facts) return FileFailed(path, "cannot be opened");
  Bytes bytes(static_cast<size_t>(facts->st_size));
  const std::optional<size_t> size = file.Read(bytes);
  if (!size) return FileFailed(path, "cannot be read");
  bytes.resize(*size);
  if (Sha256(bytes) == digest) return bytes;
  return Status(Reason::kBlobCorrupt, std::string(kDamaged) + Quoted(path) + " are damaged.",
                {{"path", path}});
}

Result<Bytes> BlobFolder::Get(const Digest& digest) const {
  Result<Bytes> bytes = Look(digest);
  if (bytes.ok() || !bytes.status().message().starts_with(kDamaged)) return bytes;
  WB_TRY(Quarantine(digest));
  return Status(Reason::kBlobCorrupt,
                bytes.status().message() + " It was moved to " +
                    Quoted(folder_ + "/" + kQuarantine) + "; upload it again.",
                bytes.status().details());
}

Status BlobFolder::Quarantine(const Digest& digest) const {
  const std::string path = PathOf(digest);
  const std::string away = folder_ + "/" + kQuarantine;
  WB_TRY(MakePrivateFolder(away, "The folder of damaged blobs", *disk_));
  if (disk_->Rename(path, away + "/" + digest.Hex()) == 0) return {};
  return FileFailed(path, "is damaged and cannot be moved away");
}

void BlobFolder::Touch(const Digest& digest) const {
  // Only what is left first when room is short depends on it.
  (void)::utimensat(AT_FDCWD, PathOf(digest).c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
}

Status BlobFolder::LinkTo(const Digest& digest, const std::string& path) const {
  if (::link(PathOf(digest).c_str(), path.c_str()) == 0) return {};
  if (errno == ENOENT) {
    return Status(Reason::kNotFound, "There is no blob " + Quoted(digest.Hex()) + ".");
  }
  return FileFailed(PathOf(digest), "cannot be linked");
}

Status BlobFolder::Remove(const Digest& digest) const {
  const std::string path = PathOf(digest);
  if (disk_->Remove(path) == 0 || errno == ENOENT) return {};
  return FileFailed(path, "cannot be removed");
}

}  // namespace wb
