#pragma once

// CuttingProxy: stands between a daemon and PostgreSQL, on a Unix socket of its own. Once it is
// armed it lets a commit through and cuts the connection in place of its answer: the case in which
// nobody knows whether a transaction was committed.

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "compiler/base/mutex.h"

namespace wb::test {

class CuttingProxy {
 public:
  explicit CuttingProxy(const std::string& server_folder);
  ~CuttingProxy();
  std::string folder() const { return folder_; }

  void Arm() { is_armed_ = true; }
  int cuts() const { return cuts_; }

 private:
  void Accept();
  void Carry(int client, int server);

  const std::string server_;
  std::string folder_;
  int listening_ = -1;
  std::atomic<bool> is_armed_{false};
  std::atomic<bool> is_ending_{false};
  std::atomic<int> cuts_{0};
  Mutex mutex_;
  std::vector<std::thread> carriers_ WB_GUARDED_BY(mutex_);
  std::thread accepter_;
};

}  // namespace wb::test
