#include "tests/daemon/disk/simulated_disk.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "compiler/base/check.h"
#include "tests/daemon/disk/simulated_vfs.h"

namespace wb::test {
namespace {

namespace fs = std::filesystem;
using Kind = DiskOp::Kind;

// In memory where there is such a folder: nothing need last.
std::string NewFolder() {
  std::error_code error;
  const char* parent = fs::is_directory("/dev/shm", error) ? "/dev/shm" : "/tmp";
  std::string folder = std::string(parent) + "/wb_disk_XXXXXX";
  WB_CHECK(::mkdtemp(folder.data()) != nullptr);
  return folder;
}

int Fail(int error) {
  errno = error;
  return -1;
}

void Fill(const std::string& root, const DiskImage& image) {
  for (const auto& [path, bytes] : image) {
    const std::string place = root + "/" + path;
    if (!bytes) {
      WB_CHECK(::mkdir(place.c_str(), 0700) == 0);
      continue;
    }
    std::ofstream file(place, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes->data()),
               static_cast<std::streamsize>(bytes->size()));
    WB_CHECK(file.flush().good());
  }
}

}  // namespace

SimulatedDisk::SimulatedDisk(DiskImage image) : root_(NewFolder()), image_(std::move(image)) {
  Fill(root_, image_);
  vfs_ = std::make_unique<SimulatedVfs>(this);
}

SimulatedDisk::~SimulatedDisk() {
  std::error_code error;
  fs::remove_all(root_, error);
}

std::vector<DiskOp> SimulatedDisk::Record() const {
  const MutexLock lock(mutex_);
  return record_;
}

size_t SimulatedDisk::RecordSize() const {
  const MutexLock lock(mutex_);
  return record_.size();
}

// SQLite's shared memory is made anew by whoever comes first.
DiskImage SimulatedDisk::Look() const {
  DiskImage image;
  for (const auto& entry : fs::recursive_directory_iterator(root_)) {
    const std::string path = *Relative(entry.path().string());
    if (path.ends_with("-shm")) continue;
    if (entry.is_directory()) {
      image[path] = std::nullopt;
      continue;
    }
    std::ifstream file(entry.path(), std::ios::binary);
    image[path] = Bytes(std::istreambuf_iterator<char>(file), {});
  }
  return image;
}

DiskImage SimulatedDisk::CutAt(size_t size, uint64_t seed, bool flush_works) const {
  Chance chance(seed);
  DiskModel model(image_, seed, flush_works);
  const MutexLock lock(mutex_);
  WB_CHECK(size <= record_.size());
  for (size_t i = 0; i < size; ++i) model.Apply(record_[i]);
  return model.Cut(&chance);
}

void SimulatedDisk::FailCall(uint64_t n, int error) {
  const MutexLock lock(mutex_);
  failing_ = calls_ + n;
  error_ = error;
  failed_.clear();
}

std::string SimulatedDisk::failed() const {
  const MutexLock lock(mutex_);
  return failed_;
}

std::optional<std::string> SimulatedDisk::Relative(const std::string& path) const {
  if (path == root_) return "";
  if (!path.starts_with(root_ + "/")) return std::nullopt;
  return path.substr(root_.size() + 1);
}

void SimulatedDisk::Note(Kind kind, const std::string& path, uint64_t offset,
                         ByteView bytes) const {
  const std::optional<std::string> place = Relative(path);
  if (!place) return;
  const MutexLock lock(mutex_);
  record_.push_back({kind, *place, "", offset, Bytes(bytes.begin(), bytes.end())});
}

int SimulatedDisk::Trouble(const char* call, const std::string& path) const {
  const std::optional<std::string> place = Relative(path);
  if (!place) return 0;
  const MutexLock lock(mutex_);
  if (++calls_ != failing_) return 0;
  failed_ = std::string(call) + " of " + *place;
  return error_;
}

int SimulatedDisk::Open(const std::string& path, int flags) const {
  if (const int error = Trouble("open", path); error != 0) return Fail(error);
  std::error_code error;
  const bool is_new = !fs::exists(fs::symlink_status(path, error));
  const int fd = DiskCalls::Open(path, flags);
  if (fd < 0) return fd;
  if (is_new) Note(Kind::kCreate, path);
  if ((flags & O_TRUNC) != 0) Note(Kind::kTruncate, path);
  const MutexLock lock(mutex_);
  files_[fd] = {path, 0};
  return fd;
}

// A full disk takes some of it.
ssize_t SimulatedDisk::Write(int fd, ByteView bytes) const {
  File file;
  {
    const MutexLock lock(mutex_);
    file = files_[fd];
  }
  const int error = Trouble("write", file.path);
  const size_t size = error == 0 ? bytes.size() : error == ENOSPC ? bytes.size() / 2 : 0;
  const ssize_t put = DiskCalls::Write(fd, bytes.subspan(0, size));
  if (put > 0) {
    Note(Kind::kWrite, file.path, file.at, bytes.subspan(0, static_cast<size_t>(put)));
    const MutexLock lock(mutex_);
    files_[fd].at += static_cast<uint64_t>(put);
  }
  return error == 0 ? put : Fail(error);
}

int SimulatedDisk::Flush(int fd) const {
  std::string path;
  {
    const MutexLock lock(mutex_);
    path = files_[fd].path;
  }
  const int error = Trouble("flush", path);
  Note(error == 0 ? Kind::kFlush : Kind::kFlushFailed, path);
  return error == 0 ? 0 : Fail(error);
}

int SimulatedDisk::Close(int fd) const {
  {
    const MutexLock lock(mutex_);
    files_.erase(fd);
  }
  return DiskCalls::Close(fd);
}

int SimulatedDisk::Rename(const std::string& from, const std::string& to) const {
  if (const int error = Trouble("rename", from); error != 0) return Fail(error);
  const int code = DiskCalls::Rename(from, to);
  if (code != 0) return code;
  const MutexLock lock(mutex_);
  record_.push_back({Kind::kRename, *Relative(from), *Relative(to), 0, {}});
  return 0;
}

int SimulatedDisk::Remove(const std::string& path) const {
  if (const int error = Trouble("remove", path); error != 0) return Fail(error);
  const int code = DiskCalls::Remove(path);
  if (code == 0) Note(Kind::kRemove, path);
  return code;
}

int SimulatedDisk::MakeFolder(const std::string& path, mode_t mode) const {
  if (const int error = Trouble("mkdir", path); error != 0) return Fail(error);
  const int code = DiskCalls::MakeFolder(path, mode);
  if (code == 0) Note(Kind::kMakeFolder, path);
  return code;
}

int SimulatedDisk::RemoveFolder(const std::string& path) const {
  if (const int error = Trouble("rmdir", path); error != 0) return Fail(error);
  const int code = DiskCalls::RemoveFolder(path);
  if (code == 0) Note(Kind::kRemove, path);
  return code;
}

const char* SimulatedDisk::database_layer() const { return vfs_->name(); }

}  // namespace wb::test
