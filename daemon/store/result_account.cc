#include "daemon/store/result_account.h"

#include <algorithm>
#include <utility>

#include "compiler/base/check.h"

namespace wb {

ResultAccount::ResultAccount(ResultLedger* ledger, std::string tenant, uint64_t most_each)
    : ledger_(ledger), tenant_(std::move(tenant)), most_each_(std::max<uint64_t>(most_each, 1)) {}

ResultAccount::~ResultAccount() {
  SetReserved(0);
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
  return {reserved_ * each, reserved_ * (most_each_ - std::min(most_each_, each))};
}

void ResultAccount::SetReserved(uint64_t instances) {
  ledger_->Withdraw(tenant_, Promised());
  reserved_ = instances;
  ledger_->Promise(tenant_, Promised());
}

uint64_t ResultAccount::Room() const {
  const uint64_t most = ledger_->limits().max_job_bytes;
  const uint64_t free = ledger_->Free(tenant_, kept_ + Promised().expected);
  // A job that its reader holds up goes on when there is room for many: a launch costs the same for
  // few. Once the reader has caught up its results take half of the limit.
  if (kept_ > most / 2 && free < most / 8) return 0;
  const uint64_t each = Each();
  uint64_t fitting = free / each;
  if (each < most_each_) {
    fitting = std::min(fitting, ledger_->FreeExcess(tenant_) / (most_each_ - each));
  }
  // One result may be larger than a job's bound: a job that holds none starts one instance all the
  // same, or it would wait for ever.
  const bool holds_none = kept_ == 0 && reserved_ == 0;
  return fitting == 0 && holds_none && free >= most ? 1 : fitting;
}

uint64_t ResultAccount::Reserve(uint64_t instances) {
  const uint64_t granted = std::min(instances, Room());
  SetReserved(reserved_ + granted);
  return granted;
}

void ResultAccount::Release(uint64_t instances) {
  SetReserved(reserved_ - std::min(reserved_, instances));
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
