#include "daemon/store/durable/backup_restore.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "compiler/base/digest_stream.h"
#include "daemon/database/folder_lock.h"
#include "daemon/database/whole_file.h"
#include "daemon/store/durable/backup_format.h"
#include "scheduler/base/disk_file.h"
#include "scheduler/base/quoted.h"
#include "scheduler/base/system_error.h"

namespace wb {
namespace {

namespace fs = std::filesystem;

constexpr size_t kReadBytes = 256 << 10;
constexpr size_t kMostMarkBytes = 256;

Status NoBackup(const std::string& file, const std::string& why) {
  return Status(Reason::kConfigInvalid, "The file " + Quoted(file) + " is no backup: " + why,
                {{"path", file}});
}

Status Damaged(const std::string& file, const std::string& why) {
  return Status(Reason::kBlobCorrupt,
                "The backup " + Quoted(file) + " is damaged or cut: " + why +
                    " Nothing was restored; take another copy of it.",
                {{"path", file}});
}

// An archive that is open: bytes from its begin on, and how many are left of what tar looks at.
class ArchiveFile {
 public:
  explicit ArchiveFile(const std::string& path) : path_(path), file_(path, O_RDONLY | O_NONBLOCK) {}

  // Reads all of it; at its begin when that was good.
  Status CheckDigest() {
    struct stat facts {};
    if (!file_.ok() || ::fstat(file_.fd(), &facts) != 0) {
      return SystemError("The backup " + Quoted(path_) + " cannot be opened", errno,
                         {{"path", path_}});
    }
    if (!S_ISREG(facts.st_mode)) return NoBackup(path_, "it is neither a file nor a folder.");
    const auto bytes = static_cast<uint64_t>(facts.st_size);
    if (bytes < 2 * kTarBlockBytes) return NoBackup(path_, "it is too short.");
    left_ = bytes - kTarBlockBytes;
    DigestStream digest;
    Bytes piece(kReadBytes);
    while (left_ > 0) {
      const size_t size = std::min<uint64_t>(left_, piece.size());
      WB_TRY(Read(std::span(piece).first(size)));
      digest.Add(ByteView(piece).first(size));
    }
    TarBlock end;
    left_ = end.size();
    WB_TRY(Read(end));
    if (end != BackupEnd(digest.Finish(), bytes - kTarBlockBytes)) {
      return Damaged(path_, "its bytes have another digest than its end says.");
    }
    left_ = bytes - kTarBlockBytes;
    if (::lseek(file_.fd(), 0, SEEK_SET) == 0) return {};
    return SystemError("The backup " + Quoted(path_) + " cannot be read", errno, {{"path", path_}});
  }

  Status Read(std::span<uint8_t> out) {
    if (out.size() > left_ || file_.Read(out) != out.size()) {
      return Damaged(path_, "it ends within a file.");
    }
    left_ -= out.size();
    return {};
  }

  Status Wrong(const std::string& why) const { return Damaged(path_, why); }
  const std::string& path() const { return path_; }
  uint64_t left() const { return left_; }

 private:
  const std::string path_;
  const DiskFile file_;
  uint64_t left_ = 0;
};

bool IsZero(ByteView bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](uint8_t byte) { return byte == 0; });
}

// Writes the files of an archive below a folder of its own.
class Unpacker {
 public:
  Unpacker(ArchiveFile* archive, std::string folder)
      : archive_(*archive), folder_(std::move(folder)) {}

  Status Unpack() {
    WB_TRY(MakePrivateFolder(folder_, "The folder of the restored state"));
    WB_TRY(TakeMark());
    while (true) {
      TarBlock block;
      WB_TRY(archive_.Read(block));
      if (IsZero(block)) break;
      const std::optional<TarEntry> entry = DecodeTarHeader(block);
      if (!entry) return archive_.Wrong("it has an entry that is no plain file of a backup.");
      WB_TRY(Take(*entry));
    }
    TarBlock block;
    WB_TRY(archive_.Read(block));
    if (!IsZero(block) || archive_.left() != 0) return archive_.Wrong("it has more than one end.");
    if (has_database_) return {};
    return archive_.Wrong("it has no " + Quoted(std::string(kBackupDatabase)) + ".");
  }

 private:
  Status TakeMark() {
    TarBlock block;
    WB_TRY(archive_.Read(block));
    const std::optional<TarEntry> entry = DecodeTarHeader(block);
    if (!entry || entry->name != kBackupMark || entry->bytes > kMostMarkBytes) {
      return NoBackup(archive_.path(), "it does not begin with a backup's mark.");
    }
    Bytes text(static_cast<size_t>(entry->bytes));
    WB_TRY(archive_.Read(text));
    if (AsText(text) != kBackupMarkText) {
      return NoBackup(archive_.path(), "it is of another version than this program reads.");
    }
    return SkipPadding(entry->bytes);
  }

  // The name is one of a backup's, so that nothing lies outside the folder.
  Status Take(const TarEntry& entry) {
    const std::optional<BlobPlace> blob = BlobPlaceOf(entry.name);
    if (blob) {
      const std::string part = folder_ + "/" + blob->folder;
      const std::string hex = blob->digest.Hex();
      WB_TRY(MakePrivateFolder(part, "The folder of blobs"));
      WB_TRY(MakePrivateFolder(part + "/" + hex.substr(0, 2), "The folder of blobs"));
      WB_ASSIGN(const Digest digest, Write(part + "/" + hex.substr(0, 2) + "/" + hex, entry));
      if (digest == blob->digest) return {};
      return archive_.Wrong("the bytes of " + Quoted(entry.name) + " have another digest.");
    }
    const bool is_database = entry.name == kBackupDatabase;
    if (!is_database && entry.name != kBackupOrders) {
      return archive_.Wrong("it has the file " + Quoted(entry.name) + ", which no backup has.");
    }
    has_database_ = has_database_ || is_database;
    return Write(folder_ + "/" + entry.name, entry).status();
  }

  Result<Digest> Write(const std::string& path, const TarEntry& entry) {
    const DiskFile file(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
    if (!file.ok() && errno == EEXIST)
      return archive_.Wrong("it has " + Quoted(entry.name) + " twice.");
    if (!file.ok()) return FileFailed(path, "cannot be written");
    DigestStream digest;
    Bytes piece(kReadBytes);
    for (uint64_t left = entry.bytes; left > 0;) {
      const size_t size = std::min<uint64_t>(left, piece.size());
      WB_TRY(archive_.Read(std::span(piece).first(size)));
      const ByteView bytes = ByteView(piece).first(size);
      digest.Add(bytes);
      if (!file.Write(bytes)) return FileFailed(path, "cannot be written");
      left -= size;
    }
    WB_TRY(SkipPadding(entry.bytes));
    if (!file.Flush() || !FlushFolder(fs::path(path).parent_path()))
      return FileFailed(path, "cannot be written");
    return digest.Finish();
  }

  Status SkipPadding(uint64_t bytes) {
    TarBlock block{};
    const std::span<uint8_t> padding = std::span(block).first(TarPadding(bytes));
    WB_TRY(archive_.Read(padding));
    return IsZero(padding) ? Status() : archive_.Wrong("there is something between its files.");
  }

  ArchiveFile& archive_;
  const std::string folder_;
  bool has_database_ = false;
};

// Everything to its place, the database last: only with it there is a state. All or nothing.
Status Publish(const std::string& from, const std::string& folder) {
  std::vector<std::string> moved;
  for (const std::string_view name :
       {kBackupBlobs[0], kBackupBlobs[1], kBackupOrders, kBackupDatabase}) {
    const std::string to = folder + "/" + std::string(name);
    if (::rename((from + "/" + std::string(name)).c_str(), to.c_str()) == 0) {
      moved.push_back(to);
    } else if (errno != ENOENT) {
      Status failed = FileFailed(to, "cannot be written");
      std::error_code error;
      for (const std::string& path : moved) fs::remove_all(path, error);
      return failed;
    }
  }
  return FlushFolder(folder) ? Status() : FileFailed(folder, "cannot be written");
}

// nullptr: there is nothing in the way of a state.
const char* StateIn(const std::string& folder) {
  std::error_code error;
  for (const char* name : {"state.db", "state.db-wal", "modules", "inputs", "cordons"}) {
    if (fs::exists(fs::symlink_status(folder + "/" + name, error))) return name;
  }
  return nullptr;
}

Status RestoreLocked(ArchiveFile* archive, const std::string& folder) {
  if (const char* name = StateIn(folder)) {
    return Status(Reason::kConfigInvalid,
                  "The folder " + Quoted(folder) + " holds a daemon's state already: it has " +
                      Quoted(name) + ". Move it away, or name another folder.",
                  {{"path", folder}});
  }
  const std::string fresh = folder + "/restore.tmp";
  std::error_code error;
  fs::remove_all(fresh, error);
  Status done = Unpacker(archive, fresh).Unpack();
  if (done.ok()) done = Publish(fresh, folder);
  fs::remove_all(fresh, error);
  return done;
}

}  // namespace

Status RestoreArchive(const std::string& file, const std::string& folder) {
  ArchiveFile archive(file);
  WB_TRY(archive.CheckDigest());
  std::error_code error;
  const bool was_there = fs::exists(fs::symlink_status(folder, error));
  WB_ASSIGN(const std::unique_ptr<FolderLock> lock, FolderLock::Take(folder));
  Status restored = RestoreLocked(&archive, folder);
  if (!restored.ok() && !was_there) fs::remove_all(folder, error);
  return restored;
}

}  // namespace wb
