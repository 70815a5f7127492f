#include "client/cli/host/handler_process.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "client/cli/program/child.h"

namespace wb::cli {
// Named, since a field of HandlerProcess has it.
struct HandlerPipe {
  int read = -1;
  int write = -1;
};

namespace {

// How often the end of a process is looked for that left its output open to others.
constexpr int kLookMs = 100;
constexpr int kEndLookMs = 5;
constexpr int kReadsAtATime = 16;
constexpr int kLastReads = 1024;  // of a process that has ended
constexpr size_t kReadBytes = 65536;

void Close(int* file) {
  if (*file >= 0) close(*file);
  *file = -1;
}

// Neither end is inherited; the child gets copies.
bool Open(HandlerPipe* made) {
  int ends[2];
  if (pipe(ends) != 0) return false;
  *made = {ends[0], ends[1]};
  fcntl(made->read, F_SETFD, FD_CLOEXEC);
  fcntl(made->write, F_SETFD, FD_CLOEXEC);
  return true;
}

void SetNonblocking(int file) { fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK); }

// A write to a process that has ended is an error, no signal.
void BlockPipeSignal() {
  sigset_t pipe_signal;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe_signal, nullptr);
}

}  // namespace

struct HandlerProcess::Files {
  ~Files() {
    for (HandlerPipe* pipe : {&input, &output, &wake}) {
      Close(&pipe->read);
      Close(&pipe->write);
    }
  }
  HandlerPipe input, output, wake;
};

HandlerProcess::HandlerProcess(HandlerOptions options, HandlerEvents events)
    : options_(std::move(options)),
      events_(std::move(events)),
      files_(std::make_unique<Files>()),
      lines_(options_.longest_line) {}

Result<std::unique_ptr<HandlerProcess>> HandlerProcess::Start(const HandlerOptions& options,
                                                              HandlerEvents events) {
  std::unique_ptr<HandlerProcess> process(new HandlerProcess(options, std::move(events)));
  Files& files = *process->files_;
  if (!Open(&files.input) || !Open(&files.output) || !Open(&files.wake)) {
    return Status(Reason::kIoError,
                  "The program of --host cannot be run: no pipe to it can be made (" +
                      std::string(std::strerror(errno)) + ").");
  }
  const std::vector<std::string> command = {"/bin/sh", "-c", options.command};
  WB_ASSIGN(process->pid_, StartChild(command, files.input.read, files.output.write, true));
  Close(&files.input.read);
  Close(&files.output.write);
  for (const int file : {files.input.write, files.output.read, files.wake.read, files.wake.write}) {
    SetNonblocking(file);
  }
  HandlerProcess* const running = process.get();
  process->thread_ = std::thread([running] { running->Serve(); });
  return process;
}

HandlerProcess::~HandlerProcess() { Finish(); }

// A full pipe wakes the thread as well.
void HandlerProcess::Wake() { (void)!write(files_->wake.write, "", 1); }

void HandlerProcess::Send(std::string_view line) {
  MutexLock lock(mutex_);
  if (!takes_input_) return;
  outgoing_ += line;
  Wake();
}

void HandlerProcess::BeginEnd() {
  MutexLock lock(mutex_);
  is_finishing_ = true;
  takes_input_ = false;
  Wake();
}

void HandlerProcess::Finish() {
  if (!thread_.joinable()) return;
  BeginEnd();
  thread_.join();
}

bool HandlerProcess::IsFinishing() {
  MutexLock lock(mutex_);
  return is_finishing_;
}

void HandlerProcess::Serve() {
  BlockPipeSignal();
  Step step = Step::kGoOn;
  while (step == Step::kGoOn && !IsFinishing()) step = WaitAndMove();
  {
    MutexLock lock(mutex_);
    takes_input_ = false;
    outgoing_.clear();
  }
  const bool by_itself = EndProcess();
  if (!IsFinishing()) events_.on_end(WhyEnded(step, by_itself));
}

HandlerProcess::Step HandlerProcess::WaitAndMove() {
  if (writing_.empty()) {
    MutexLock lock(mutex_);
    writing_.swap(outgoing_);
  }
  const int input = writing_.empty() ? -1 : files_->input.write;  // -1: is left out
  std::array<pollfd, 3> files = {
      {{files_->output.read, POLLIN, 0}, {files_->wake.read, POLLIN, 0}, {input, POLLOUT, 0}}};
  if (poll(files.data(), files.size(), kLookMs) < 0) return Step::kGoOn;  // interrupted
  if (files[1].revents != 0) {
    char bytes[256];
    while (read(files_->wake.read, bytes, sizeof(bytes)) > 0) {
    }
  }
  if (files[2].revents != 0) WriteInput();
  const bool had_ended = HasEnded();  // before the last of its output is read
  const Step step = ReadOutput();
  return step == Step::kGoOn && had_ended ? Step::kOutputEnded : step;
}

HandlerProcess::Step HandlerProcess::ReadOutput() {
  char bytes[kReadBytes];
  const int reads = has_ended_ ? kLastReads : kReadsAtATime;
  for (int i = 0; i < reads; ++i) {
    const ssize_t got = read(files_->output.read, bytes, sizeof(bytes));
    if (got == 0) return Step::kOutputEnded;
    if (got < 0) return errno == EAGAIN || errno == EINTR ? Step::kGoOn : Step::kOutputEnded;
    const std::string_view read_bytes(bytes, static_cast<size_t>(got));
    if (!lines_.Add(read_bytes, events_.on_line)) return Step::kLineTooLong;
  }
  return Step::kGoOn;
}

// A process that reads no more may still answer what it has read: only its output's end counts.
void HandlerProcess::WriteInput() {
  const ssize_t sent =
      write(files_->input.write, writing_.data() + written_, writing_.size() - written_);
  const bool failed = sent < 0 && errno != EAGAIN && errno != EINTR;
  if (sent > 0) written_ += static_cast<size_t>(sent);
  if (!failed && written_ < writing_.size()) return;
  writing_.clear();
  written_ = 0;
  if (!failed) return;
  MutexLock lock(mutex_);
  takes_input_ = false;
  outgoing_.clear();
}

bool HandlerProcess::HasEnded() {
  if (has_ended_) return true;
  const pid_t pid = waitpid(pid_, &end_status_, WNOHANG);
  has_ended_ = pid == pid_ || (pid < 0 && errno == ECHILD);
  return has_ended_;
}

// What it still writes is dropped, so that it does not wait for a reader.
bool HandlerProcess::EndsWithin(std::chrono::milliseconds time) {
  const auto until = std::chrono::steady_clock::now() + time;
  char bytes[kReadBytes];
  while (!HasEnded()) {
    if (std::chrono::steady_clock::now() >= until) return false;
    pollfd output = {files_->output.read, POLLIN, 0};
    const bool has_output = poll(&output, 1, kEndLookMs) > 0;
    if (has_output && read(files_->output.read, bytes, sizeof(bytes)) > 0) continue;
    // At the end of its output poll does not wait.
    if (has_output) poll(nullptr, 0, kEndLookMs);
  }
  return true;
}

bool HandlerProcess::EndProcess() {
  Close(&files_->input.write);
  if (EndsWithin(options_.grace)) return true;
  kill(-pid_, SIGTERM);
  if (EndsWithin(options_.grace)) return false;
  kill(-pid_, SIGKILL);
  while (waitpid(pid_, &end_status_, 0) < 0 && errno == EINTR) {
  }
  has_ended_ = true;
  return false;
}

std::string HandlerProcess::WhyEnded(Step step, bool by_itself) const {
  const std::string program = "The program of --host ";
  if (step == Step::kLineTooLong) {
    return program + "wrote a line of more than [" + std::to_string(options_.longest_line) +
           "] bytes.";
  }
  if (!by_itself) return program + "closed its standard output.";
  if (WIFSIGNALED(end_status_)) {
    return program + "was ended by signal [" + std::to_string(WTERMSIG(end_status_)) + "].";
  }
  return program + "exited with status [" + std::to_string(WEXITSTATUS(end_status_)) + "].";
}

}  // namespace wb::cli
