#include "client/cli/top/asker.h"

#include <algorithm>

#include "client/cli/output/forecast_text.h"

namespace wb::cli {

TopAsker::TopAsker(std::unique_ptr<Client> client, std::chrono::nanoseconds interval)
    : client_(std::move(client)), interval_(interval), thread_([this] { Run(); }) {}

TopAsker::~TopAsker() {
  {
    MutexLock lock(mutex_);
    ends_ = true;
    changed_.NotifyAll();
  }
  client_->Interrupt();
  thread_.join();
}

void TopAsker::Want(const TopInterest& interest) {
  MutexLock lock(mutex_);
  const bool is_new = interest.view != interest_.view || interest.job != interest_.job ||
                      interest.paused != interest_.paused;
  interest_ = interest;
  // A list that is there already is shown meanwhile; a page and the tenants are not.
  const bool needs_look = is_new && (interest.view == TopView::kTenants || !interest.job.empty());
  if (needs_look) next_look_ = std::chrono::steady_clock::now();
  if (is_new) changed_.NotifyAll();
}

void TopAsker::Do(const TopWish& wish) {
  if (wish.kind == TopWish::Kind::kNothing || wish.kind == TopWish::Kind::kQuit) return;
  MutexLock lock(mutex_);
  wishes_.push_back(wish);
  changed_.NotifyAll();
}

std::optional<TopFacts> TopAsker::TakeFacts() {
  MutexLock lock(mutex_);
  if (facts_.empty()) return std::nullopt;
  TopFacts first = std::move(facts_.front());
  facts_.pop_front();
  changed_.NotifyAll();
  return first;
}

std::optional<TopAnswer> TopAsker::TakeAnswer() {
  MutexLock lock(mutex_);
  if (answers_.empty()) return std::nullopt;
  TopAnswer first = std::move(answers_.front());
  answers_.pop_front();
  return first;
}

bool TopAsker::AwaitWork(std::optional<TopWish>* wish, TopInterest* interest) {
  MutexLock lock(mutex_);
  while (!ends_) {
    if (!wishes_.empty()) {
      *wish = wishes_.front();
      wishes_.pop_front();
      return true;
    }
    const bool may_look = !interest_.paused && facts_.size() < kMostUntaken;
    if (may_look && std::chrono::steady_clock::now() >= next_look_) {
      *interest = interest_;
      return true;
    }
    if (may_look) {
      changed_.WaitUntil(mutex_, next_look_);
    } else {
      changed_.Wait(mutex_);
    }
  }
  return false;
}

void TopAsker::LookOnce(TopLooker* looker, const TopInterest& interest) {
  Result<TopFacts> facts = looker->Look(interest);
  TopFacts seen;
  if (facts.ok()) {
    seen = std::move(*facts);
  } else {
    seen.unix_ns = UnixNow();
    seen.trouble = facts.status().message();
  }
  MutexLock lock(mutex_);
  facts_.push_back(std::move(seen));
  next_look_ = std::chrono::steady_clock::now() + interval_;
}

void TopAsker::Run() {
  TopLooker looker(client_.get());
  std::optional<TopWish> wish;
  TopInterest interest;
  while (AwaitWork(&wish, &interest)) {
    if (!wish) {
      LookOnce(&looker, interest);
      continue;
    }
    TopAnswer answer = wish->kind == TopWish::Kind::kCancelJob
                           ? CancelByKey(*client_, wish->job)
                           : ReadFirstFailures(*client_, wish->job);
    wish.reset();
    MutexLock lock(mutex_);
    answers_.push_back(std::move(answer));
  }
}

}  // namespace wb::cli
