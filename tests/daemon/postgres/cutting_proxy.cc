#include "tests/daemon/postgres/cutting_proxy.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "compiler/base/check.h"

namespace wb::test {
namespace {

constexpr int kPollMs = 50;

sockaddr_un AddressOf(const std::string& folder) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::snprintf(address.sun_path, sizeof(address.sun_path), "%s/.s.PGSQL.5432", folder.c_str());
  return address;
}

// What has come: false at its end.
bool Receive(int from, std::string* bytes) {
  char piece[65536];
  const ssize_t n = recv(from, piece, sizeof(piece), 0);
  if (n <= 0) return false;
  bytes->assign(piece, static_cast<size_t>(n));
  return true;
}

bool SendAll(int to, const std::string& bytes) {
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t n = send(to, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
    if (n <= 0) return false;
    at += static_cast<size_t>(n);
  }
  return true;
}

// "CommandComplete" of a commit (postgresql.org/docs/15/protocol-message-formats.html).
bool HasCommitted(const std::string& answers) {
  return answers.find(std::string("COMMIT\0", 7)) != std::string::npos;
}

}  // namespace

CuttingProxy::CuttingProxy(const std::string& server_folder) : server_(server_folder) {
  char folder[] = "/tmp/wb_proxy_XXXXXX";
  WB_CHECK(mkdtemp(folder) != nullptr);
  folder_ = folder;
  listening_ = socket(AF_UNIX, SOCK_STREAM, 0);
  const sockaddr_un address = AddressOf(folder_);
  WB_CHECK(bind(listening_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0);
  WB_CHECK(listen(listening_, 16) == 0);
  accepter_ = std::thread([this] { Accept(); });
}

CuttingProxy::~CuttingProxy() {
  is_ending_ = true;
  accepter_.join();
  std::vector<std::thread> carriers;
  {
    const MutexLock lock(mutex_);
    carriers.swap(carriers_);
  }
  for (std::thread& carrier : carriers) carrier.join();
  close(listening_);
  std::filesystem::remove_all(folder_);
}

void CuttingProxy::Accept() {
  while (!is_ending_) {
    pollfd ready{listening_, POLLIN, 0};
    if (poll(&ready, 1, kPollMs) <= 0) continue;
    const int client = accept(listening_, nullptr, nullptr);
    const int server = socket(AF_UNIX, SOCK_STREAM, 0);
    const sockaddr_un address = AddressOf(server_);
    (void)connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
    const MutexLock lock(mutex_);
    carriers_.emplace_back([this, client, server] { Carry(client, server); });
  }
}

// Counts down; true once, at the end.
bool CuttingProxy::IsTurn(std::atomic<int>* left) {
  if (*left < 0 || (*left)-- > 0) return false;
  ++cuts_;
  return true;
}

// What has come of whole messages (a byte for the type, four for the length): false: it cuts.
bool CuttingProxy::CarryAnswers(int client, std::string* answers) {
  while (answers->size() >= 5) {
    uint32_t length = 0;
    for (int i = 1; i < 5; ++i) length = length << 8 | static_cast<uint8_t>((*answers)[i]);
    if (answers->size() < 1 + length) return true;
    if (IsTurn(&answers_left_)) return false;
    const std::string message = answers->substr(0, 1 + length);
    answers->erase(0, 1 + length);
    if (is_armed_ && HasCommitted(message)) {
      is_armed_ = false;
      ++cuts_;
      return false;
    }
    if (!SendAll(client, message)) return false;
  }
  return true;
}

void CuttingProxy::Carry(int client, int server) {
  std::string answers;
  std::string bytes;
  bool goes_on = true;
  while (goes_on && !is_ending_) {
    pollfd ready[2] = {{client, POLLIN, 0}, {server, POLLIN, 0}};
    if (poll(ready, 2, kPollMs) <= 0) continue;
    if (ready[0].revents != 0) {
      goes_on = Receive(client, &bytes) && !IsTurn(&requests_left_) && SendAll(server, bytes);
    }
    if (!goes_on || ready[1].revents == 0) continue;
    goes_on = Receive(server, &bytes);
    if (goes_on) answers += bytes;
    goes_on = goes_on && CarryAnswers(client, &answers);
  }
  close(client);
  close(server);
}

}  // namespace wb::test
