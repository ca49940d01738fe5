#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/durable_file.h"
#include "support/expect_error.h"
#include "support/scratch_folder.h"

#ifndef _WIN32
#include <sys/stat.h>
#include <sys/time.h>

#include <chrono>
#include <csignal>
#include <memory>

#include "support/child_process.h"
#endif

namespace dp::test::file_lock_test {
namespace {

bool is_free(const std::string& path) { return FileLock::try_lock(path).has_value(); }

TEST(FileLock, ExcludesASecondHandleOfTheProcessUntilItEnds) {
  const ScratchFolder folder;
  const std::string path = folder.file("lock");
  {
    const FileLock lock(path);
    EXPECT_FALSE(is_free(path));
    EXPECT_FALSE(is_free(path));
    EXPECT_TRUE(is_free(folder.file("another")));
  }
  EXPECT_TRUE(is_free(path));
}

TEST(FileLock, GoesAlongWhenTheObjectIsMoved) {
  const ScratchFolder folder;
  const std::string path = folder.file("lock");
  {
    auto lock = FileLock::try_lock(path);
    ASSERT_TRUE(lock.has_value());
    const FileLock moved = std::move(*lock);
    lock.reset();
    EXPECT_FALSE(is_free(path));
  }
  EXPECT_TRUE(is_free(path));
}

TEST(FileLock, LetsInOneThreadAtATime) {
  const ScratchFolder folder;
  const std::string path = folder.file("lock");
  std::atomic<int> inside{0};
  std::atomic<int> entries{0};
  std::atomic<bool> shared{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 50; ++j) {
        const FileLock lock(path);
        if (++inside != 1) shared = true;
        std::this_thread::yield();
        ++entries;
        --inside;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(entries, 200);
  EXPECT_FALSE(shared);
}

TEST(FileLock, HasAPathInUtf8) {
  const ScratchFolder folder;
  const std::string path = folder.file("Z\xc3\xa4hlung \xe8\xb4\xa6\xe6\x9c\xac.lock");
  const FileLock lock(path);
  EXPECT_TRUE(std::filesystem::exists(std::filesystem::u8path(path)));
  EXPECT_EQ(folder.count(), 1U);
}

TEST(FileLock, ChangesNothingInTheFile) {
  const ScratchFolder folder;
  const std::string path = folder.file("lock");
  append_durably(path, "content");
  const FileLock lock(path);
  EXPECT_EQ(content(path), "content");
}

TEST(FileLock, RefusesWhatIsNoRegularFileAndNamesIt) {
  const ScratchFolder folder;
  const std::string inside = folder.file("missing") + "/lock";
  EXPECT_NE(expect_error(ErrorKind::storage, [&] { FileLock lock(inside); }).find(inside),
            std::string::npos);
  expect_error(ErrorKind::storage, [&] { FileLock lock(folder.file("")); });
  expect_error(ErrorKind::storage, [] { FileLock lock(""); });
  const std::string zero = folder.file("lock") + std::string(1, '\0') + "behind";
  expect_error(ErrorKind::storage, [&] { FileLock lock(zero); });
  EXPECT_EQ(folder.count(), 0U);
}

#ifdef _WIN32

TEST(FileLock, RefusesAPathThatIsNotUtf8) {
  expect_error(ErrorKind::storage, [] { FileLock lock("\xff.lock"); });
}

TEST(FileLock, RefusesADevice) {
  expect_error(ErrorKind::storage, [] { FileLock lock("NUL"); });
}

#else

TEST(FileLock, RefusesLinksPipesAndDevices) {
  const ScratchFolder folder;
  append_durably(folder.file("file"), "content");
  std::filesystem::create_symlink(folder.file("file"), folder.file("link"));
  ASSERT_EQ(mkfifo(folder.file("pipe").c_str(), 0600), 0);
  for (const std::string& path :
       {folder.file("link"), folder.file("pipe"), std::string("/dev/null")}) {
    expect_error(ErrorKind::storage, [&] { FileLock lock(path); });
    expect_error(ErrorKind::storage, [&] { append_durably(path, "more"); });
  }
  EXPECT_EQ(content(folder.file("file")), "content");
}

TEST(FileLock, CreatesAFileForItsOwnerAlone) {
  const ScratchFolder folder;
  const mode_t mask = umask(0);
  const FileLock lock(folder.file("lock"));
  append_durably(folder.file("appended"), "content");
  replace_durably(folder.file("replaced"), "content");
  umask(mask);
  for (const char* name : {"lock", "appended", "replaced"}) {
    EXPECT_EQ(std::filesystem::status(folder.file(name)).permissions(),
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write)
        << name;
  }
}

// Whether `take` serialises the read, add and write of several processes. A counter that each of
// four children raises 50 times ends at 200. They start together; on an in-memory file system one
// could otherwise finish before the next starts.
template <class Take>
bool excludes_processes(const std::string& counter, Take take) {
  replace_durably(counter, "0");
  {
    Pipe there;
    Pipe begin;
    std::vector<std::unique_ptr<ChildProcess> > children;
    for (int i = 0; i < 4; ++i) {
      children.push_back(std::make_unique<ChildProcess>([&] {
        there.send('t');
        begin.receive();
        for (int j = 0; j < 50; ++j) {
          const auto lock = take();
          const int count = std::stoi(content(counter));
          std::this_thread::sleep_for(std::chrono::microseconds(100));
          replace_durably(counter, std::to_string(count + 1));
        }
        return 0;
      }));
    }
    for (int i = 0; i < 4; ++i) there.receive();
    for (int i = 0; i < 4; ++i) begin.send('b');
    for (const auto& child : children) {
      if (child->wait() != 0) return false;
    }
  }
  return content(counter) == "200";
}

TEST(FileLock, D_LED_2_ExcludesOtherProcesses) {
  const ScratchFolder folder;
  EXPECT_TRUE(
      excludes_processes(folder.file("counter"), [&] { return FileLock(folder.file("lock")); }));
}

TEST(FileLock, D_LED_2_TheTestOfProcessesRejectsALockForEachProcess) {
  const ScratchFolder folder;
  EXPECT_FALSE(excludes_processes(
      folder.file("counter"), [&] { return FileLock(folder.file(std::to_string(process_id()))); }));
}

TEST(FileLock, D_LED_2_EndsWithAKilledHolder) {
  const ScratchFolder folder;
  const std::string path = folder.file("lock");
  Pipe locked;
  ChildProcess child([&] {
    const FileLock lock(path);
    locked.send('l');
    pause();
    return 0;
  });
  locked.receive();
  EXPECT_FALSE(is_free(path));
  child.kill();
  EXPECT_TRUE(is_free(path));
}

TEST(FileLock, SurvivesThatTheProcessClosesAnotherHandleOfTheFile) {
  const ScratchFolder folder;
  const std::string path = folder.file("lock");
  const FileLock lock(path);
  EXPECT_EQ(content(path), "");
  EXPECT_FALSE(is_free(path));
  ChildProcess child([&] { return is_free(path) ? 1 : 0; });
  EXPECT_EQ(child.wait(), 0);
}

TEST(FileLock, D_LED_2_IsNeitherReleasedNorKeptByAForkedChild) {
  const ScratchFolder folder;
  const std::string path = folder.file("lock");
  auto lock = FileLock::try_lock(path);
  Pipe dropped, ends;
  ChildProcess child([&] {
    lock.reset();
    dropped.send('d');
    ends.receive();
    return 0;
  });
  ChildProcess keeps([&] {
    ends.receive();
    return 0;
  });
  dropped.receive();
  EXPECT_FALSE(is_free(path));
  lock.reset();
  EXPECT_TRUE(is_free(path));
  ends.send('e');
  ends.send('e');
  EXPECT_EQ(child.wait(), 0);
  EXPECT_EQ(keeps.wait(), 0);
}

TEST(FileLock, IsWaitedForThroughSignals) {
  const ScratchFolder folder;
  const std::string path = folder.file("lock");
  auto lock = FileLock::try_lock(path);
  static Pipe signals;
  ChildProcess child([&] {
    struct sigaction action = {};  // without SA_RESTART
    action.sa_handler = [](int) { signals.send('s'); };
    sigaction(SIGALRM, &action, nullptr);
    const itimerval each_millisecond = {{0, 1000}, {0, 1000}};
    setitimer(ITIMER_REAL, &each_millisecond, nullptr);
    const FileLock mine(path);
    const itimerval never = {};
    setitimer(ITIMER_REAL, &never, nullptr);
    return 0;
  });
  for (int i = 0; i < 30; ++i) signals.receive();
  lock.reset();
  EXPECT_EQ(child.wait(), 0);
}

TEST(FileLock, IsOfTheFileThatHasTheNameAtLast) {
  const ScratchFolder folder;
  const std::string path = folder.file("lock");
  auto lock = FileLock::try_lock(path);
  Pipe events, ends;
  ChildProcess child([&] {
    events.send('w');
    const FileLock mine(path);
    events.send('l');
    ends.receive();
    return 0;
  });
  EXPECT_EQ(events.receive(), 'w');
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  std::filesystem::remove(path);
  lock.reset();
  EXPECT_EQ(events.receive(), 'l');
  EXPECT_TRUE(std::filesystem::exists(path));
  EXPECT_FALSE(is_free(path));
  ends.send('e');
  EXPECT_EQ(child.wait(), 0);
}

#endif

}  // namespace
}  // namespace dp::test::file_lock_test
