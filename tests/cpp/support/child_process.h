// Test support: a forked child that runs one function. Only on systems with fork().
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <stdexcept>

namespace dp::test {

// Runs `body` in a child. The child exits with the result of `body`, or with 99 if it throws. The
// destructor kills the child and waits for it.
class ChildProcess {
 public:
  explicit ChildProcess(const std::function<int()>& body) : id_(fork()) {
    if (id_ == -1) throw std::runtime_error("no child process");
    if (id_ != 0) return;
    try {
      _exit(body());
    } catch (...) {
      _exit(99);
    }
  }
  ~ChildProcess() { kill(); }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Waits for the child. Returns its exit status, or -1 if it was killed.
  int wait() {
    int status = 0;
    const bool ended = waitpid(id_, &status, 0) == id_;
    id_ = -1;
    return ended && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  void kill() {
    if (id_ == -1) return;
    ::kill(id_, SIGKILL);
    wait();
  }

 private:
  pid_t id_;
};

// Transfers single bytes between parent and child.
class Pipe {
 public:
  Pipe() {
    if (pipe(ends_) != 0) throw std::runtime_error("no pipe");
  }
  ~Pipe() {
    close(ends_[0]);
    close(ends_[1]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  void send(char byte) {
    if (write(ends_[1], &byte, 1) != 1) throw std::runtime_error("the pipe takes nothing");
  }
  char receive() {
    char byte = 0;
    if (read(ends_[0], &byte, 1) != 1) throw std::runtime_error("the pipe brings nothing");
    return byte;
  }

 private:
  int ends_[2];
};

}  // namespace dp::test
