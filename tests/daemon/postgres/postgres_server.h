#pragma once

// PostgresServer: a PostgreSQL of this test's own: a cluster in a temporary folder, on a Unix
// socket in it, without TCP. It ends with the test's process. As root it runs as the user postgres
// or nobody, because PostgreSQL refuses to run as root.

#include <sys/types.h>

#include <memory>
#include <string>

namespace wb::test {

class PostgresServer {
 public:
  // The one of this process, made when it is asked for first; null: there is none, and `why_not`
  // says so.
  static PostgresServer* Get(std::string* why_not);
  ~PostgresServer();

  void Run();   // and waits until it answers
  void Stop();  // at once, as a crash: sessions are cut

  std::string NewDatabase(const std::string& options = "");  // its name
  std::string Address(const std::string& database) const;
  std::string socket_folder() const { return folder_; }
  // Statements that a test makes behind the daemon's back. What they print.
  std::string Sql(const std::string& database, const std::string& text) const;

 private:
  PostgresServer(std::string programs, std::string folder)
      : programs_(std::move(programs)), folder_(std::move(folder)) {}
  std::string Prefix() const;  // of a command as the server's user
  bool MakeCluster() const;

  const std::string programs_;
  const std::string folder_;
  pid_t pid_ = 0;
  int databases_ = 0;
};

}  // namespace wb::test
