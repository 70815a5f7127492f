#include "tests/daemon/disk/simulated_vfs.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>

#include "compiler/base/check.h"
#include "tests/daemon/disk/simulated_disk.h"

namespace wb::test {
namespace {

using Kind = DiskOp::Kind;

std::string NewName() {
  static std::atomic<int> number{0};
  return "wb_simulated_" + std::to_string(++number);
}

bool IsThere(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

}  // namespace

// SQLite allocates it, with the inner file behind it. Those without a name, for sorting and the
// like, are nobody's.
struct SimulatedVfs::File {
  sqlite3_file base;
  const SimulatedVfs* vfs;
  std::string* path;  // null: it is not noted
  bool flushes_folder;
  int last_error;
  sqlite3_file* inner() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

struct SimulatedVfs::Calls {
  static File* Of(sqlite3_file* file) { return reinterpret_cast<File*>(file); }
  static sqlite3_file* In(sqlite3_file* file) { return Of(file)->inner(); }
  static const SimulatedVfs& Of(sqlite3_vfs* vfs) {
    return *static_cast<SimulatedVfs*>(vfs->pAppData);
  }
  static int Trouble(sqlite3_file* file, const char* call, int code) {
    File* one = Of(file);
    const int trouble =
        one->path == nullptr ? SQLITE_OK : one->vfs->Trouble(call, *one->path, code);
    if (trouble != SQLITE_OK) one->last_error = errno;
    return trouble;
  }
  static void Note(sqlite3_file* file, Kind kind, int64_t offset = 0, ByteView bytes = {}) {
    const File* one = Of(file);
    if (one->path == nullptr) return;
    one->vfs->disk_.Note(kind, *one->path, static_cast<uint64_t>(offset), bytes);
  }

  static int Close(sqlite3_file* file) {
    const int code = In(file)->pMethods->xClose(In(file));
    delete Of(file)->path;
    return code;
  }
  static int Read(sqlite3_file* file, void* to, int size, sqlite3_int64 at) {
    return In(file)->pMethods->xRead(In(file), to, size, at);
  }
  // A full disk takes some of it.
  static int Write(sqlite3_file* file, const void* from, int size, sqlite3_int64 at) {
    const int trouble = Trouble(file, "write", SQLITE_IOERR_WRITE);
    if (trouble == SQLITE_FULL) size /= 2;
    if (trouble != SQLITE_OK && trouble != SQLITE_FULL) return trouble;
    const int code = In(file)->pMethods->xWrite(In(file), from, size, at);
    if (code != SQLITE_OK) return code;
    Note(file, Kind::kWrite, at, {static_cast<const uint8_t*>(from), static_cast<size_t>(size)});
    return trouble;
  }
  static int Truncate(sqlite3_file* file, sqlite3_int64 size) {
    if (const int trouble = Trouble(file, "truncate", SQLITE_IOERR_TRUNCATE)) return trouble;
    const int code = In(file)->pMethods->xTruncate(In(file), size);
    if (code == SQLITE_OK) Note(file, Kind::kTruncate, size);
    return code;
  }
  // The first flush of a journal or a log flushes its folder too, as SQLite's own layer does
  // (os_unix.c, UNIXFILE_DIRSYNC).
  static int Sync(sqlite3_file* file, int) {
    File* one = Of(file);
    if (const int trouble = Trouble(file, "flush", SQLITE_IOERR_FSYNC)) {
      Note(file, Kind::kFlushFailed);
      return trouble;
    }
    Note(file, Kind::kFlush);
    if (!one->flushes_folder || one->path == nullptr) return SQLITE_OK;
    const int code = FlushFolder(*one->vfs, *one->path, SQLITE_IOERR_DIR_FSYNC);
    one->flushes_folder = code != SQLITE_OK;
    return code;
  }
  static int FlushFolder(const SimulatedVfs& vfs, const std::string& path, int code) {
    const std::string folder = std::filesystem::path(path).parent_path().string();
    const int trouble = vfs.Trouble("flush", folder, code);
    vfs.disk_.Note(trouble == SQLITE_OK ? Kind::kFlush : Kind::kFlushFailed, folder);
    return trouble;
  }
  static int FileSize(sqlite3_file* file, sqlite3_int64* size) {
    return In(file)->pMethods->xFileSize(In(file), size);
  }
  static int Lock(sqlite3_file* file, int lock) {
    return In(file)->pMethods->xLock(In(file), lock);
  }
  static int Unlock(sqlite3_file* file, int lock) {
    return In(file)->pMethods->xUnlock(In(file), lock);
  }
  static int CheckReservedLock(sqlite3_file* file, int* is_held) {
    return In(file)->pMethods->xCheckReservedLock(In(file), is_held);
  }
  static int FileControl(sqlite3_file* file, int what, void* argument) {
    if (what == SQLITE_FCNTL_LAST_ERRNO && Of(file)->last_error != 0) {
      *static_cast<int*>(argument) = Of(file)->last_error;
      return SQLITE_OK;
    }
    return In(file)->pMethods->xFileControl(In(file), what, argument);
  }
  static int SectorSize(sqlite3_file* file) { return In(file)->pMethods->xSectorSize(In(file)); }
  static int DeviceCharacteristics(sqlite3_file* file) {
    return In(file)->pMethods->xDeviceCharacteristics(In(file));
  }
  static int ShmMap(sqlite3_file* file, int page, int size, int extend, void volatile** at) {
    return In(file)->pMethods->xShmMap(In(file), page, size, extend, at);
  }
  static int ShmLock(sqlite3_file* file, int offset, int n, int flags) {
    return In(file)->pMethods->xShmLock(In(file), offset, n, flags);
  }
  static void ShmBarrier(sqlite3_file* file) { In(file)->pMethods->xShmBarrier(In(file)); }
  static int ShmUnmap(sqlite3_file* file, int remove) {
    return In(file)->pMethods->xShmUnmap(In(file), remove);
  }

  static int Open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out);
  static int Delete(sqlite3_vfs* vfs, const char* name, int flushes_folder);
  static int Access(sqlite3_vfs*, const char* name, int flags, int* answer) {
    return Inner().xAccess(&Inner(), name, flags, answer);
  }
  static int FullPathname(sqlite3_vfs*, const char* name, int size, char* out) {
    return Inner().xFullPathname(&Inner(), name, size, out);
  }
  static int Randomness(sqlite3_vfs*, int size, char* out) {
    return Inner().xRandomness(&Inner(), size, out);
  }
  static int Sleep(sqlite3_vfs*, int microseconds) {
    return Inner().xSleep(&Inner(), microseconds);
  }
  static int CurrentTime(sqlite3_vfs*, double* time) {
    return Inner().xCurrentTime(&Inner(), time);
  }
  static int LastError(sqlite3_vfs*, int, char*) { return errno; }
  static int CurrentTimeInt64(sqlite3_vfs*, sqlite3_int64* time) {
    return Inner().xCurrentTimeInt64(&Inner(), time);
  }
};

namespace {

constexpr int kNewLogs = SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL;

}  // namespace

int SimulatedVfs::Calls::Open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags,
                              int* out) {
  static const sqlite3_io_methods methods = {2,
                                             Close,
                                             Read,
                                             Write,
                                             Truncate,
                                             Sync,
                                             FileSize,
                                             Lock,
                                             Unlock,
                                             CheckReservedLock,
                                             FileControl,
                                             SectorSize,
                                             DeviceCharacteristics,
                                             ShmMap,
                                             ShmLock,
                                             ShmBarrier,
                                             ShmUnmap,
                                             nullptr,
                                             nullptr};
  const SimulatedVfs& self = Of(vfs);
  File* one = new (file) File();
  const bool is_noted = name != nullptr && (flags & SQLITE_OPEN_DELETEONCLOSE) == 0;
  if (is_noted) {
    if (const int trouble = self.Trouble("open", name, SQLITE_CANTOPEN)) return trouble;
  }
  const bool is_new = is_noted && !IsThere(name);
  const int code = Inner().xOpen(&Inner(), name, one->inner(), flags, out);
  if (one->inner()->pMethods == nullptr) return code;
  one->base.pMethods = &methods;
  one->vfs = &self;
  if (code != SQLITE_OK || !is_noted) return code;
  one->path = new std::string(name);
  one->flushes_folder = (flags & SQLITE_OPEN_CREATE) != 0 && (flags & kNewLogs) != 0;
  if (is_new) self.disk_.Note(Kind::kCreate, name);
  return code;
}

int SimulatedVfs::Calls::Delete(sqlite3_vfs* vfs, const char* name, int flushes_folder) {
  const SimulatedVfs& self = Of(vfs);
  if (const int trouble = self.Trouble("remove", name, SQLITE_IOERR_DELETE)) return trouble;
  const int code = Inner().xDelete(&Inner(), name, 0);
  if (code != SQLITE_OK) return code;
  self.disk_.Note(Kind::kRemove, name);
  if (flushes_folder == 0) return SQLITE_OK;
  return FlushFolder(self, name, SQLITE_IOERR_DIR_FSYNC);
}

sqlite3_vfs& SimulatedVfs::Inner() { return *sqlite3_vfs_find("unix"); }

int SimulatedVfs::Trouble(const char* call, const std::string& path, int code) const {
  const int error = disk_.Trouble(call, path);
  if (error == 0) return SQLITE_OK;
  errno = error;
  return error == ENOSPC && code == SQLITE_IOERR_WRITE ? SQLITE_FULL : code;
}

SimulatedVfs::SimulatedVfs(const SimulatedDisk* disk) : disk_(*disk), name_(NewName()) {
  vfs_.iVersion = 2;
  vfs_.szOsFile = static_cast<int>(sizeof(File)) + Inner().szOsFile;
  vfs_.mxPathname = Inner().mxPathname;
  vfs_.zName = name_.c_str();
  vfs_.pAppData = this;
  vfs_.xOpen = Calls::Open;
  vfs_.xDelete = Calls::Delete;
  vfs_.xAccess = Calls::Access;
  vfs_.xFullPathname = Calls::FullPathname;
  vfs_.xRandomness = Calls::Randomness;
  vfs_.xSleep = Calls::Sleep;
  vfs_.xCurrentTime = Calls::CurrentTime;
  vfs_.xGetLastError = Calls::LastError;
  vfs_.xCurrentTimeInt64 = Calls::CurrentTimeInt64;
  WB_CHECK(sqlite3_vfs_register(&vfs_, 0) == SQLITE_OK);
}

SimulatedVfs::~SimulatedVfs() { sqlite3_vfs_unregister(&vfs_); }

}  // namespace wb::test
