#include "daemon/rpc/connection_book.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <map>

namespace wb {
namespace {

class ConnectionBookTest : public testing::Test {
 protected:
  // What lies behind each descriptor.
  std::map<int, uint64_t> open_;
  ConnectionBook book_{{4, 2}, [this](int fd) { return open_.contains(fd) ? open_[fd] : 0; }};

  bool Add(const std::string& peer, int fd) {
    open_[fd] = ++files_;
    return book_.Add(peer, "server of " + peer, fd);
  }
  uint64_t files_ = 0;
};

TEST_F(ConnectionBookTest, BoundsThoseOfAPeerAndOfAll) {
  EXPECT_TRUE(Add("anna", 1));
  EXPECT_TRUE(Add("anna", 2));
  EXPECT_FALSE(Add("anna", 3));
  EXPECT_TRUE(Add("bert", 4));
  EXPECT_TRUE(Add("bert", 5));
  EXPECT_FALSE(Add("carl", 6));
}

TEST_F(ConnectionBookTest, ThoseThatHaveEndedMakeRoom) {
  EXPECT_TRUE(Add("anna", 1));
  EXPECT_TRUE(Add("anna", 2));
  open_.erase(1);
  EXPECT_TRUE(Add("anna", 3));
  EXPECT_FALSE(Add("anna", 4));
}

TEST_F(ConnectionBookTest, ADescriptorThatIsUsedAgainIsAnotherConnection) {
  EXPECT_TRUE(Add("anna", 1));
  EXPECT_TRUE(Add("bert", 1));
  EXPECT_FALSE(book_.HasOpen("server of anna"));
  EXPECT_TRUE(book_.HasOpen("server of bert"));
  EXPECT_EQ(book_.count(), 1u);
}

TEST(FileIdentity, TellsSocketsApartAndSeesThatOneIsClosed) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  const uint64_t first = FileIdentity(ends[0]);
  EXPECT_NE(first, 0u);
  EXPECT_NE(first, FileIdentity(ends[1]));
  close(ends[0]);
  EXPECT_EQ(FileIdentity(ends[0]), 0u);
  close(ends[1]);
}

}  // namespace
}  // namespace wb
