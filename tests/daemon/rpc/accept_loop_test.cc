#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <condition_variable>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <vector>

#include "daemon/rpc/listener.h"
#include "tests/scheduler/base/few_descriptors.h"

namespace wb {
namespace {

class AcceptLoopTest : public testing::Test {
 protected:
  void SetUp() override {
    char folder[] = "/tmp/wb_accept_XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    folder_ = folder;
    setting_.address.path = folder_ + "/socket";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  int Connect() const {
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strcpy(address.sun_path, setting_.address.path.c_str());
    EXPECT_EQ(connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    return fd;
  }
  void WaitFor(int connected, int failed) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return connected_ >= connected && failed_ >= failed; });
  }
  std::function<void(int)> Count(int* counter) {
    return [this, counter](int fd) {
      std::lock_guard lock(mutex_);
      if (counter == &connected_) close(fd);
      ++*counter;
      changed_.notify_all();
    };
  }

  std::string folder_;
  ListenSetting setting_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int connected_ = 0;
  int failed_ = 0;
};

TEST_F(AcceptLoopTest, GoesOnAfterRunningOutOfDescriptors) {
  auto listener = Listener::Open(setting_).value();
  int failures = 3;
  AcceptCalls calls = SystemAcceptCalls();
  AcceptCalls failing;
  failing.accept = [&](int fd) {
    if (failures > 0) {
      --failures;
      errno = failures % 2 == 0 ? EMFILE : ENOMEM;
      return -1;
    }
    return calls.accept(fd);
  };
  AcceptLoop loop(listener->fd(), failing, Count(&connected_), Count(&failed_));
  int client = Connect();
  WaitFor(1, 1);
  EXPECT_EQ(failed_, 1);  // said once, tried again each time
  close(client);
}

TEST_F(AcceptLoopTest, SurvivesARealShortageOfDescriptors) {
  auto listener = Listener::Open(setting_).value();
  AcceptLoop loop(listener->fd(), SystemAcceptCalls(), Count(&connected_), Count(&failed_));
  int client = Connect();
  WaitFor(1, 0);
  int late = socket(AF_UNIX, SOCK_STREAM, 0);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit none = before;
  none.rlim_cur = 3;  // below what is open: every new descriptor is refused
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, setting_.address.path.c_str());
  EXPECT_EQ(connect(late, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  WaitFor(1, 1);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  WaitFor(2, 1);
  close(late);
  close(client);
}

// The client's end exists before descriptors run out, as in another process.
TEST_F(AcceptLoopTest, WithoutDescriptorsAConnectionIsClosedAtOnceAndLaterOnesAreTaken) {
  auto listener = Listener::Open(setting_).value();
  AcceptLoop loop(listener->fd(), SystemAcceptCalls(), Count(&connected_), Count(&failed_));
  const int first = Connect();
  WaitFor(1, 0);
  const int late = socket(AF_UNIX, SOCK_STREAM, 0);
  const timeval bound{20, 0};
  setsockopt(late, SOL_SOCKET, SO_RCVTIMEO, &bound, sizeof(bound));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, setting_.address.path.c_str());
  {
    const test::FewDescriptors few;
    ASSERT_EQ(connect(late, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    char byte = 0;
    EXPECT_EQ(read(late, &byte, 1), 0);  // the end, rather than a wait
  }
  EXPECT_EQ(connected_, 1);
  const int after = Connect();
  WaitFor(2, 1);
  for (const int client : {first, late, after}) close(client);
}

TEST_F(AcceptLoopTest, TwoDaemonsDoNotShareASocket) {
  auto first = Listener::Open(setting_);
  ASSERT_TRUE(first.ok());
  Result<std::unique_ptr<Listener>> second = Listener::Open(setting_);
  ASSERT_FALSE(second.ok());
  EXPECT_NE(second.status().message().find("another wasmburstd"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(setting_.address.path));  // the second took nothing away
}

TEST_F(AcceptLoopTest, AStaleSocketIsReplacedAndAFileIsNot) {
  { auto first = Listener::Open(setting_).value(); }
  EXPECT_FALSE(std::filesystem::exists(setting_.address.path));
  int stale = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, setting_.address.path.c_str());
  ASSERT_EQ(bind(stale, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  close(stale);
  EXPECT_TRUE(Listener::Open(setting_).ok());
  close(open(setting_.address.path.c_str(), O_CREAT | O_WRONLY, 0600));
  Result<std::unique_ptr<Listener>> file = Listener::Open(setting_);
  ASSERT_FALSE(file.ok());
  EXPECT_TRUE(std::filesystem::exists(setting_.address.path));
}

TEST_F(AcceptLoopTest, ASocketSomebodyElseListensAtIsNotReplaced) {
  int other = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, setting_.address.path.c_str());
  ASSERT_EQ(bind(other, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  ASSERT_EQ(listen(other, 1), 0);
  EXPECT_FALSE(Listener::Open(setting_).ok());
  close(other);
}

TEST_F(AcceptLoopTest, TheSocketHasTheModeAskedFor) {
  setting_.mode = 0620;
  auto listener = Listener::Open(setting_).value();
  auto mode = std::filesystem::status(setting_.address.path).permissions();
  EXPECT_EQ(static_cast<unsigned>(mode), 0620u);
}

TEST_F(AcceptLoopTest, TcpOnPortZeroTellsTheRealPort) {
  setting_.address.kind = ListenAddress::Kind::kTcp;
  setting_.address.host = "127.0.0.1";
  auto listener = Listener::Open(setting_).value();
  EXPECT_NE(listener->address().port, 0);
}

}  // namespace
}  // namespace wb
