#pragma once

// S3Server: the server of s3_server.py, of one test. Its keys are test and secret.

#include <memory>
#include <string>
#include <vector>

namespace wb::test {

class S3Server {
 public:
  // nullptr, and why: there is no Python.
  static std::unique_ptr<S3Server> Start(const std::vector<std::string>& options,
                                         std::string* why_not);
  ~S3Server();
  std::string origin() const { return "http://127.0.0.1:" + std::to_string(port_); }
  // The next requests (of that method) are answered so: see there.
  void Fail(const std::string& kind, int count, const std::string& method = "");
  void Spoil(const std::string& path);
  std::string Log();  // since it was asked last
  void Stop();        // nobody listens any more

 private:
  S3Server(int process, int input, int port) : process_(process), input_(input), port_(port) {}
  std::string Ask(const std::string& path) const;

  int process_;
  int input_;
  const int port_;
};

}  // namespace wb::test
