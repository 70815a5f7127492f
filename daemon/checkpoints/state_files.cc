#include "daemon/checkpoints/state_files.h"

#include <fcntl.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

#include "daemon/database/whole_file.h"
#include "daemon/store/names.h"
#include "scheduler/base/disk_file.h"
#include "scheduler/base/quoted.h"

namespace wb {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFresh = ".new";

LedgerWords StateWords() {
  return {"States of instances", "checkpoints.max_total_bytes",
          "Resume or cancel jobs that are checkpointed, or raise it."};
}

std::optional<uint64_t> InstanceNamed(const std::string& name) {
  uint64_t instance = 0;
  const char* end = name.data() + name.size();
  const auto read = std::from_chars(name.data(), end, instance);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return instance;
}

Status NoSuchState(const std::string& job, uint64_t instance) {
  return Status(Reason::kNotFound, "Of the job " + Quoted(JobName(job)) +
                                       " there is no state of the instance " + Quoted(instance) +
                                       ".");
}

}  // namespace

StateFiles::StateFiles(std::string folder, const Limits& limits, const DiskCalls& disk)
    : folder_(std::move(folder)),
      limits_(limits),
      disk_(disk),
      ledger_(limits.total_bytes, StateWords()) {}

Result<std::unique_ptr<StateFiles>> StateFiles::Open(const std::string& folder,
                                                     const Limits& limits, const DiskCalls& disk) {
  if (!folder.empty()) WB_TRY(MakeLastingFolder(folder, "The folder of states", disk));
  return std::unique_ptr<StateFiles>(new StateFiles(folder, limits, disk));
}

std::string StateFiles::PathOf(const std::string& job, uint64_t instance) const {
  return FolderOf(job) + "/" + std::to_string(instance);
}

Status StateFiles::Reserve(const std::string& job, const std::string& tenant, uint64_t bytes) {
  const auto its = jobs_.find(job);
  const uint64_t held = its == jobs_.end() ? 0 : its->second.bytes;
  if (held + bytes > limits_.job_bytes) {
    return Status(Reason::kLimitTooHigh,
                  "The states of the job " + Quoted(JobName(job)) + " would have " +
                      Quoted(held + bytes) + " bytes; checkpoints.max_job_bytes allows " +
                      Quoted(limits_.job_bytes) + ".",
                  {{"setting", "checkpoints.max_job_bytes"}});
  }
  WB_TRY(ledger_.Hold(tenant, {bytes, {}}));
  jobs_[job].tenant = tenant;
  jobs_[job].bytes += bytes;
  return {};
}

// What Reserve took.
void StateFiles::GiveBack(const std::string& job, const std::string& tenant, uint64_t bytes) {
  ledger_.Drop(tenant, {bytes, {}});
  const auto its = jobs_.find(job);
  if (its == jobs_.end()) return;  // forgotten meanwhile
  its->second.bytes -= bytes;
  if (its->second.bytes == 0 && its->second.entries.empty()) jobs_.erase(its);
}

// Its bytes are reserved; those of the state before it are free.
void StateFiles::Keep(const std::string& job, const std::string& tenant, uint64_t instance,
                      Entry entry) {
  const auto its = jobs_.find(job);
  if (its == jobs_.end()) return GiveBack(job, tenant, entry.size);
  const auto before = its->second.entries.find(instance);
  if (before == its->second.entries.end()) {
    its->second.entries.emplace(instance, std::move(entry));
  } else {
    const uint64_t size = std::exchange(before->second, std::move(entry)).size;
    GiveBack(job, tenant, size);
  }
}

Status StateFiles::Write(const std::string& job, uint64_t instance, ByteView bytes) const {
  WB_TRY(MakePrivateFolder(FolderOf(job), "The folder of a job's states", disk_));
  const std::string path = PathOf(job, instance);
  const std::string fresh = path + kFresh;
  if (WriteFlushed(fresh, O_WRONLY | O_CREAT | O_TRUNC, {bytes}, disk_) &&
      disk_.Rename(fresh, path) == 0 && FlushFolder(FolderOf(job), disk_)) {
    return {};
  }
  Status failed = FileFailed(path, "cannot be written");
  (void)disk_.Remove(fresh);
  return failed;
}

Status StateFiles::Put(const std::string& job, const std::string& tenant, uint64_t instance,
                       ByteView bytes) {
  bool is_first = false;
  {
    const MutexLock lock(mutex_);
    is_first = jobs_.count(job) == 0;
    WB_TRY(Reserve(job, tenant, bytes.size()));
  }
  Entry entry{bytes.size(), {}};
  Status written;
  if (folder_.empty()) {
    entry.bytes.assign(bytes.begin(), bytes.end());
  } else {
    written = Write(job, instance, bytes);
    if (written.ok() && is_first && !FlushFolder(folder_, disk_)) {
      written = FileFailed(folder_, "cannot be flushed");
    }
  }
  const MutexLock lock(mutex_);
  if (written.ok()) {
    Keep(job, tenant, instance, std::move(entry));
  } else {
    GiveBack(job, tenant, bytes.size());
  }
  return written;
}

Result<Bytes> StateFiles::Begin(const std::string& job, uint64_t instance, size_t most) const {
  {
    const MutexLock lock(mutex_);
    const auto its = jobs_.find(job);
    if (its == jobs_.end()) return NoSuchState(job, instance);
    const auto entry = its->second.entries.find(instance);
    if (entry == its->second.entries.end()) return NoSuchState(job, instance);
    const Bytes& bytes = entry->second.bytes;
    if (folder_.empty()) {
      return Bytes(bytes.begin(),
                   bytes.begin() + static_cast<ptrdiff_t>(std::min(bytes.size(), most)));
    }
  }
  return ReadWholeFile(PathOf(job, instance), most);
}

Result<Bytes> StateFiles::Get(const std::string& job, uint64_t instance) const {
  return Begin(job, instance, SIZE_MAX);
}

void StateFiles::Forget(const std::string& job) {
  {
    const MutexLock lock(mutex_);
    const auto its = jobs_.find(job);
    if (its == jobs_.end()) return;
    for (const auto& [instance, entry] : its->second.entries) {
      ledger_.Drop(its->second.tenant, {entry.size, {}});
    }
    jobs_.erase(its);
  }
  std::error_code error;
  if (!folder_.empty()) fs::remove_all(FolderOf(job), error);  // a later start tries again
}

// What does not fit any more under today's bounds is removed, and what was left half written.
void StateFiles::Adopt(const std::string& job, const std::string& tenant) {
  if (folder_.empty() || !IsJobId(job)) return;
  std::error_code error;
  for (const fs::directory_entry& file : fs::directory_iterator(FolderOf(job), error)) {
    const auto instance = InstanceNamed(file.path().filename().string());
    const uint64_t size = file.file_size(error);
    const MutexLock lock(mutex_);
    if (instance && !error && Reserve(job, tenant, size).ok()) {
      Keep(job, tenant, *instance, {size, {}});
    } else {
      fs::remove(file.path(), error);
    }
  }
}

void StateFiles::RemoveOthers() {
  if (folder_.empty()) return;
  std::error_code error;
  std::vector<std::string> found;
  for (const fs::directory_entry& folder : fs::directory_iterator(folder_, error)) {
    found.push_back(folder.path().filename().string());
  }
  for (const std::string& job : found) {
    const MutexLock lock(mutex_);
    if (jobs_.count(job) == 0) fs::remove_all(FolderOf(job), error);
  }
}

std::vector<uint64_t> StateFiles::InstancesOf(const std::string& job) const {
  const MutexLock lock(mutex_);
  std::vector<uint64_t> instances;
  const auto its = jobs_.find(job);
  if (its == jobs_.end()) return instances;
  for (const auto& [instance, entry] : its->second.entries) instances.push_back(instance);
  return instances;
}

uint64_t StateFiles::BytesOf(const std::string& job) const {
  const MutexLock lock(mutex_);
  const auto its = jobs_.find(job);
  return its == jobs_.end() ? 0 : its->second.bytes;
}

std::vector<std::string> StateFiles::Jobs() const {
  const MutexLock lock(mutex_);
  std::vector<std::string> jobs;
  for (const auto& [job, its] : jobs_) jobs.push_back(job);
  return jobs;
}

uint64_t StateFiles::bytes() const {
  const MutexLock lock(mutex_);
  return ledger_.bytes();
}

}  // namespace wb
