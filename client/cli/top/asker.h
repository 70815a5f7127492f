#pragma once

// Asks a daemon again and again, on a thread of its own, so that keys and the screen never wait for
// it.

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <thread>

#include "client/cli/top/looker.h"
#include "client/cli/top/top_model.h"
#include "compiler/base/mutex.h"

namespace wb::cli {

class TopAsker {
 public:
  // Begins to ask at once, and then `interval` after each look. A daemon that does not answer is
  // asked on.
  TopAsker(std::unique_ptr<Client> client, std::chrono::nanoseconds interval);
  ~TopAsker();  // ends what is under way
  TopAsker(const TopAsker&) = delete;
  TopAsker& operator=(const TopAsker&) = delete;

  // What the looks from now on are for; another one than before is looked for at once.
  void Want(const TopInterest& interest);
  // Does it as soon as the look under way is done; kNothing and kQuit are nothing.
  void Do(const TopWish& wish);

  // The oldest that was not taken; nullopt: there is none.
  std::optional<TopFacts> TakeFacts();
  std::optional<TopAnswer> TakeAnswer();

 private:
  static constexpr size_t kMostUntaken = 8;  // looks; it waits with more until one is taken

  void Run();
  // What is to be done next, once it is time; false: the end.
  bool AwaitWork(std::optional<TopWish>* wish, TopInterest* interest);
  void LookOnce(TopLooker* looker, const TopInterest& interest);

  const std::unique_ptr<Client> client_;
  const std::chrono::nanoseconds interval_;
  Mutex mutex_;
  CondVar changed_;
  bool ends_ WB_GUARDED_BY(mutex_) = false;
  TopInterest interest_ WB_GUARDED_BY(mutex_);
  std::deque<TopWish> wishes_ WB_GUARDED_BY(mutex_);
  std::deque<TopFacts> facts_ WB_GUARDED_BY(mutex_);
  std::deque<TopAnswer> answers_ WB_GUARDED_BY(mutex_);
  std::chrono::steady_clock::time_point next_look_ WB_GUARDED_BY(mutex_);
  std::thread thread_;  // last: it uses the others
};

}  // namespace wb::cli
