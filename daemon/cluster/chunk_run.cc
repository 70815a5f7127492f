#include "daemon/cluster/chunk_run.h"

#include <utility>

namespace wb {
namespace {

ResultLimits LimitsOf(uint64_t max_bytes) {
  ResultLimits limits;
  limits.max_bytes = max_bytes;
  limits.max_job_bytes = max_bytes / 4;
  return limits;
}

}  // namespace

ChunkRoom::ChunkRoom(uint64_t max_bytes) : ledger_(LimitsOf(max_bytes)) {}

std::unique_ptr<ResultAccount> ChunkRoom::Open(const JobRequest& request) {
  const MutexLock lock(mutex_);
  return std::make_unique<ResultAccount>(&ledger_, request.tenant, request.most_result_bytes,
                                         request.most_part_bytes, request.group);
}

void ChunkRoom::Close(std::unique_ptr<ResultAccount> account) {
  const MutexLock lock(mutex_);
  account.reset();
}

ChunkRun::ChunkRun(Chunk chunk, JobId number, const JobRequest& request,
                   std::shared_ptr<ChunkRoom> room, std::shared_ptr<WakeSignal> signal)
    : chunk_(std::move(chunk)),
      number_(number),
      room_(std::move(room)),
      signal_(std::move(signal)),
      account_(room_->Open(request)) {}

ChunkRun::~ChunkRun() { room_->Close(std::move(account_)); }

ChunkNews ChunkRun::Take() {
  const MutexLock lock(mutex_);
  ChunkNews news = std::exchange(news_, {});
  news.device = device_;
  news.placement_reason = placement_reason_;
  return news;
}

bool ChunkRun::Committed(uint64_t results, uint64_t held_bytes, uint64_t largest) {
  const MutexLock lock(room_->mutex());
  const bool was_full = account_->Room() == 0 || account_->WholeRoom() == 0;
  account_->Arrive(results, held_bytes, largest);
  account_->MakeSpare(held_bytes);
  account_->DropSpare(held_bytes);
  return was_full;
}

void ChunkRun::GiveUp() {
  const MutexLock lock(mutex_);
  is_given_up_ = true;
  news_.results.clear();
  news_.ranges.clear();
}

bool ChunkRun::is_given_up() const {
  const MutexLock lock(mutex_);
  return is_given_up_;
}

uint64_t ChunkRun::Room() const {
  const MutexLock lock(room_->mutex());
  return account_->Room();
}

uint64_t ChunkRun::Reserve(uint64_t instances) {
  const MutexLock lock(room_->mutex());
  return account_->Reserve(instances);
}

void ChunkRun::Release(uint64_t instances) {
  const MutexLock lock(room_->mutex());
  account_->Release(instances);
}

uint64_t ChunkRun::WholeRoom() const {
  const MutexLock lock(room_->mutex());
  return account_->WholeRoom();
}

uint64_t ChunkRun::Widen(uint64_t instances) {
  const MutexLock lock(room_->mutex());
  return account_->Widen(instances);
}

void ChunkRun::Narrow(uint64_t instances) {
  const MutexLock lock(room_->mutex());
  account_->Narrow(instances);
}

void ChunkRun::OnResults(ResultBatch results) {
  if (results.empty()) return;
  {
    const MutexLock lock(mutex_);
    if (is_given_up_) return;
    results.Fit();
    news_.results.push_back(std::move(results));
  }
  signal_->Wake();
}

void ChunkRun::OnEnded(const EndedRange& range) {
  if (range.count == 0) return;
  {
    const MutexLock lock(mutex_);
    if (is_given_up_) return;
    news_.ranges.push_back(range);
  }
  signal_->Wake();
}

void ChunkRun::OnProgress(const JobProgress& progress) {
  bool turns = false;
  {
    const MutexLock lock(mutex_);
    device_ = progress.device;
    placement_reason_ = progress.placement_reason;
    if (progress.phase == JobPhase::kRunning) turns = !std::exchange(has_turned_, true);
    news_.turned = news_.turned || turns;
  }
  if (turns) signal_->Wake();
}

void ChunkRun::OnEnd(Status status, bool cancelled, const JobUsage& usage) {
  {
    const MutexLock lock(mutex_);
    news_.ended = true;
    news_.status = std::move(status);
    news_.cancelled = cancelled;
    news_.usage = usage;
  }
  signal_->Wake();
}

}  // namespace wb
