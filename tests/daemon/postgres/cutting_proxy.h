#pragma once

// CuttingProxy: stands between a daemon and PostgreSQL, on a Unix socket of its own. Once it is
// armed it lets a commit through and cuts the connection in place of its answer: the case in which
// nobody knows whether a transaction was committed. Or it cuts at any other step.

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
  // Cuts once, in place of a message of the server that comes after so many others, or of what a
  // client sends after so many pieces. Of all connections together.
  void CutAnswer(int after) { answers_left_ = after; }
  void CutRequest(int after) { requests_left_ = after; }
  bool is_waiting() const { return answers_left_ >= 0 || requests_left_ >= 0; }  // to cut
  int cuts() const { return cuts_; }

 private:
  void Accept();
  void Carry(int client, int server);
  bool CarryAnswers(int client, std::string* answers);
  bool IsTurn(std::atomic<int>* left);

  const std::string server_;
  std::string folder_;
  int listening_ = -1;
  std::atomic<bool> is_armed_{false};
  std::atomic<int> answers_left_{-1};  // -1: none is cut
  std::atomic<int> requests_left_{-1};
  std::atomic<bool> is_ending_{false};
  std::atomic<int> cuts_{0};
  Mutex mutex_;
  std::vector<std::thread> carriers_ WB_GUARDED_BY(mutex_);
  std::thread accepter_;
};

}  // namespace wb::test
