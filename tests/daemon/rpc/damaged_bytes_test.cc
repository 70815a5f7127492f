// Requests that were damaged, and bytes that are no HTTP/2: the daemon answers each with what is
// wrong with it, never with INTERNAL or UNKNOWN, and serves on. Seeds are fixed; more with
// WASMBURST_DAMAGE_ROUNDS.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <random>
#include <string_view>
#include <vector>

#include "client/services/jobs.h"
#include "client/services/server.h"
#include "tests/daemon/services/caller_fixture.h"
#include "tests/daemon/services/raw_call.h"
#include "wasmburst/v1/admin.pb.h"
#include "wasmburst/v1/inputs.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

int Rounds() {
  const char* text = std::getenv("WASMBURST_DAMAGE_ROUNDS");
  return text == nullptr ? 40 : std::atoi(text);
}

class DamagedBytesTest : public CallerTest {
 protected:
  struct Method {
    std::string path;
    std::string request;  // that a client might send
  };

  std::vector<Method> Methods() {
    const std::string wasm = cli::AssembleWat(kFakeModule, "fake.wat").value();
    v1::CreateModuleRequest module;
    module.set_wasm(wasm);
    v1::UploadModuleRequest upload;
    upload.set_data(wasm);
    v1::UploadInputRequest input;
    input.set_size_bytes(4);
    input.set_sha256(std::string(64, 'a'));
    input.set_data("data");
    v1::RunJobRequest run;
    run.set_wasm(wasm);
    *run.mutable_job() = Request("identity", 3).job();
    v1::GetJobRequest name;
    name.set_name("jobs/01ARZ3NDEKTSV4RRFFQ69G5FAV");
    v1::CreateTokenRequest token;
    token.mutable_token()->set_role(v1::ADMIN);
    v1::ListJobsRequest list;
    list.set_filter("state = RUNNING");
    list.set_page_size(3);
    return {{"/wasmburst.v1.Modules/CreateModule", module.SerializeAsString()},
            {"/wasmburst.v1.Modules/UploadModule", upload.SerializeAsString()},
            {"/wasmburst.v1.Inputs/UploadInput", input.SerializeAsString()},
            {"/wasmburst.v1.Jobs/CreateJob", Request("identity", 3).SerializeAsString()},
            {"/wasmburst.v1.Jobs/RunJob", run.SerializeAsString()},
            {"/wasmburst.v1.Jobs/GetJob", name.SerializeAsString()},
            {"/wasmburst.v1.Jobs/WatchJob", name.SerializeAsString()},
            {"/wasmburst.v1.Jobs/ReadResults", name.SerializeAsString()},
            {"/wasmburst.v1.Jobs/ListJobs", list.SerializeAsString()},
            {"/wasmburst.v1.Jobs/ServeHostCalls", name.SerializeAsString()},
            {"/wasmburst.v1.Tenants/CreateToken", token.SerializeAsString()},
            {"/wasmburst.v1.Admin/DrainDevice", name.SerializeAsString()}};
  }
  // Some bytes other, some gone, some new, or cut.
  std::string Damage(std::string bytes) {
    for (uint64_t i = 1 + random_() % 4; i-- > 0 && !bytes.empty();) {
      const size_t at = random_() % bytes.size();
      switch (random_() % 4) {
        case 0: bytes[at] = static_cast<char>(random_()); break;
        case 1: bytes.erase(at, 1 + random_() % 8); break;
        case 2: bytes.insert(at, 1 + random_() % 8, static_cast<char>(random_())); break;
        default: bytes.resize(at); break;
      }
    }
    return bytes;
  }
  // Bytes on a connection of their own; what the daemon says is read until it closes or a while.
  void SendRaw(const std::string& bytes) const {
    const std::string address = daemon_->addresses()[1];
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    to.sin_port = htons(static_cast<uint16_t>(std::stoi(address.substr(address.rfind(':') + 1))));
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    const timeval patience = {0, 20'000};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    ASSERT_EQ(connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof(to)), 0);
    (void)send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    char answer[4096];
    while (recv(fd, answer, sizeof(answer), 0) > 0) continue;
    close(fd);
  }

  std::mt19937_64 random_{20'261'128};
};

TEST_F(DamagedBytesTest, RequestsAreRefusedForWhatTheyAre) {
  Start();
  const auto channel = AdminChannel();
  for (const Method& method : Methods()) {
    for (int round = 0; round < Rounds(); ++round) {
      const grpc::Status status = CallRaw(channel, method.path, Damage(method.request));
      const bool is_ours = status.error_code() == grpc::StatusCode::INTERNAL ||
                           status.error_code() == grpc::StatusCode::UNKNOWN ||
                           status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED;
      EXPECT_FALSE(is_ours) << method.path << " round " << round << ": " << status.error_message();
    }
  }
  EXPECT_TRUE(GetServerInfo(*client_).ok());
}

TEST_F(DamagedBytesTest, ConnectionsThatSpeakNonsenseHarmNobody) {
  Start();
  constexpr std::string_view kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  // Frames (RFC 9113, 4.1): length, type, flags, stream.
  const std::string settings("\0\0\0\4\0\0\0\0\0", 9);
  const std::string long_frame("\xff\xff\xff\0\0\0\0\0\1", 9);
  const std::string headers("\0\0\4\1\5\0\0\0\1\x82\x86\x84\x7f", 13);
  const std::string window("\0\0\4\10\0\0\0\0\0\x7f\xff\xff\xff", 13);
  std::string resets;
  for (char i = 1; i < 100; i = static_cast<char>(i + 2)) {
    resets += std::string("\0\0\1\1\5\0\0\0", 8) + i + '\x82';
    resets += std::string("\0\0\4\3\0\0\0\0", 8) + i + std::string("\0\0\0\10", 4);
  }
  const std::string opening = std::string(kPreface) + settings;
  std::vector<std::string> sent = {"GET / HTTP/1.1\r\n\r\n",  "\x16\x03\x01\x02",
                                   opening + long_frame,      opening + headers,
                                   opening + window + window, opening + resets};
  for (int round = 0; round < Rounds(); ++round) {
    sent.push_back(Damage(opening + headers + window + resets.substr(0, 200)));
  }
  for (const std::string& bytes : sent) SendRaw(bytes);
  EXPECT_TRUE(GetServerInfo(*client_).ok());
  EXPECT_TRUE(CreateJob(*client_, Request("identity", 3)).ok());
}

}  // namespace
}  // namespace wb
