#include "daemon/rpc/inherited_sockets.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "daemon/rpc/listener.h"

namespace wb {
namespace {

constexpr int kFirst = 200;  // descriptors that nothing else here uses

class InheritedSocketsTest : public testing::Test {
 protected:
  void SetUp() override {
    char folder[] = "/tmp/wb_inherited_XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    folder_ = folder;
    unix_.address.path = folder_ + "/socket";
    tcp_.address = ParseListenAddress("tcp://127.0.0.1:0").value();
    opened_[0] = Listener::Open(unix_).value();
    opened_[1] = Listener::Open(tcp_).value();
    tcp_.address = opened_[1]->address();
    for (int i = 0; i < 2; ++i) ASSERT_EQ(dup2(opened_[i]->fd(), kFirst + i), kFirst + i);
  }
  void TearDown() override {
    for (auto& listener : opened_) listener.reset();
    std::filesystem::remove_all(folder_);
  }
  static InheritedSockets Given(int pid, const char* count) {
    setenv("LISTEN_PID", std::to_string(pid).c_str(), 1);
    setenv("LISTEN_FDS", count, 1);
    return InheritedSockets::FromEnvironment(kFirst);
  }
  static bool IsOpen(int fd) { return fcntl(fd, F_GETFD) >= 0; }

  std::string folder_;
  ListenSetting unix_;
  ListenSetting tcp_;
  std::unique_ptr<Listener> opened_[2];
};

TEST_F(InheritedSocketsTest, AreFoundByTheirAddresses) {
  InheritedSockets sockets = Given(getpid(), "2");
  EXPECT_EQ(std::getenv("LISTEN_FDS"), nullptr);
  const auto tcp = Listener::Open(tcp_, &sockets);
  ASSERT_TRUE(tcp.ok());
  EXPECT_EQ((*tcp)->fd(), kFirst + 1);
  EXPECT_EQ((*tcp)->address(), tcp_.address);
  ASSERT_EQ(sockets.left().size(), 1u);
  EXPECT_EQ(sockets.left()[0], unix_.address.path);
  // The same once more: the address is in use now.
  EXPECT_FALSE(Listener::Open(tcp_, &sockets).ok());
}

TEST_F(InheritedSocketsTest, ASocketOfTheServiceManagerStaysWhenTheDaemonEnds) {
  {
    InheritedSockets sockets = Given(getpid(), "2");
    ASSERT_TRUE(Listener::Open(unix_, &sockets).ok());
  }
  EXPECT_TRUE(std::filesystem::exists(unix_.address.path));
  EXPECT_FALSE(IsOpen(kFirst + 1)) << "nobody took it, and it is still open";
}

TEST_F(InheritedSocketsTest, ThoseForAnotherProcessAreNotOurs) {
  EXPECT_TRUE(Given(getpid() + 1, "2").left().empty());
  EXPECT_TRUE(Given(getpid(), "-1").left().empty());
  EXPECT_TRUE(Given(getpid(), "99999999").left().empty());
  EXPECT_TRUE(IsOpen(kFirst));
  for (int i = 0; i < 2; ++i) close(kFirst + i);
}

}  // namespace
}  // namespace wb
