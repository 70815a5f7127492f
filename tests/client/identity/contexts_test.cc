// contexts.toml, and which daemon is chosen of flags, environment and contexts.

#include "client/cli/identity/contexts.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "client/cli/identity/connection_choice.h"
#include "client/cli/identity/secret_file.h"
#include "tests/client/identity/scratch_folder.h"

namespace wb::cli {
namespace {

constexpr const char* kLab = R"(current = "lab"
[context.lab]
addr = "tls://gpu1:7443"
ca = "/ca.pem"
server_name = "gpu"
[context.home]
addr = "unix:///run/x.sock"
)";

TEST(Contexts, AreReadAndWritten) {
  const Contexts contexts = ParseContexts(kLab, "contexts.toml").value();
  EXPECT_EQ(contexts.current, "lab");
  ASSERT_EQ(contexts.all.size(), 2u);
  EXPECT_EQ(contexts.all[0].name, "home");  // by name
  const Context lab = contexts.Get("lab").value();
  EXPECT_EQ(lab.address, "tls://gpu1:7443");
  EXPECT_EQ(lab.ca_file, "/ca.pem");
  EXPECT_EQ(lab.server_name, "gpu");
  EXPECT_EQ(lab.token_file, "");
  const std::string text = ContextsText(contexts);
  EXPECT_EQ(ContextsText(ParseContexts(text, "again").value()), text);
}

TEST(Contexts, OddTextsOutliveAFile) {
  Contexts contexts;
  ASSERT_TRUE(contexts.Put({"a.b-c_1", "tcp://h:1", "/a \"b\"\\c\n[d]"}).ok());
  const Contexts read = ParseContexts(ContextsText(contexts), "f").value();
  EXPECT_EQ(read.Get("a.b-c_1").value().token_file, "/a \"b\"\\c\n[d]");
}

TEST(Contexts, WhatIsWrongIsNamedWithItsLine) {
  const std::pair<const char*, const char*> wrong[] = {
      {"current = 1", "f:1"},
      {"\nother = \"x\"", "f:2: The key [other]"},
      {"context = 1", "f:1: [context]"},
      {"[context.a]\naddr = \"x\"\ntoken = \"y\"", "f:3: The key [context.a.token]"},
      {"[context.a]\naddr = 1", "f:2: [context.a.addr] must be a text"},
      {"[context.a]\nca = \"x\"", "has no addr"},
      {"[context.\"a b\"]\naddr = \"x\"", "[a b]"},
      {"current = ", "f:1: The file is not TOML"}};
  for (const auto& [text, said] : wrong) {
    const Status status = ParseContexts(text, "f").status();
    EXPECT_EQ(status.reason(), Reason::kInvalidArgument) << text;
    EXPECT_NE(status.message().find(said), std::string::npos) << status.message();
  }
}

TEST(Contexts, NamesAreLookedUp) {
  Contexts contexts = ParseContexts(kLab, "f").value();
  EXPECT_EQ(contexts.Get("x").status().reason(), Reason::kNotFound);
  EXPECT_NE(contexts.Get("x").status().message().find("[home], [lab]"), std::string::npos);
  EXPECT_EQ(contexts.Put({"a b", "x"}).reason(), Reason::kInvalidArgument);
  ASSERT_TRUE(contexts.Remove("lab").ok());
  EXPECT_EQ(contexts.current, "");
  EXPECT_EQ(contexts.Remove("lab").reason(), Reason::kNotFound);
  ASSERT_TRUE(contexts.Put({"home", "tcp://other:1"}).ok());  // replaces
  EXPECT_EQ(contexts.all.size(), 1u);
}

TEST(Contexts, AFileOfTheirOwner) {
  const ScratchFolder scratch;
  const std::string path = scratch.Path("new/wasmburst/contexts.toml");
  EXPECT_TRUE(ReadContexts(path).value().all.empty());  // not there
  Contexts contexts;
  ASSERT_TRUE(contexts.Put({"a", "tcp://h:1"}).ok());
  ASSERT_TRUE(WriteContexts(path, contexts).ok());
  ASSERT_TRUE(WriteContexts(path, contexts).ok());
  EXPECT_EQ(scratch.Mode("new/wasmburst/contexts.toml"), 0600u);
  EXPECT_EQ(scratch.Mode("new/wasmburst"), 0700u);
  EXPECT_EQ(ReadContexts(path).value().all.size(), 1u);
  size_t files = 0;
  for (const auto& one : std::filesystem::directory_iterator(scratch.Path("new/wasmburst"))) {
    files += one.exists() ? 1 : 0;
  }
  EXPECT_EQ(files, 1u);  // nothing is left beside it
  EXPECT_EQ(WriteContexts("", contexts).reason(), Reason::kInvalidArgument);
}

TEST(SecretFile, ALinkStaysALink) {
  const ScratchFolder scratch;
  scratch.Write("real", "old");
  std::filesystem::create_symlink("real", scratch.Path("link"));
  ASSERT_TRUE(ReplaceSecretFile(scratch.Path("link"), "new").ok());
  EXPECT_TRUE(std::filesystem::is_symlink(scratch.Path("link")));
  EXPECT_EQ(scratch.Read("real"), "new");
  EXPECT_EQ(CreateSecretFile(scratch.Path("link"), "x").reason(), Reason::kIoError);
  EXPECT_EQ(scratch.Read("real"), "new");
}

class ConnectionChoiceTest : public testing::Test {
 protected:
  void SetUp() override {
    scratch_.Write("one.token", "wbt_one\n", 0600);
    scratch_.Write("two.token", "wbt_two\n", 0600);
    scratch_.Write("lab.token", "wbt_lab\n", 0600);
    scratch_.Write("contexts.toml",
                   "current = \"lab\"\n[context.lab]\naddr = \"tls://lab:1\"\nca = "
                   "\"/lab.pem\"\ntoken_file = \"" +
                       scratch_.Path("lab.token") +
                       "\"\n[context.bare]\naddr = \"tcp://127.0.0.1:9\"\n");
    environment_.contexts_file = scratch_.Path("contexts.toml");
  }
  // "ADDRESS TOKEN CA", or why not.
  std::string Chosen() const {
    const Result<ConnectionChoice> choice = ChooseConnection(flags_, environment_);
    if (!choice.ok()) return choice.status().ToString();
    return choice->address + " " + choice->options.token + " " + choice->options.ca_file;
  }

  ScratchFolder scratch_;
  ConnectionFlags flags_;
  ConnectionEnvironment environment_;
};

TEST_F(ConnectionChoiceTest, TheContextInUse) {
  EXPECT_EQ(Chosen(), "tls://lab:1 wbt_lab /lab.pem");
  environment_.contexts_file = scratch_.Path("none");
  EXPECT_EQ(Chosen(), std::string(kDefaultAddress) + "  ");
  environment_.contexts_file = "";
  EXPECT_EQ(Chosen(), std::string(kDefaultAddress) + "  ");
}

TEST_F(ConnectionChoiceTest, FlagsGoBeforeTheEnvironmentBeforeTheContextInUse) {
  environment_.token = " wbt_variable\n";
  EXPECT_EQ(Chosen(), "tls://lab:1 wbt_variable /lab.pem");
  environment_.token_file = scratch_.Path("one.token");
  EXPECT_EQ(Chosen(), "tls://lab:1 wbt_variable /lab.pem");
  environment_.token = "";
  EXPECT_EQ(Chosen(), "tls://lab:1 wbt_one /lab.pem");
  flags_.token_file = scratch_.Path("two.token");
  flags_.ca_file = "/mine.pem";
  EXPECT_EQ(Chosen(), "tls://lab:1 wbt_two /mine.pem");
}

// Its token is for its own daemon.
TEST_F(ConnectionChoiceTest, AContextInUseIsLeftAsideForAnotherAddress) {
  environment_.address = "tls://other:2";
  EXPECT_EQ(Chosen(), "tls://other:2  ");
  flags_.address = "tls://third:3";
  EXPECT_EQ(Chosen(), "tls://third:3  ");
  scratch_.Write("contexts.toml", "damaged", 0600);
  EXPECT_EQ(Chosen(), "tls://third:3  ");  // not even read
}

TEST_F(ConnectionChoiceTest, AContextThatAFlagNames) {
  environment_.address = "tls://other:2";
  environment_.token = "wbt_variable";
  flags_.context = "lab";
  EXPECT_EQ(Chosen(), "tls://lab:1 wbt_lab /lab.pem");
  flags_.address = "tls://tunnel:3";
  EXPECT_EQ(Chosen(), "tls://tunnel:3 wbt_lab /lab.pem");
  flags_ = {};
  flags_.context = "bare";
  EXPECT_EQ(Chosen(), "tcp://127.0.0.1:9 wbt_variable ");
  flags_.context = "missing";
  EXPECT_NE(Chosen().find("NOT_FOUND"), std::string::npos);
}

TEST_F(ConnectionChoiceTest, WhatIsWrongIsSaid) {
  flags_.token_file = scratch_.Path("nowhere");
  EXPECT_NE(Chosen().find("nowhere] cannot be read"), std::string::npos) << Chosen();
  flags_.token_file = "";
  environment_.token = "Zauber";
  EXPECT_NE(Chosen().find("The variable WASMBURST_TOKEN holds no token"), std::string::npos);
  EXPECT_EQ(Chosen().find("Zauber"), std::string::npos);  // never the text
  environment_.token = "";
  scratch_.Write("contexts.toml", "current = \"gone\"");
  EXPECT_NE(Chosen().find("no context [gone]"), std::string::npos);
}

// A pair is of one origin.
TEST_F(ConnectionChoiceTest, CertificateAndKeyGoTogether) {
  scratch_.Write("contexts.toml",
                 "current = \"c\"\n[context.c]\naddr = \"tls://c:1\"\ncert = \"/c\"\nkey = \"/k\"");
  EXPECT_EQ(ChooseConnection(flags_, environment_)->options.key_file, "/k");
  flags_.certificate_file = "/mine";
  EXPECT_EQ(ChooseConnection(flags_, environment_)->options.key_file, "");
}

}  // namespace
}  // namespace wb::cli
