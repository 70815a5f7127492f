// The page of a whole daemon over the fake scheduler: its files, and calls of its bridge.

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "daemon/config/metrics_address.h"
#include "daemon/page/page.h"
#include "daemon/page/page_files.h"
#include "tests/daemon/monitoring/http_probe.h"
#include "tests/daemon/services/caller_fixture.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;
using nlohmann::json;

// What the chunks of an answer in parts have between them.
std::string PageUnchunked(const std::string& body) {
  std::string text;
  size_t at = 0;
  while (at < body.size()) {
    const size_t end = body.find("\r\n", at);
    if (end == std::string::npos) return text + "BROKEN OFF";
    const size_t size = std::strtoul(body.c_str() + at, nullptr, 16);
    at = end + 2;
    text += body.substr(at, size);
    at += size + 2;
    if (size == 0) break;
  }
  return text;
}

class PageTest : public CallerTest {
 protected:
  void SetUp() override {
    CallerTest::SetUp();
    config_.metrics_address = "127.0.0.1:0";
  }
  ListenAddress Pages() const { return ParseListenAddress(daemon_->metrics_address()).value(); }
  static std::string PostText(const std::string& method, const std::string& body,
                              const std::string& headers) {
    return "POST /api/wasmburst.v1." + method +
           " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + headers +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  }
  static std::string Bearer(const std::string& token) {
    return token.empty() ? "" : "Authorization: Bearer " + token + "\r\n";
  }
  std::string Post(const std::string& method, const std::string& body,
                   const std::string& token) const {
    return HttpAsk(Pages(), PostText(method, body, Bearer(token)));
  }
  json Call(const std::string& method, const json& request, const std::string& token) const {
    const std::string answer = Post(method, request.dump(), token);
    EXPECT_EQ(HttpStatus(answer), 200) << answer;
    return json::parse(HttpBody(answer), nullptr, false);
  }
  std::vector<json> Lines(const std::string& method, const json& request,
                          const std::string& token) const {
    const std::string text = PageUnchunked(HttpBody(Post(method, request.dump(), token)));
    std::vector<json> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
      lines.push_back(json::parse(line, nullptr, false));
    return lines;
  }
  static std::string ReasonOf(const json& answer) {
    return answer.at("error").at("details").at(0).at("reason").get<std::string>();
  }
};

TEST_F(PageTest, WithoutATokenNothingIsTold) {
  Start();
  for (const char* method :
       {"Jobs/ListJobs", "Admin/ListDevices", "Tenants/GetCaller", "Jobs/CreateJob"}) {
    EXPECT_EQ(ReasonOf(Call(method, json::object(), "")), "UNAUTHENTICATED") << method;
  }
  EXPECT_EQ(ReasonOf(Lines("Jobs/WatchJob", {{"name", "jobs/x"}}, "").at(0)), "UNAUTHENTICATED");
}

TEST_F(PageTest, ATokenHasItsRoleAndItsTenant) {
  Start();
  const std::string viewer = NewToken("shop", v1::VIEWER);
  const json caller = Call("Tenants/GetCaller", json::object(), viewer);
  EXPECT_EQ(caller["message"]["tenant"], "shop");
  EXPECT_EQ(caller["message"]["role"], "VIEWER");
  EXPECT_EQ(ReasonOf(Call("Admin/ListCache", json::object(), viewer)), "PERMISSION_DENIED");
  EXPECT_EQ(ReasonOf(Call("Jobs/CancelJob", {{"name", "jobs/x"}}, viewer)), "PERMISSION_DENIED");
  const std::string job = Create("identity", 1);  // of the tenant without a name
  EXPECT_EQ(ReasonOf(Call("Jobs/GetJob", {{"name", job}}, viewer)), "NOT_FOUND");
  EXPECT_EQ(ReasonOf(Call("Tenants/GetCaller", json::object(), viewer.substr(0, 30))),
            "UNAUTHENTICATED");
}

TEST_F(PageTest, TheSettingGivesARoleToThoseWithoutAToken) {
  config_.page_role = "viewer";
  Start();
  EXPECT_TRUE(Call("Jobs/ListJobs", json::object(), "").contains("message"));
  EXPECT_EQ(ReasonOf(Call("Admin/ListCache", json::object(), "")), "PERMISSION_DENIED");
}

TEST_F(PageTest, AModuleAndAJobFromJsonToItsResults) {
  Start();
  const std::string token = NewToken("shop", v1::SUBMITTER);
  const json wasm = {
      {"wasm", "AGFzbQEAAAABBgFgAX8BfwMCAQAHDAEIaWRlbnRpdHkAAAoGAQQAIAAL"}};  // identity
  const json module = Call("Modules/CreateModule", wasm, token)["message"];
  EXPECT_EQ(module["exports"][0]["name"], "identity");
  json job = {
      {"module", module["name"]},
      {"instances", "3"},
      {"columns", json::array({{{"range", {{"start", {{"i32", 5}}}, {"step", {{"i32", 1}}}}}}})},
      {"steps",
       json::array(
           {{{"call", {{"function", "identity"}, {"args", json::array({{{"column", 0}}})}}}}})}};
  const json made = Call("Jobs/CreateJob", {{"job", job}}, token);
  ASSERT_TRUE(made.contains("message")) << made;
  const std::string name = made["message"]["name"];
  const std::vector<json> events = Lines("Jobs/WatchJob", {{"name", name}}, token);
  ASSERT_GE(events.size(), 2u);
  EXPECT_EQ(events.back(), json({{"end", true}}));
  EXPECT_EQ(events[events.size() - 2]["message"]["job"]["state"], "SUCCEEDED");
  const std::vector<json> results =
      Lines("Jobs/ReadResults", {{"name", name}, {"follow", true}}, token);
  size_t rows = 0;
  for (const json& line : results) {
    if (line.contains("message") && line["message"].contains("results"))
      rows += line["message"]["results"].size();
  }
  EXPECT_EQ(rows, 3u);
  EXPECT_EQ(results.back(), json({{"end", true}}));
}

TEST_F(PageTest, ManyMessagesComeInOrderHoweverSlowlyTheyAreRead) {
  Start();
  const std::string name = Create("identity", 2000);  // messages of 1 KiB
  ASSERT_EQ(WaitForEnd(name).state(), v1::Job::SUCCEEDED);
  HttpProbe slow(Pages(), 4096);
  const std::string body = json({{"name", name}, {"follow", true}}).dump();
  ASSERT_TRUE(slow.Send(PostText("Jobs/ReadResults", body, Bearer(NewToken("", v1::ADMIN)))));
  std::set<uint64_t> seen;
  std::istringstream in(PageUnchunked(HttpBody(slow.ReadAll())));
  std::string last;
  for (std::string line; std::getline(in, line); last = line) {
    const json message = json::parse(line, nullptr, false);
    if (!message.contains("message") || !message["message"].contains("results")) continue;
    for (const json& result : message["message"]["results"]) {
      seen.insert(std::stoull(result.value("instance", std::string("0"))));
    }
  }
  EXPECT_EQ(seen.size(), 2000u);
  EXPECT_EQ(last, "{\"end\":true}");
}

// A stream holds a place among the open ones until its client has gone.
TEST_F(PageTest, AStreamEndsWithItsClient) {
  config_.page_role = "admin";
  Start();
  scheduler_->Hold();
  const std::string body = json({{"name", Create("identity", 5)}}).dump();
  for (int round = 0; round < 3; ++round) {
    std::vector<std::unique_ptr<HttpProbe>> open;
    for (int i = 0; i < 8; ++i) {
      open.push_back(std::make_unique<HttpProbe>(Pages()));
      ASSERT_TRUE(open.back()->Send(PostText("Jobs/WatchJob", body, "")));
    }
    open.clear();
    std::string answer;
    for (int tries = 0; tries < 300; ++tries) {
      HttpProbe probe(Pages());
      ASSERT_TRUE(probe.Send(PostText("Jobs/WatchJob", body, "")));
      answer = probe.ReadAll(std::chrono::milliseconds(200));
      if (answer.find("\"message\"") != std::string::npos) break;
    }
    EXPECT_NE(answer.find("\"message\""), std::string::npos) << answer;
  }
  scheduler_->Release();
}

TEST_F(PageTest, OneStreamTooManyIsRefused) {
  config_.page_role = "admin";
  Start();
  scheduler_->Hold();
  const std::string body = json({{"name", Create("identity", 5)}}).dump();
  std::vector<std::unique_ptr<HttpProbe>> open;
  for (int i = 0; i < 20; ++i) {
    open.push_back(std::make_unique<HttpProbe>(Pages()));
    ASSERT_TRUE(open.back()->Send(PostText("Jobs/WatchJob", body, "")));
  }
  std::vector<std::string> answers(open.size());
  const auto refused = [&answers] {
    return std::count_if(answers.begin(), answers.end(), [](const std::string& answer) {
      return answer.find("QUEUE_FULL") != std::string::npos;
    });
  };
  for (int tries = 0; tries < 100 && refused() < 12; ++tries) {
    for (size_t i = 0; i < open.size(); ++i) {
      answers[i] += open[i]->ReadAll(std::chrono::milliseconds(20));
    }
  }
  EXPECT_EQ(refused(), 12);
  EXPECT_EQ(HttpStatus(HttpGet(Pages(), "/livez")), 200);
  scheduler_->Release();
}

TEST_F(PageTest, WhatIsNoCall) {
  config_.page_role = "admin";
  Start();
  EXPECT_EQ(HttpStatus(Post("Jobs/Nothing", "{}", "")), 404);
  EXPECT_EQ(HttpStatus(Post("Jobs", "{}", "")), 404);
  EXPECT_EQ(HttpStatus(Post("Modules/UploadModule", "{}", "")), 404);  // it reads a stream
  EXPECT_EQ(HttpStatus(HttpGet(Pages(), "/api/wasmburst.v1.Jobs/ListJobs")), 405);
  for (const char* body : {"", "{", "[]", "{\"page_size\":\"x\"}", "{\"nothing\":1}", "\xff\xfe"}) {
    EXPECT_EQ(ReasonOf(json::parse(HttpBody(Post("Jobs/ListJobs", body, "")))), "MALFORMED_REQUEST")
        << body;
  }
  std::string deep = "{\"job\":";
  for (int i = 0; i < 100'000; ++i) deep += "{\"job\":";
  EXPECT_EQ(ReasonOf(json::parse(HttpBody(Post("Jobs/CreateJob", deep, "")))), "MALFORMED_REQUEST");
  EXPECT_TRUE(Call("Jobs/ListJobs", json::object(), "").contains("message"));
}

TEST_F(PageTest, OtherSitesAndOtherNamesAreRefused) {
  config_.page_role = "admin";
  Start();
  EXPECT_EQ(HttpStatus(HttpAsk(Pages(),
                               PostText("Jobs/ListJobs", "{}", "Origin: http://evil.example\r\n"))),
            403);
  EXPECT_EQ(HttpStatus(HttpAsk(Pages(), "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n")), 403);
  EXPECT_EQ(
      HttpStatus(HttpAsk(Pages(),
                         "POST /api/wasmburst.v1.Jobs/ListJobs HTTP/1.1\r\nHost: localhost\r\n"
                         "Content-Length: 2\r\n\r\n{}")),
      415);
  // Two hosts: one for the check, one for the rest.
  EXPECT_EQ(HttpStatus(HttpAsk(Pages(),
                               "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n")),
            400);
}

TEST_F(PageTest, BodiesAreBounded) {
  config_.page_role = "admin";
  config_.max_message_bytes = 65536;
  Start();
  EXPECT_EQ(
      HttpStatus(HttpAsk(
          Pages(), "POST /api/wasmburst.v1.Jobs/ListJobs HTTP/1.1\r\nHost: localhost\r\n\r\n")),
      411);
  EXPECT_EQ(HttpStatus(HttpAsk(
                Pages(),
                "POST /api/a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")),
            411);
  EXPECT_EQ(
      HttpStatus(HttpAsk(
          Pages(), "POST /api/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n")),
      413);
  EXPECT_EQ(HttpStatus(HttpAsk(
                Pages(), "POST /api/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n")),
            411);
  std::vector<std::unique_ptr<HttpProbe>> open;
  for (int i = 0; i < 3; ++i) {  // each holds its room while its body comes
    open.push_back(std::make_unique<HttpProbe>(Pages()));
    ASSERT_TRUE(open.back()->Send(
        "POST /api/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 140000\r\n\r\n{"));
  }
  std::string answer;
  for (int tries = 0; tries < 100 && HttpStatus(answer) != 503; ++tries) {
    answer = Post("Jobs/ListJobs", std::string(100'000, ' ') + "{}", "");
  }
  EXPECT_EQ(HttpStatus(answer), 503);
}

// The library would end the process.
TEST_F(PageTest, AHeaderThatGrpcDoesNotTake) {
  Start();
  EXPECT_EQ(HttpStatus(HttpAsk(
                Pages(), PostText("Jobs/ListJobs", "{}", "Authorization: Bearer \xc3\xa4\r\n"))),
            400);
  EXPECT_EQ(
      HttpStatus(HttpAsk(Pages(), PostText("Jobs/WatchJob", "{}", "Authorization: a\x01\r\n"))),
      400);
}

TEST_F(PageTest, FilesComeWithAPolicyAndAreKept) {
  Start();
  const std::string answer = HttpGet(Pages(), "/");
  if (PageFiles().empty()) {
    EXPECT_EQ(HttpStatus(answer), 404);
    EXPECT_NE(answer.find("built without its page"), std::string::npos);
    return;
  }
  EXPECT_EQ(HttpStatus(answer), 200);
  EXPECT_NE(answer.find("Content-Security-Policy: default-src 'none'; script-src 'self'"),
            std::string::npos);
  EXPECT_NE(answer.find("frame-ancestors 'none'"), std::string::npos);
  EXPECT_NE(answer.find("X-Content-Type-Options: nosniff"), std::string::npos);
  EXPECT_EQ(answer.find("unsafe-inline"), std::string::npos);
  const size_t at = answer.find("ETag: ") + 6;
  const std::string tag = answer.substr(at, answer.find("\r\n", at) - at);
  const std::string again =
      HttpAsk(Pages(), "GET / HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: " + tag + "\r\n\r\n");
  EXPECT_EQ(HttpStatus(again), 304);
  EXPECT_EQ(HttpBody(again), "");
  EXPECT_EQ(HttpStatus(HttpGet(Pages(), "/../etc/passwd")), 404);
}

TEST_F(PageTest, ItCanBeTurnedOff) {
  config_.page_enabled = false;
  Start();
  EXPECT_EQ(HttpStatus(HttpGet(Pages(), "/")), 404);
  EXPECT_EQ(HttpStatus(Post("Jobs/ListJobs", "{}", "")), 404);
  EXPECT_EQ(HttpStatus(HttpGet(Pages(), "/livez")), 200);
}

TEST_F(PageTest, OpenStreamsDoNotHoldUpTheEnd) {
  config_.page_role = "admin";
  Start();
  scheduler_->Hold();
  HttpProbe open(Pages());
  ASSERT_TRUE(
      open.Send(PostText("Jobs/WatchJob", json({{"name", Create("identity", 5)}}).dump(), "")));
  ASSERT_TRUE(Call("Jobs/ListJobs", json::object(), "").contains("message"));
  scheduler_->Release();
  daemon_->Drain();
  daemon_.reset();
  SUCCEED();
}

}  // namespace
}  // namespace wb
