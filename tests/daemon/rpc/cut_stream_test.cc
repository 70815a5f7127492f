// A stream of results whose connection is cut behind each byte that the daemon sends, once: the
// client has every result once, in the same order, as if nothing had happened.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "client/services/jobs.h"
#include "compiler/base/check.h"
#include "tests/daemon/services/daemon_fixture.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

sockaddr_in Loopback(uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

// Between a client and the daemon. Of the first connection after Cut() it passes so many bytes of
// what the daemon says, and then closes both ends; later connections live.
class CuttingProxy {
 public:
  explicit CuttingProxy(uint16_t daemon_port) : daemon_port_(daemon_port) {
    listening_ = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = Loopback(0);
    socklen_t size = sizeof(address);
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    WB_CHECK(bind(listening_, generic, size) == 0 && listen(listening_, 16) == 0);
    WB_CHECK(getsockname(listening_, generic, &size) == 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { Run(); });
  }
  ~CuttingProxy() {
    stop_ = true;
    thread_.join();
    close(listening_);
  }
  uint16_t port() const { return port_; }
  void Cut(int64_t behind) { budget_ = behind; }
  uint64_t passed() const { return passed_; }  // bytes of the daemon's, since the last Cut
  void Reset() { passed_ = 0; }

 private:
  static constexpr int64_t kUnlimited = INT64_MAX;
  struct Pair {
    int client = -1;
    int daemon = -1;
    int64_t budget = kUnlimited;
  };

  void Run() {
    std::vector<Pair> pairs;
    while (!stop_) {
      std::vector<pollfd> polled = {{listening_, POLLIN, 0}};
      for (const Pair& pair : pairs) {
        polled.push_back({pair.client, POLLIN, 0});
        polled.push_back({pair.daemon, POLLIN, 0});
      }
      poll(polled.data(), polled.size(), 20);
      for (size_t i = pairs.size(); i-- > 0;) {
        const bool ends = (polled[1 + 2 * i].revents != 0 && !PassToDaemon(pairs[i])) ||
                          (polled[2 + 2 * i].revents != 0 && !PassToClient(&pairs[i]));
        if (!ends) continue;
        close(pairs[i].client);
        close(pairs[i].daemon);
        pairs.erase(pairs.begin() + static_cast<std::ptrdiff_t>(i));
      }
      if (polled[0].revents != 0) pairs.push_back(Accept());
    }
    for (const Pair& pair : pairs) {
      close(pair.client);
      close(pair.daemon);
    }
  }
  Pair Accept() {
    Pair pair;
    pair.client = accept(listening_, nullptr, nullptr);
    pair.daemon = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = Loopback(daemon_port_);
    WB_CHECK(connect(pair.daemon, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0);
    pair.budget = budget_.exchange(kUnlimited);
    return pair;
  }
  static bool PassToDaemon(const Pair& pair) {
    char bytes[4096];
    const ssize_t size = read(pair.client, bytes, sizeof(bytes));
    return size > 0 && write(pair.daemon, bytes, static_cast<size_t>(size)) == size;
  }
  bool PassToClient(Pair* pair) {
    char bytes[4096];
    const int64_t most = std::min<int64_t>(sizeof(bytes), std::max<int64_t>(pair->budget, 1));
    const ssize_t size = read(pair->daemon, bytes, static_cast<size_t>(most));
    if (size <= 0 || pair->budget == 0) return false;
    pair->budget -= pair->budget == kUnlimited ? 0 : size;
    passed_ += static_cast<uint64_t>(size);
    if (send(pair->client, bytes, static_cast<size_t>(size), MSG_NOSIGNAL) != size) return false;
    return pair->budget > 0;
  }

  const uint16_t daemon_port_;
  uint16_t port_ = 0;
  int listening_ = -1;
  std::atomic<int64_t> budget_{kUnlimited};
  std::atomic<uint64_t> passed_{0};
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

class CutStreamTest : public DaemonTest {
 protected:
  void SetUp() override {
    DaemonTest::SetUp();
    config_.result_message_bytes = 200;  // several messages
    Start();
    const std::string address = daemon_->addresses()[1];
    proxy_ = std::make_unique<CuttingProxy>(
        static_cast<uint16_t>(std::stoi(address.substr(address.rfind(':') + 1))));
  }
  void TearDown() override {
    proxy_.reset();
    DaemonTest::TearDown();
  }
  // All results of the job as one text, over a connection of its own.
  std::string ReadThroughProxy(const std::string& job, int first_pause_ms) const {
    ClientOptions options;
    options.first_pause = std::chrono::milliseconds(first_pause_ms);
    options.attempts = 10;
    const auto client =
        Client::Connect("tcp://127.0.0.1:" + std::to_string(proxy_->port()), options).value();
    v1::ReadResultsRequest request;
    request.set_name(job);
    request.set_follow(true);
    std::string text;
    const Status status =
        ReadResults(*client, request, [&text](const v1::ReadResultsResponse& response) {
          for (const v1::InstanceResult& result : response.results()) {
            text += result.ShortDebugString() + "\n";
          }
          return true;
        });
    EXPECT_TRUE(status.ok()) << status.message();
    return text;
  }

  std::unique_ptr<CuttingProxy> proxy_;
};

TEST_F(CutStreamTest, ResultsAreTheSameWhereverTheConnectionIsCut) {
  const std::string job = Create("identity", 12);
  WaitForEnd(job);
  proxy_->Reset();
  const std::string whole = ReadThroughProxy(job, 1);
  const auto bytes = static_cast<int64_t>(proxy_->passed());
  EXPECT_EQ(std::count(whole.begin(), whole.end(), '\n'), 12);
  // A connection that ends before it is one is tried again after a second: there a few will do.
  constexpr int64_t kOpening = 64;
#ifdef WB_SANITIZED
  constexpr int64_t kStep = 7;  // each byte without a sanitizer
#else
  constexpr int64_t kStep = 1;
#endif
  for (int64_t behind = 0; behind <= bytes; behind += behind < kOpening ? kOpening / 4 : kStep) {
    proxy_->Cut(behind);
    ASSERT_EQ(ReadThroughProxy(job, behind < kOpening ? 20 : 1), whole)
        << "cut behind " << behind << " of " << bytes;
  }
}

}  // namespace
}  // namespace wb
