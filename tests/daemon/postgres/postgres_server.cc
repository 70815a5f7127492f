#include "tests/daemon/postgres/postgres_server.h"

#include <pwd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "compiler/base/check.h"

namespace wb::test {
namespace {

namespace fs = std::filesystem;

// Debian's folders first, the newest version; then PATH.
std::string FindPrograms() {
  std::string found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator("/usr/lib/postgresql", error)) {
    const std::string bin = entry.path().string() + "/bin";
    if (fs::exists(bin + "/postgres") && bin > found) found = bin;
  }
  return found;
}

const passwd* ServerUser() {
  if (geteuid() != 0) return getpwuid(geteuid());
  const passwd* user = getpwnam("postgres");
  return user != nullptr ? user : getpwnam("nobody");
}

int Shell(const std::string& command) { return std::system(command.c_str()); }

}  // namespace

PostgresServer* PostgresServer::Get(std::string* why_not) {
  static std::string reason;
  static const std::unique_ptr<PostgresServer> server = []() -> std::unique_ptr<PostgresServer> {
    const std::string programs = FindPrograms();
    if (programs.empty()) {
      reason = "there is no PostgreSQL server (Debian: postgresql-15)";
      return nullptr;
    }
    char folder[] = "/tmp/wb_pg_XXXXXX";
    WB_CHECK(mkdtemp(folder) != nullptr);
    std::unique_ptr<PostgresServer> made(new PostgresServer(programs, folder));
    if (!made->MakeCluster()) {
      reason = "initdb failed; see " + std::string(folder) + "/log";
      return nullptr;
    }
    made->Run();
    return made;
  }();
  *why_not = reason;
  return server.get();
}

PostgresServer::~PostgresServer() {
  Stop();
  std::error_code error;
  fs::remove_all(folder_, error);
}

std::string PostgresServer::Prefix() const {
  const passwd* user = ServerUser();
  if (geteuid() != 0 || user == nullptr) return "";
  return "setpriv --reuid=" + std::to_string(user->pw_uid) +
         " --regid=" + std::to_string(user->pw_gid) + " --clear-groups ";
}

bool PostgresServer::MakeCluster() const {
  const passwd* user = ServerUser();
  if (user == nullptr) return false;
  if (geteuid() == 0 && chown(folder_.c_str(), user->pw_uid, user->pw_gid) != 0) return false;
  return Shell("cd / && " + Prefix() + programs_ + "/initdb -D " + folder_ +
               "/data -U wasmburst -A trust --no-sync -E UTF8 --locale=C >" + folder_ +
               "/log 2>&1") == 0;
}

// The kernel ends it with this process.
void PostgresServer::Run() {
  const std::string command = "cd / && exec " + Prefix() + "setpriv --pdeathsig=QUIT " + programs_ +
                              "/postgres -D " + folder_ +
                              "/data -c listen_addresses= -c unix_socket_directories=" + folder_ +
                              " -c fsync=off -c max_connections=60 >>" + folder_ + "/log 2>&1";
  pid_ = fork();
  WB_CHECK(pid_ >= 0);
  if (pid_ == 0) {
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  const std::string ready =
      programs_ + "/pg_isready -q -h " + folder_ + " -U wasmburst -d postgres";
  for (int tries = 0; Shell(ready) != 0; ++tries) {
    WB_CHECK(tries < 600);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

void PostgresServer::Stop() {
  if (pid_ == 0) return;
  kill(pid_, SIGQUIT);
  waitpid(pid_, nullptr, 0);
  pid_ = 0;
}

std::string PostgresServer::NewDatabase(const std::string& options) {
  const std::string name = "test" + std::to_string(++databases_);
  Sql("postgres", "CREATE DATABASE " + name + " " + options);
  return name;
}

std::string PostgresServer::Address(const std::string& database) const {
  return "postgresql:///" + database + "?host=" + folder_ + "&user=wasmburst";
}

std::string PostgresServer::Sql(const std::string& database, const std::string& text) const {
  const std::string command = programs_ + "/psql -X -A -t -v ON_ERROR_STOP=1 -h " + folder_ +
                              " -U wasmburst -d " + database + " -c \"" + text + "\"";
  FILE* const pipe = popen(command.c_str(), "r");
  WB_CHECK(pipe != nullptr);
  std::string said;
  char piece[4096];
  while (const size_t n = fread(piece, 1, sizeof(piece), pipe)) said.append(piece, n);
  WB_CHECK(pclose(pipe) == 0);
  while (!said.empty() && said.back() == '\n') said.pop_back();
  return said;
}

}  // namespace wb::test
