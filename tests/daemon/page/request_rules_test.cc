#include "daemon/page/request_rules.h"

#include <gtest/gtest.h>

namespace wb {
namespace {

HttpRequest PageAsk(const std::string& headers) {
  return ParseHttpRequest("POST /api/a/b HTTP/1.1\r\n" + headers + "\r\n").value();
}

int HostRefusal(const std::string& host, const std::vector<std::string>& hosts = {}) {
  const auto refusal = RefuseHost(PageAsk("Host: " + host + "\r\n"), hosts);
  return refusal ? refusal->status : 0;
}

int CallRefusal(const std::string& headers) {
  const auto refusal = RefuseCall(PageAsk("Host: localhost:9464\r\n" + headers));
  return refusal ? refusal->status : 0;
}

TEST(PageRules, ThisMachineByAllItsNames) {
  for (const char* host :
       {"localhost", "localhost:9464", "LocalHost:1", "127.0.0.1:9464", "[::1]:9464"}) {
    EXPECT_EQ(HostRefusal(host), 0) << host;
  }
}

TEST(PageRules, NamesThatOthersMayResolveToThisMachine) {
  for (const char* host :
       {"evil.example", "evil.example:9464", "localhost.evil.example", "127.0.0.1.evil.example", "",
        "localhost:x", "[::2]:1", "localhost@evil.example", "127.0.0.2"}) {
    EXPECT_EQ(HostRefusal(host), 403) << host;
  }
  EXPECT_TRUE(RefuseHost(PageAsk(""), {}).has_value());
}

TEST(PageRules, NamesOfTheConfiguration) {
  const std::vector<std::string> hosts = HostsOf(" Burst.example , b.example,,");
  EXPECT_EQ(hosts, (std::vector<std::string>{"burst.example", "b.example"}));
  EXPECT_EQ(HostRefusal("burst.EXAMPLE:443", hosts), 0);
  EXPECT_EQ(HostRefusal("x.burst.example", hosts), 403);
}

TEST(PageRules, OtherSitesMayNotCall) {
  const std::string type = "Content-Type: application/json\r\n";
  EXPECT_EQ(CallRefusal(type), 0);  // no browser
  EXPECT_EQ(CallRefusal(type + "Origin: http://localhost:9464\r\nSec-Fetch-Site: same-origin\r\n"),
            0);
  EXPECT_EQ(CallRefusal(type + "Origin: https://evil.example\r\n"), 403);
  EXPECT_EQ(CallRefusal(type + "Origin: http://localhost:8080\r\n"), 403);
  EXPECT_EQ(CallRefusal(type + "Origin: null\r\n"), 403);
  EXPECT_EQ(CallRefusal(type + "Sec-Fetch-Site: cross-site\r\n"), 403);
  EXPECT_EQ(CallRefusal(type + "Sec-Fetch-Site: same-site\r\n"), 403);
}

// What a form or a script of another site can send without being asked for leave.
TEST(PageRules, OtherTypesThanJson) {
  for (const char* type :
       {"", "Content-Type: text/plain\r\n", "Content-Type: application/x-www-form-urlencoded\r\n",
        "Content-Type: text/plain; application/json\r\n"}) {
    EXPECT_EQ(CallRefusal(type), 415) << type;
  }
  EXPECT_EQ(CallRefusal("Content-Type: Application/JSON; charset=utf-8\r\n"), 0);
}

}  // namespace
}  // namespace wb
