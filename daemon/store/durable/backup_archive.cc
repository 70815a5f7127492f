#include "daemon/store/durable/backup_archive.h"

#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "daemon/database/blob_folder.h"
#include "daemon/database/sqlite_store.h"
#include "daemon/store/durable/backup_format.h"
#include "scheduler/base/quoted.h"
#include "scheduler/base/system_error.h"

namespace wb {
namespace {

constexpr size_t kPieceBytes = 512 << 10;
// That the daemon itself needs while the copy is there.
constexpr uint64_t kReserveBytes = uint64_t{64} << 20;

std::string CopyIn(const std::string& folder) { return folder + "/backup.tmp"; }

Status CheckRoom(const std::string& folder) {
  std::error_code error;
  const uint64_t needed = std::filesystem::file_size(folder + "/state.db", error);
  struct statvfs facts {};
  if (error || ::statvfs(folder.c_str(), &facts) != 0) return {};  // the copy will tell
  const uint64_t room = uint64_t{facts.f_bavail} * facts.f_frsize;
  if (room >= needed && room - needed >= kReserveBytes) return {};
  return Status(Reason::kNoSpace,
                "A backup copies the database, of " + Quoted(needed) + " bytes, within " +
                    Quoted(folder) + ", whose disk has " + Quoted(room) + " left; " +
                    Quoted(kReserveBytes) + " are kept for the daemon.",
                {{"path", folder}});
}

void Append(std::string* piece, ByteView bytes) { piece->append(AsText(bytes)); }

}  // namespace

BackupArchive::BackupArchive(std::string folder)
    : folder_(std::move(folder)), copy_(CopyIn(folder_)) {}

BackupArchive::~BackupArchive() { RemoveLeft(folder_); }

void BackupArchive::RemoveLeft(const std::string& folder) {
  std::error_code error;
  std::filesystem::remove_all(CopyIn(folder), error);
}

Status BackupArchive::Failed(const std::string& path, const char* what) const {
  return SystemError("The file " + Quoted(path) + " " + what, errno, {{"path", path}});
}

Result<std::unique_ptr<BackupArchive>> BackupArchive::Begin(
    const std::string& folder, const std::function<bool()>& is_unwanted) {
  std::unique_ptr<BackupArchive> archive(new BackupArchive(folder));
  WB_TRY(archive->Copy(is_unwanted));
  return archive;
}

Status BackupArchive::Copy(const std::function<bool()>& is_unwanted) {
  WB_TRY(CheckRoom(folder_));
  RemoveLeft(folder_);
  WB_TRY(MakePrivateFolder(copy_, "The folder of the backup"));
  const std::string mark(kBackupMark);
  if (!WriteFlushed(copy_ + "/" + mark, O_EXCL, {AsBytes(kBackupMarkText)})) {
    return Failed(copy_ + "/" + mark, "cannot be written");
  }
  WB_TRY(AddPart(mark, std::nullopt));
  WB_TRY(SqliteStore::Copy(folder_, copy_, is_unwanted));
  WB_TRY(AddPart(std::string(kBackupDatabase), std::nullopt));
  for (const std::string_view blobs : kBackupBlobs) WB_TRY(LinkBlobs(std::string(blobs)));
  total_bytes_ += kTarEndBytes + kTarBlockBytes;
  return {};
}

// A blob that went before it has its second name was needed by nobody when this began, or by a job
// that has ended since.
Status BackupArchive::LinkBlobs(const std::string& name) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder_ + "/" + name, error)) return {};
  WB_TRY(MakePrivateFolder(copy_ + "/" + name, "The folder of the backup"));
  const BlobFolder blobs = BlobFolder::Reading(folder_ + "/" + name);
  for (const BlobFolder::Entry& entry : blobs.List()) {
    const std::string part = name + "/" + entry.digest.Hex();
    const Status linked = blobs.LinkTo(entry.digest, copy_ + "/" + part);
    if (linked.reason() == Reason::kNotFound) continue;
    WB_TRY(linked);
    WB_TRY(AddPart(part, entry.digest));
  }
  return {};
}

Status BackupArchive::AddPart(const std::string& name, std::optional<Digest> digest) {
  const std::string path = copy_ + "/" + name;
  const DiskFile file(path, kReadFlags);
  const auto facts = file.Facts();
  if (!facts) return Failed(path, "is no plain file of this user");
  const auto bytes = static_cast<uint64_t>(facts->st_size);
  parts_.push_back({name, bytes, digest});
  total_bytes_ += kTarBlockBytes + bytes + TarPadding(bytes);
  return {};
}

Result<std::string> BackupArchive::Next() {
  std::string piece;
  piece.reserve(kPieceBytes + 4 * kTarBlockBytes);
  while (piece.size() < kPieceBytes && !digest_) {
    if (file_) {
      WB_TRY(ReadPart(&piece));
    } else if (at_ < parts_.size()) {
      WB_TRY(OpenPart(&piece));
    } else {
      files_digest_.Add(AsBytes(piece));
      End(&piece);
      return piece;
    }
  }
  files_digest_.Add(AsBytes(piece));
  whole_digest_.Add(AsBytes(piece));
  return piece;
}

Status BackupArchive::OpenPart(std::string* piece) {
  const Part& part = parts_[at_];
  file_.emplace(copy_ + "/" + part.name, kReadFlags);
  if (!file_->ok()) return Failed(copy_ + "/" + part.name, "cannot be opened");
  left_ = part.bytes;
  part_digest_ = std::make_unique<DigestStream>();
  Append(piece, EncodeTarHeader({part.name, part.bytes}));
  return {};
}

Status BackupArchive::ReadPart(std::string* piece) {
  const Part& part = parts_[at_];
  Bytes bytes(static_cast<size_t>(std::min<uint64_t>(left_, kPieceBytes)));
  if (file_->Read(bytes) != bytes.size()) return Failed(copy_ + "/" + part.name, "cannot be read");
  part_digest_->Add(bytes);
  Append(piece, bytes);
  left_ -= bytes.size();
  return left_ == 0 ? ClosePart(piece) : Status();
}

Status BackupArchive::ClosePart(std::string* piece) {
  const Part& part = parts_[at_++];
  piece->append(TarPadding(part.bytes), '\0');
  file_.reset();
  if (!part.digest || part_digest_->Finish() == *part.digest) return {};
  return Status(Reason::kBlobCorrupt,
                "The bytes of " + Quoted(part.name) + " in " + Quoted(folder_) +
                    " are damaged: there is no backup. wasmburst-util verify names all that is.",
                {{"path", folder_}});
}

void BackupArchive::End(std::string* piece) {
  const std::string zeros(kTarEndBytes, '\0');
  files_digest_.Add(AsBytes(zeros));
  *piece += zeros;
  Append(piece, BackupEnd(files_digest_.Finish(), total_bytes_ - kTarBlockBytes));
  whole_digest_.Add(AsBytes(*piece));
  digest_ = whole_digest_.Finish();
}

}  // namespace wb
