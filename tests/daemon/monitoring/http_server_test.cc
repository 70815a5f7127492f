#include "daemon/monitoring/http_server.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <mutex>
#include <vector>

#include "daemon/config/metrics_address.h"
#include "tests/daemon/monitoring/http_probe.h"

namespace wb {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ProbeClock = std::chrono::steady_clock;

constexpr const char* kProbeGet = "GET / HTTP/1.1\r\n\r\n";

TEST(HttpMessage, RequestLines) {
  const std::optional<HttpRequest> request =
      ParseHttpRequest("GET /readyz?verbose HTTP/1.1\r\nHost: a\r\n\r\n");
  ASSERT_TRUE(request.has_value());
  EXPECT_EQ(request->method, "GET");
  EXPECT_EQ(request->path, "/readyz");
  EXPECT_EQ(request->query, "verbose");
  EXPECT_TRUE(ParseHttpRequest("POST / HTTP/1.0\r\n\r\n").has_value());
}

TEST(HttpMessage, WhatIsNoRequestLine) {
  for (const char* head :
       {"", "\r\n\r\n", "GET\r\n\r\n", "GET /\r\n\r\n", "GET  HTTP/1.1\r\n\r\n", " / HTTP/1.1\r\n",
        "GET x HTTP/1.1\r\n", "GET / HTTP/2.0\r\n", "GET /a b HTTP/1.1\r\n", "GET /\x01 HTTP/1.1",
        "\x16\x03\x01\x02 / HTTP/1.1", "GET http://a/ HTTP/1.1\r\n", "GET / HTTP/1.1 \r\n"}) {
    EXPECT_FALSE(ParseHttpRequest(head).has_value()) << head;
  }
}

TEST(HttpMessage, AnswersAreWhole) {
  EXPECT_EQ(HttpText({405, "no\n", "text/plain", "Allow: GET\r\n"}),
            "HTTP/1.1 405 Method Not Allowed\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n"
            "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n"
            "Allow: GET\r\n\r\nno\n");
}

class HttpServerTest : public testing::Test {
 protected:
  void SetUp() override {
    limits_.connections = 4;
    limits_.connection_time = seconds(20);
    limits_.answer_time = seconds(20);
  }
  void Open(HttpHandler handler, const std::string& at = "127.0.0.1:0") {
    Result<std::unique_ptr<HttpServer>> server =
        HttpServer::Open(ParseMetricsAddress(at).value(), limits_, std::move(handler));
    ASSERT_TRUE(server.ok()) << server.status().message();
    server_ = std::move(server).value();
  }
  void OpenEcho() {
    Open([](const HttpRequest& request, const HttpReply& reply) {
      reply({200, request.path == "/long" ? std::string(16 << 20, 'x') : request.path});
    });
  }
  std::string Ask(const std::string& request) const { return HttpAsk(server_->address(), request); }
  // Until a connection is answered again: the server learns of closed ones a moment later.
  int StatusSoon() const {
    const auto end = ProbeClock::now() + seconds(10);
    int status = -1;
    while (status != 200 && ProbeClock::now() < end) {
      status = HttpStatus(Ask(kProbeGet));
    }
    return status;
  }

  HttpLimits limits_;
  std::unique_ptr<HttpServer> server_;
};

TEST_F(HttpServerTest, AnswersAndCloses) {
  OpenEcho();
  const std::string answer = Ask("GET /some/place?x HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(HttpStatus(answer), 200);
  EXPECT_EQ(HttpBody(answer), "/some/place");
}

TEST_F(HttpServerTest, TakesARequestByteByByte) {
  OpenEcho();
  HttpProbe probe(server_->address());
  for (const char c : std::string("GET /slow HTTP/1.1\r\nA: b\r\n\r\n")) {
    ASSERT_TRUE(probe.Send(std::string(1, c)));
  }
  EXPECT_EQ(HttpBody(probe.ReadAll()), "/slow");
}

TEST_F(HttpServerTest, WhatIsNoHttpIs400) {
  OpenEcho();
  EXPECT_EQ(HttpStatus(Ask("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")), 400);
  EXPECT_EQ(HttpStatus(Ask("\r\n\r\n")), 400);
}

TEST_F(HttpServerTest, ALongRequestIs431) {
  OpenEcho();
  const std::string start = "GET / HTTP/1.1\r\nA: ";
  const std::string fits = start + std::string(limits_.request_bytes - start.size(), 'a');
  EXPECT_EQ(HttpStatus(Ask(fits + "\r\n\r\n")), 200);
  EXPECT_EQ(HttpStatus(Ask(fits + "a\r\n\r\n")), 431);
  EXPECT_EQ(HttpStatus(Ask(start + std::string(1 << 20, 'a'))), 431);
}

// It is more than sockets hold. The answer arrives though nobody waits for the body.
TEST_F(HttpServerTest, ABodyIsNotLookedAt) {
  OpenEcho();
  const std::string body(8 << 20, 'b');
  const std::string answer =
      Ask("POST /a HTTP/1.1\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
  EXPECT_EQ(HttpStatus(answer), 200);
  EXPECT_EQ(HttpBody(answer), "/a");
}

TEST_F(HttpServerTest, ASilentClientIsClosedInTime) {
  limits_.connection_time = milliseconds(300);
  OpenEcho();
  const auto start = ProbeClock::now();
  HttpProbe silent(server_->address());
  ASSERT_TRUE(silent.Send("GET / HTTP/1.1\r\n"));
  EXPECT_EQ(silent.ReadAll(), "");
  EXPECT_GE(ProbeClock::now() - start, milliseconds(250));
}

TEST_F(HttpServerTest, ASlowReaderDelaysNobodyAndIsClosedInTime) {
  limits_.connection_time = seconds(3);
  OpenEcho();
  HttpProbe slow(server_->address(), 4096);
  ASSERT_TRUE(slow.Send("GET /long HTTP/1.1\r\n\r\n"));
  const auto start = ProbeClock::now();
  for (int i = 0; i < 20; ++i) EXPECT_EQ(HttpStatus(Ask(kProbeGet)), 200);
  EXPECT_LT(ProbeClock::now() - start, seconds(3));
  std::this_thread::sleep_until(start + seconds(4));
  const std::string got = slow.ReadAll();
  EXPECT_EQ(HttpStatus(got), 200);
  EXPECT_LT(got.size(), size_t{16} << 20);  // what lay in the buffers
  EXPECT_FALSE(got.ends_with("TIMEOUT"));
}

TEST_F(HttpServerTest, OneConnectionTooManyIs503AndTheOthersStay) {
  OpenEcho();
  std::vector<std::unique_ptr<HttpProbe>> open;
  for (size_t i = 0; i < limits_.connections; ++i) {
    open.push_back(std::make_unique<HttpProbe>(server_->address()));
    ASSERT_TRUE(open.back()->connected());
  }
  HttpProbe late(server_->address());
  EXPECT_EQ(HttpStatus(late.ReadAll()), 503);  // before it asks
  for (const auto& probe : open) {
    ASSERT_TRUE(probe->Send(kProbeGet));
    EXPECT_EQ(HttpStatus(probe->ReadAll()), 200);
  }
  open.clear();
  EXPECT_EQ(StatusSoon(), 200);
}

TEST_F(HttpServerTest, AConnectionThatIsClosedMakesRoom) {
  limits_.connections = 1;
  OpenEcho();
  for (int i = 0; i < 3; ++i) {
    HttpProbe probe(server_->address());
    probe.Close();
    EXPECT_EQ(StatusSoon(), 200);
  }
}

TEST_F(HttpServerTest, AHandlerThatDoesNotAnswerIs503) {
  limits_.answer_time = milliseconds(100);
  std::mutex mutex;
  std::vector<HttpReply> kept;
  Open([&](const HttpRequest&, const HttpReply& reply) {
    const std::lock_guard lock(mutex);
    kept.push_back(reply);
  });
  EXPECT_EQ(HttpStatus(Ask(kProbeGet)), 503);
  HttpProbe pending(server_->address());
  ASSERT_TRUE(pending.Send(kProbeGet));
  while (true) {
    const std::lock_guard lock(mutex);
    if (kept.size() == 2) break;
  }
  const std::lock_guard lock(mutex);
  kept[0]({200, "late"});  // no effect
  server_.reset();         // closes the other
  EXPECT_EQ(pending.ReadAll().find("200"), std::string::npos);
  kept[1]({200, "later"});  // after the server's end
}

TEST_F(HttpServerTest, TheSecondAnswerHasNoEffect) {
  Open([](const HttpRequest&, const HttpReply& reply) {
    reply({200, "first"});
    reply({503, "second"});
  });
  EXPECT_EQ(HttpBody(Ask(kProbeGet)), "first");
}

class SamePart : public HttpParts {
 public:
  void Next(Take take) override { take({"a part", false}); }
};

// The server's thread hears of both at once, since it was elsewhere as the client went and as the
// rest between two parts ended.
TEST_F(HttpServerTest, AClientThatGoesAsTheNextPartIsDueEndsItsConnectionAlone) {
  Open([](const HttpRequest& request, const HttpReply& reply) {
    if (request.path == "/block") std::this_thread::sleep_for(milliseconds(800));
    HttpAnswer answer{200, request.path};
    if (request.path == "/parts") answer.parts = std::make_shared<SamePart>();
    answer.rest = milliseconds(400);
    reply(std::move(answer));
  });
  HttpProbe leaves(server_->address());
  ASSERT_TRUE(leaves.Send("GET /parts HTTP/1.1\r\n\r\n"));
  EXPECT_NE(leaves.ReadAll(milliseconds(100)).find("a part"), std::string::npos);
  HttpProbe blocks(server_->address());
  ASSERT_TRUE(blocks.Send("GET /block HTTP/1.1\r\n\r\n"));
  std::this_thread::sleep_for(milliseconds(100));
  leaves.Close();
  EXPECT_EQ(HttpStatus(blocks.ReadAll()), 200);
  EXPECT_EQ(StatusSoon(), 200);
}

TEST_F(HttpServerTest, AUnixSocket) {
  char folder[] = "/tmp/wb_http_XXXXXX";
  ASSERT_NE(mkdtemp(folder), nullptr);
  const std::string path = std::string(folder) + "/metrics";
  Open([](const HttpRequest&, const HttpReply& reply) { reply({200, "unix"}); }, "unix://" + path);
  EXPECT_EQ(HttpBody(Ask(kProbeGet)), "unix");
  server_.reset();
  EXPECT_FALSE(std::filesystem::exists(path));
  std::filesystem::remove_all(folder);
}

// Also with one whose request comes at that moment.
TEST_F(HttpServerTest, EndsWithOpenConnections) {
  for (int round = 0; round < 100; ++round) {
    OpenEcho();
    HttpProbe silent(server_->address());
    HttpProbe slow(server_->address(), 4096);
    ASSERT_TRUE(slow.Send("GET /long HTTP/1.1\r\n\r\n"));
    const auto start = ProbeClock::now();
    server_.reset();
    ASSERT_LT(ProbeClock::now() - start, seconds(5)) << "round " << round;
    EXPECT_EQ(silent.ReadAll(), "");
  }
}

TEST(MetricsAddress, LoopbackAndUnixSocketsAlone) {
  for (const char* text : {"127.0.0.1:9464", "[::1]:9464", "localhost:0", "unix:///run/x"}) {
    EXPECT_TRUE(ParseMetricsAddress(text).ok()) << text;
  }
  for (const char* text :
       {"0.0.0.0:9464", "[::]:9464", "10.0.0.1:9464", "example.org:9464", ":9464", "9464", "",
        "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1.example.org:1", "unix://x",
        "tcp://127.0.0.1:9464", "http://127.0.0.1:9464", "127.0.0.1:9464/metrics"}) {
    const Status status = ParseMetricsAddress(text).status();
    EXPECT_EQ(status.reason(), Reason::kConfigInvalid) << text;
  }
  const Status status = ParseMetricsAddress("0.0.0.0:9464").status();
  EXPECT_NE(status.message().find("[0.0.0.0:9464]"), std::string::npos);
  EXPECT_NE(status.message().find("without authentication"), std::string::npos);
}

}  // namespace
}  // namespace wb
