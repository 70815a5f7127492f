#include "daemon/inspection/dump_files.h"

#include <fcntl.h>

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

constexpr const char* kRequest = "request";
constexpr const char* kFresh = ".new";

std::string NameOf(std::optional<uint64_t> instance) {
  return instance ? std::to_string(*instance) : kRequest;
}

LedgerWords DumpWords() {
  return {"Dumps and kept requests", "inspection.max_total_bytes",
          "Delete jobs that have some, or raise it."};
}

Status NoSuchDump(const std::string& job, std::optional<uint64_t> instance) {
  const std::string what =
      instance ? "no dump of the instance " + Quoted(*instance) : "not what it was given";
  return Status(Reason::kNotFound, "Of the job " + Quoted(JobName(job)) + " there is " + what + ".",
                {{"resource", JobName(job)}});
}

}  // namespace

DumpFiles::DumpFiles(std::string folder, const Limits& limits)
    : folder_(std::move(folder)), limits_(limits), ledger_(limits.total_bytes, DumpWords()) {}

Result<std::unique_ptr<DumpFiles>> DumpFiles::Open(const std::string& folder,
                                                   const Limits& limits) {
  if (!folder.empty()) WB_TRY(MakeLastingFolder(folder, "The folder of dumps"));
  return std::unique_ptr<DumpFiles>(new DumpFiles(folder, limits));
}

std::string DumpFiles::PathOf(const std::string& job, const std::string& name,
                              const Digest& digest) const {
  return FolderOf(job) + "/" + name + "-" + digest.Hex();
}

Status DumpFiles::Reserve(const std::string& job, const std::string& tenant, uint64_t bytes) {
  Job& its = jobs_[job];
  if (its.bytes + bytes > limits_.job_bytes) {
    return Status(Reason::kLimitTooHigh,
                  "The dumps of the job " + Quoted(JobName(job)) + " would have " +
                      Quoted(its.bytes + bytes) + " bytes; inspection.max_job_bytes allows " +
                      Quoted(limits_.job_bytes) + ".",
                  {{"setting", "inspection.max_job_bytes"}});
  }
  WB_TRY(ledger_.Hold(tenant, {bytes, {}}));
  its.tenant = tenant;
  its.bytes += bytes;
  return {};
}

void DumpFiles::GiveBack(const std::string& job, uint64_t bytes) {
  Job& its = jobs_[job];
  ledger_.Drop(its.tenant, {bytes, {}});
  its.bytes -= bytes;
}

Status DumpFiles::Write(const std::string& job, const std::string& name, const Digest& digest,
                        ByteView bytes) const {
  WB_TRY(MakePrivateFolder(FolderOf(job), "The folder of a job's dumps"));
  const std::string path = PathOf(job, name, digest);
  const std::string fresh = path + kFresh;
  if (WriteFlushed(fresh, O_TRUNC, {bytes}) && SystemDisk().Rename(fresh, path) == 0 &&
      FlushFolder(FolderOf(job)) && FlushFolder(folder_)) {
    return {};
  }
  Status failed = FileFailed(path, "cannot be written");
  (void)SystemDisk().Remove(fresh);
  return failed;
}

Status DumpFiles::Put(const std::string& job, const std::string& tenant,
                      std::optional<uint64_t> instance, ByteView bytes) {
  const std::string name = NameOf(instance);
  {
    MutexLock lock(mutex_);
    const auto known = jobs_.find(job);
    if (known != jobs_.end() && known->second.entries.count(name) > 0) return {};
    Status reserved = Reserve(job, tenant, bytes.size());
    if (jobs_[job].entries.empty() && jobs_[job].bytes == 0) jobs_.erase(job);
    WB_TRY(reserved);
  }
  Entry entry{Sha256(bytes), bytes.size(), {}};
  Status written;
  if (folder_.empty()) {
    entry.bytes.assign(bytes.begin(), bytes.end());
  } else {
    written = Write(job, name, entry.digest, bytes);
  }
  MutexLock lock(mutex_);
  if (written.ok()) {
    jobs_[job].entries[name] = std::move(entry);
  } else {
    GiveBack(job, bytes.size());
  }
  return written;
}

bool DumpFiles::Has(const std::string& job, std::optional<uint64_t> instance) const {
  MutexLock lock(mutex_);
  const auto its = jobs_.find(job);
  return its != jobs_.end() && its->second.entries.count(NameOf(instance)) > 0;
}

Result<Bytes> DumpFiles::Get(const std::string& job, std::optional<uint64_t> instance) const {
  const std::string name = NameOf(instance);
  Digest digest;
  {
    MutexLock lock(mutex_);
    const auto its = jobs_.find(job);
    if (its == jobs_.end()) return NoSuchDump(job, instance);
    const auto entry = its->second.entries.find(name);
    if (entry == its->second.entries.end()) return NoSuchDump(job, instance);
    if (folder_.empty()) return entry->second.bytes;
    digest = entry->second.digest;
  }
  const std::string path = PathOf(job, name, digest);
  WB_ASSIGN(Bytes bytes, ReadWholeFile(path));
  if (Sha256(bytes) == digest) return bytes;
  return Status(Reason::kBlobCorrupt, "The bytes of the file " + Quoted(path) + " are damaged.",
                {{"path", path}});
}

void DumpFiles::Forget(const std::string& job) {
  {
    MutexLock lock(mutex_);
    const auto its = jobs_.find(job);
    if (its == jobs_.end()) return;
    ledger_.Drop(its->second.tenant, {its->second.bytes, {}});
    jobs_.erase(its);
  }
  std::error_code error;
  if (!folder_.empty()) fs::remove_all(FolderOf(job), error);  // a later start tries again
}

std::vector<std::string> DumpFiles::Jobs() const {
  MutexLock lock(mutex_);
  std::vector<std::string> jobs;
  for (const auto& [job, its] : jobs_) jobs.push_back(job);
  return jobs;
}

uint64_t DumpFiles::bytes() const {
  MutexLock lock(mutex_);
  return ledger_.bytes();
}

// What does not fit any more under today's bounds is removed. A job that goes on may have put its
// request there again already.
void DumpFiles::RestoreJob(const std::string& job, const std::string& tenant) {
  std::error_code error;
  for (const fs::directory_entry& file : fs::directory_iterator(FolderOf(job), error)) {
    const std::string name = file.path().filename().string();
    const size_t dash = name.rfind('-');
    const auto digest =
        dash == std::string::npos ? std::nullopt : Digest::FromHex(name.substr(dash + 1));
    const uint64_t size = file.file_size(error);
    const std::string key = name.substr(0, dash);
    MutexLock lock(mutex_);
    if (digest && jobs_[job].entries.count(key) > 0) continue;
    if (digest && Reserve(job, tenant, size).ok()) {
      jobs_[job].entries[key] = {*digest, size, {}};
    } else {
      fs::remove(file.path(), error);
    }
  }
}

void DumpFiles::Restore(const TenantOf& tenant_of) {
  if (folder_.empty()) return;
  std::error_code error;
  std::vector<std::string> found;
  for (const fs::directory_entry& folder : fs::directory_iterator(folder_, error)) {
    found.push_back(folder.path().filename().string());
  }
  for (const std::string& job : found) {
    const std::optional<std::string> tenant = IsJobId(job) ? tenant_of(job) : std::nullopt;
    if (tenant) {
      RestoreJob(job, *tenant);
    } else {
      fs::remove_all(FolderOf(job), error);
    }
  }
}

}  // namespace wb
