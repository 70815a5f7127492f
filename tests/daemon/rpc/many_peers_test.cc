// Connections of very many users: each kind of peer costs the daemon a server, and these are
// bounded.

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <thread>
#include <vector>

#include "client/services/server.h"
#include "tests/daemon/services/daemon_fixture.h"

namespace wb {
namespace {

class ManyPeersTest : public DaemonTest {
 protected:
  void SetUp() override {
    DaemonTest::SetUp();
    config_.listen[0].mode = 0666;
    chmod(folder_.c_str(), 0711);
  }
#ifdef __linux__
  // A connection of the user of that number. The system call changes this thread alone.
  int ConnectAs(uid_t user) const {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    config_.listen[0].address.path.copy(address.sun_path, sizeof(address.sun_path) - 1);
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    const timeval patience = {0, 300'000};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    EXPECT_EQ(syscall(SYS_setresuid, -1, user, -1), 0);
    EXPECT_EQ(connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    EXPECT_EQ(syscall(SYS_setresuid, -1, 0, -1), 0);
    return fd;
  }
#else
  int ConnectAs(uid_t) const { return -1; }
#endif
  // Ended by the daemon, and not only silent.
  static bool IsClosed(int fd) {
    char bytes[256];
    ssize_t size = 1;
    while (size > 0) size = recv(fd, bytes, sizeof(bytes), 0);
    return size == 0;
  }
};

TEST_F(ManyPeersTest, ConnectionsOfMoreUsersThanThereMayBeServersAreClosed) {
#ifdef __linux__
  if (geteuid() != 0) GTEST_SKIP() << "only root becomes other users";
#else
  GTEST_SKIP() << "a thread's own user is Linux's";
#endif
  Start();
  ASSERT_TRUE(GetServerInfo(*client_).ok());
  constexpr uid_t kFirstUser = 50'000;
  std::vector<int> open;
  for (uid_t i = 0; i < 140; ++i) open.push_back(ConnectAs(kFirstUser + i));
  bool is_closed = false;  // once it was accepted, which comes after all the others
  for (int i = 0; i < 100 && !is_closed; ++i) is_closed = IsClosed(open.back());
  EXPECT_TRUE(is_closed);
  EXPECT_FALSE(IsClosed(open.front()));
  EXPECT_TRUE(GetServerInfo(*client_).ok()) << "those who have one go on";
  for (const int fd : open) close(fd);
  // Their servers go when others come, once gRPC has seen that these have gone.
  bool is_served = false;
  for (int i = 0; i < 1000 && !is_served; ++i) {
    if (i > 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    const int late = ConnectAs(kFirstUser + 1000);
    is_served = !IsClosed(late);
    close(late);
  }
  EXPECT_TRUE(is_served);
}

}  // namespace
}  // namespace wb
