#include "daemon/store/result_account.h"

#include <algorithm>
#include <utility>

#include "compiler/base/check.h"

namespace wb {

ResultAccount::ResultAccount(ResultLedger* ledger, std::string tenant, uint64_t most_each,
                             uint64_t most_part, uint64_t least)
    : ledger_(ledger),
      tenant_(std::move(tenant)),
      most_each_(std::max<uint64_t>(most_each, 1)),
      most_part_(std::min(most_each_, std::max<uint64_t>(most_part, 1))),
      least_(least) {}

ResultAccount::~ResultAccount() {
  SetPromised(0, 0);
  ledger_->RemoveKept(tenant_, kept_);
  ledger_->RemoveSpare(tenant_, spare_);
}

// A quarter more than the largest so far, and never more than a result may hold.
uint64_t ResultAccount::Each() const {
  if (largest_ == 0) return most_each_;
  return std::max(largest_, std::min(most_each_, largest_ + largest_ / 4));
}

PromisedBytes ResultAccount::Promised() const {
  const uint64_t each = Each();
  const uint64_t part = PartOf(each);
  const uint64_t expected = reserved_ * part + widened_ * (each - part);
  const uint64_t most = reserved_ * most_part_ + widened_ * (most_each_ - most_part_);
  return {expected, most - std::min(most, expected)};
}

void ResultAccount::SetPromised(uint64_t reserved, uint64_t widened) {
  ledger_->Withdraw(tenant_, Promised());
  reserved_ = reserved;
  widened_ = widened;
  ledger_->Promise(tenant_, Promised());
}

uint64_t ResultAccount::Fitting(uint64_t expected, uint64_t excess) const {
  const uint64_t most = ledger_->limits().max_job_bytes;
  const uint64_t free = ledger_->Free(tenant_, kept_ + Promised().expected);
  // A job that its reader holds up goes on when there is room for many: a launch costs the same for
  // few. Once the reader has caught up its results take half of the limit.
  if (kept_ > most / 2 && free < most / 8) return 0;
  uint64_t fitting = free / std::max<uint64_t>(expected, 1);
  if (excess > 0) fitting = std::min(fitting, ledger_->FreeExcess(tenant_) / excess);
  return fitting;
}

uint64_t ResultAccount::Room() const {
  const uint64_t part = PartOf(Each());
  const uint64_t fitting = Fitting(part, most_part_ - std::min(most_part_, part));
  // The least that may start may bring more than a job's bound: a job that holds none starts them
  // all the same, or it would wait for ever.
  const uint64_t most = ledger_->limits().max_job_bytes;
  const bool holds_none = kept_ == 0 && reserved_ == 0 && widened_ == 0;
  return fitting < least_ && holds_none && ledger_->Free(tenant_, 0) >= most ? least_ : fitting;
}

uint64_t ResultAccount::WholeRoom() const {
  const uint64_t each = Each();
  const uint64_t more = each - PartOf(each);
  const uint64_t most_more = most_each_ - most_part_;
  const uint64_t fitting = Fitting(more, most_more - std::min(most_more, more));
  return fitting == 0 && kept_ == 0 && widened_ == 0 ? 1 : fitting;
}

uint64_t ResultAccount::Reserve(uint64_t instances) {
  const uint64_t granted = std::min(instances, Room());
  SetPromised(reserved_ + granted, widened_);
  return granted;
}

void ResultAccount::Release(uint64_t instances) {
  SetPromised(reserved_ - std::min(reserved_, instances), widened_);
}

uint64_t ResultAccount::Widen(uint64_t instances) {
  const uint64_t granted = std::min(instances, WholeRoom());
  SetPromised(reserved_, widened_ + granted);
  return granted;
}

void ResultAccount::Narrow(uint64_t instances) {
  SetPromised(reserved_, widened_ - std::min(widened_, instances));
}

void ResultAccount::Arrive(uint64_t results, uint64_t bytes, uint64_t largest) {
  ledger_->Withdraw(tenant_, Promised());
  reserved_ -= std::min(reserved_, results);
  largest_ = std::max(largest_, largest);
  ledger_->Promise(tenant_, Promised());
  ledger_->AddKept(tenant_, bytes);
  kept_ += bytes;
}

void ResultAccount::MakeSpare(uint64_t bytes) {
  WB_CHECK(kept_ >= bytes);
  ledger_->AddSpare(tenant_, bytes);
  ledger_->RemoveKept(tenant_, bytes);
  kept_ -= bytes;
  spare_ += bytes;
}

void ResultAccount::KeepAgain(uint64_t bytes) {
  WB_CHECK(spare_ >= bytes);
  ledger_->AddKept(tenant_, bytes);
  ledger_->RemoveSpare(tenant_, bytes);
  spare_ -= bytes;
  kept_ += bytes;
}

void ResultAccount::DropSpare(uint64_t bytes) {
  WB_CHECK(spare_ >= bytes);
  ledger_->RemoveSpare(tenant_, bytes);
  spare_ -= bytes;
}

}  // namespace wb
