#include "daemon/services/backup_source.h"

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include "compiler/base/mutex.h"
#include "daemon/store/durable/backup_archive.h"
#include "wasmburst/v1/admin.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

class BackupSource : public StreamSource {
 public:
  BackupSource(std::shared_ptr<void> place, const std::string& folder, std::function<void()> wake)
      : place_(std::move(place)), thread_([this, folder, wake = std::move(wake)] {
          Begun begun = BackupArchive::Begin(folder, [this] { return is_unwanted_.load(); });
          {
            MutexLock lock(mutex_);
            begun_ = std::move(begun);
          }
          wake();
        }) {}
  ~BackupSource() override {
    is_unwanted_ = true;
    thread_.join();
  }

  Item Next() override {
    if (archive_ == nullptr) {
      const Result<bool> has_begun = TakeArchive();
      if (!has_begun.ok()) return {nullptr, true, has_begun.status()};
      if (!*has_begun) return {};
    }
    Result<std::string> piece = archive_->Next();
    if (!piece.ok()) return {nullptr, true, piece.status()};
    auto chunk = std::make_shared<v1::BackupChunk>();
    chunk->set_total_bytes(archive_->total_bytes());
    chunk->set_data(std::move(piece).value());
    if (!archive_->digest()) return {chunk, false, {}};
    chunk->set_sha256(archive_->digest()->Hex());
    // Before the client hears of the end, so that its next call finds the place free.
    archive_.reset();
    place_.reset();
    return {chunk, true, {}};
  }

  MessagePtr Heartbeat() override { return std::make_shared<v1::BackupChunk>(); }
  // A line of a megabit a second is fast enough, and a disk may flush for a minute.
  std::optional<PaceRule> Pace() const override {
    return PaceRule{.patience = std::chrono::seconds(60), .bytes_per_second = 128 << 10};
  }

 private:
  using Begun = Result<std::unique_ptr<BackupArchive>>;

  // False: the database is still being copied.
  Result<bool> TakeArchive() {
    MutexLock lock(mutex_);
    if (!begun_) return false;
    WB_TRY(begun_->status());
    archive_ = std::move(*begun_).value();
    return true;
  }

  std::shared_ptr<void> place_;
  std::unique_ptr<BackupArchive> archive_;  // of the thread that asks
  std::atomic<bool> is_unwanted_{false};
  Mutex mutex_;
  std::optional<Begun> begun_ WB_GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace

Result<std::unique_ptr<StreamSource>> BackUp(const ServiceContext& context,
                                             std::function<void()> wake) {
  if (!context.is_durable) {
    return Status(Reason::kConfigInvalid,
                  "This daemon keeps nothing on the disk, so there is nothing to back up: "
                  "server.durable is false, or there is no home for its state.",
                  {{"field", "server.durable"}});
  }
  if (!context.config->Get()->postgres.empty()) {
    return Status(
        Reason::kConfigInvalid,
        "This daemon's jobs lie in PostgreSQL (store.postgres): back that database up with "
        "its own tools, such as pg_dump --schema=wasmburst.",
        {{"field", "store.postgres"}});
  }
  if (context.is_backing_up->exchange(true)) {
    return Status(Reason::kQueueFull, "Another backup is being made; there is one at a time.");
  }
  std::shared_ptr<void> place(nullptr, [taken = context.is_backing_up](void*) { *taken = false; });
  return std::unique_ptr<StreamSource>(
      new BackupSource(std::move(place), context.state_directory, std::move(wake)));
}

}  // namespace wb
