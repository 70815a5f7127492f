#include "tests/daemon/blobs/s3_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include "compiler/base/check.h"

namespace wb::test {
namespace {

std::string ReadAll(int file) {
  std::string text;
  char piece[4096];
  ssize_t n = 0;
  while ((n = read(file, piece, sizeof(piece))) > 0) text.append(piece, static_cast<size_t>(n));
  return text;
}

std::string ReadLine(int file) {
  std::string line;
  char c = 0;
  while (read(file, &c, 1) == 1 && c != '\n') line += c;
  return line;
}

}  // namespace

std::unique_ptr<S3Server> S3Server::Start(const std::vector<std::string>& options,
                                          std::string* why_not) {
  if (access("/usr/bin/python3", X_OK) != 0) {
    *why_not = "there is no /usr/bin/python3";
    return nullptr;
  }
  std::vector<std::string> words = {"/usr/bin/python3", "-S", WB_S3_SERVER};
  words.insert(words.end(), options.begin(), options.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::array<int, 2> input{};
  std::array<int, 2> output{};
  WB_CHECK(pipe2(input.data(), O_CLOEXEC) == 0 && pipe2(output.data(), O_CLOEXEC) == 0);
  const pid_t process = fork();
  WB_CHECK(process >= 0);
  if (process == 0) {
    dup2(input[0], STDIN_FILENO);
    dup2(output[1], STDOUT_FILENO);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  close(input[0]);
  close(output[1]);
  const int port = std::atoi(ReadLine(output[0]).c_str());
  close(output[0]);
  WB_CHECK(port > 0);
  return std::unique_ptr<S3Server>(new S3Server(process, input[1], port));
}

S3Server::~S3Server() { Stop(); }

void S3Server::Stop() {
  if (process_ == 0) return;
  close(input_);
  waitpid(process_, nullptr, 0);
  process_ = 0;
}

std::string S3Server::Ask(const std::string& path) const {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port_));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  WB_CHECK(connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0);
  const std::string request = "GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  WB_CHECK(write(socket, request.data(), request.size()) == static_cast<ssize_t>(request.size()));
  const std::string answer = ReadAll(socket);
  close(socket);
  const size_t body = answer.find("\r\n\r\n");
  WB_CHECK(body != std::string::npos);
  return answer.substr(body + 4);
}

void S3Server::Fail(const std::string& kind, int count, const std::string& method) {
  Ask("/-/fail?kind=" + kind + "&count=" + std::to_string(count) +
      (method.empty() ? "" : "&operation=" + method));
}

void S3Server::Spoil(const std::string& path) { Ask("/-/spoil?path=" + path); }

std::string S3Server::Log() { return Ask("/-/log"); }

}  // namespace wb::test
