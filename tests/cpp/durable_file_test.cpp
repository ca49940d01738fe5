#include "core/durable_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/platform_file_faults.h"
#include "support/expect_error.h"
#include "support/scratch_folder.h"

#ifndef _WIN32
#include <sys/resource.h>

#include <csignal>

#include "support/child_process.h"
#endif

namespace dp::test::durable_file_test {
namespace {

// Free bytes on the disk, and recorded calls. It is global, because the hook is a function.
struct Disk {
  std::size_t left = std::string::npos;  // bytes
  std::size_t at_once = std::string::npos;
  bool flushes = true;
  std::vector<std::size_t> calls;  // sizes; 0 for a flush
};
Disk g_disk;

std::ptrdiff_t answer_of_disk(DiskCall call, std::size_t size) {
  const bool flushes = call == DiskCall::flush;
  if (call != DiskCall::write && !flushes) return static_cast<std::ptrdiff_t>(size);
  g_disk.calls.push_back(size);
  if (flushes) return g_disk.flushes ? 0 : kDiskBroken;
  if (g_disk.left == 0) return kDiskFull;
  const std::size_t part = std::min({size, g_disk.at_once, g_disk.left});
  g_disk.left -= part;
  return static_cast<std::ptrdiff_t>(part);
}

class ScopedDisk {
 public:
  explicit ScopedDisk(Disk disk) {
    g_disk = std::move(disk);
    rule_disk(answer_of_disk);
  }
  ~ScopedDisk() { rule_disk(nullptr); }
  ScopedDisk(const ScopedDisk&) = delete;
  ScopedDisk& operator=(const ScopedDisk&) = delete;
};

Disk disk_of(std::size_t bytes) {
  Disk disk;
  disk.left = bytes;
  return disk;
}

Disk slow_disk(std::size_t at_once) {
  Disk disk;
  disk.at_once = at_once;
  return disk;
}

Disk disk_that_does_not_flush() {
  Disk disk;
  disk.flushes = false;
  return disk;
}

const std::string kBinary("\0\r\n\x1a\xff", 5);

TEST(AppendDurably, AddsBytesBehindAllOthers) {
  const ScratchFolder folder;
  const std::string path = folder.file("\xe8\xb4\xa6.ledger");
  append_durably(path, "");
  EXPECT_EQ(folder.count(), 1U);
  EXPECT_EQ(content(path), "");
  append_durably(path, "one\n");
  append_durably(path, kBinary);
  append_durably(path, "two\n");
  EXPECT_EQ(content(path), "one\n" + kBinary + "two\n");
}

TEST(AppendDurably, WritesAllThatTheSystemLeavesAndThenFlushes) {
  const ScratchFolder folder;
  const std::string path = folder.file("ledger");
  const ScopedDisk disk(slow_disk(3));
  append_durably(path, "12345678");
  EXPECT_EQ(content(path), "12345678");
  EXPECT_EQ(g_disk.calls, (std::vector<std::size_t>{8, 5, 2, 0}));
}

TEST(AppendDurably, D_LED_4_AFullDiskIsAnErrorThatNamesTheFileAndNotItsBytes) {
  const ScratchFolder folder;
  const std::string path = folder.file("ledger");
  append_durably(path, "old.");
  const ScopedDisk disk(disk_of(5));
  const std::string sentence =
      expect_error(ErrorKind::storage, [&] { append_durably(path, "secret"); });
  EXPECT_NE(sentence.find(path), std::string::npos);
  EXPECT_EQ(sentence.find("secret"), std::string::npos);
  EXPECT_EQ(content(path), "old.secre");
}

TEST(AppendDurably, D_LED_4_AFailedFlushIsAnError) {
  const ScratchFolder folder;
  const ScopedDisk disk(disk_that_does_not_flush());
  expect_error(ErrorKind::storage, [&] { append_durably(folder.file("ledger"), "bytes"); });
  expect_error(ErrorKind::storage, [&] { append_durably(folder.file("ledger"), ""); });
}

TEST(AppendDurably, D_LED_4_AFolderThatIsGoneIsAnError) {
  const ScratchFolder folder;
  expect_error(ErrorKind::storage, [&] { append_durably(folder.file("gone") + "/ledger", "a"); });
  expect_error(ErrorKind::storage, [&] { replace_durably(folder.file("gone") + "/ledger", "a"); });
}

TEST(ReplaceDurably, CreatesAFileAndReplacesIt) {
  const ScratchFolder folder;
  const std::string path = folder.file("\xe8\xb4\xa6.json");
  for (const std::string& bytes : {std::string("a longer first content"), kBinary, std::string()}) {
    replace_durably(path, bytes);
    EXPECT_EQ(content(path), bytes);
    EXPECT_EQ(folder.count(), 1U);
  }
}

TEST(ReplaceDurably, WritesAllThatTheSystemLeavesAndThenFlushes) {
  const ScratchFolder folder;
  const ScopedDisk disk(slow_disk(3));
  replace_durably(folder.file("file"), "12345678");
  EXPECT_EQ(content(folder.file("file")), "12345678");
  EXPECT_EQ(g_disk.calls, (std::vector<std::size_t>{8, 5, 2, 0}));
}

TEST(ReplaceDurably, D_LED_4_AFailureLeavesTheOldContentAndNothingElse) {
  const ScratchFolder folder;
  const std::string path = folder.file("file");
  replace_durably(path, "old");
  for (const Disk& failing : {disk_of(0), disk_of(2), disk_that_does_not_flush()}) {
    const ScopedDisk disk(failing);
    expect_error(ErrorKind::storage, [&] { replace_durably(path, "new content"); });
    EXPECT_EQ(content(path), "old");
    EXPECT_EQ(folder.count(), 1U);
  }
}

TEST(ReplaceDurably, DoesNotReplaceAFolder) {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder.file("inner"));
  expect_error(ErrorKind::storage, [&] { replace_durably(folder.file("inner"), "content"); });
  EXPECT_EQ(folder.count(), 1U);
}

#ifndef _WIN32

// Whether a reader finds only complete contents while `replace` writes 300 versions in turn.
template <class Replace>
bool is_atomic_for_a_reader(const std::string& path, Replace replace) {
  const std::string contents[] = {std::string(100000, 'a'), std::string(70000, 'b')};
  replace(path, contents[0]);
  std::atomic<bool> done{false};
  bool whole = true;
  std::thread reader([&] {
    while (!done) {
      const std::string found = content(path);
      whole = whole && (found == contents[0] || found == contents[1]);
    }
  });
  for (int i = 1; i <= 300; ++i) replace(path, contents[i % 2]);
  done = true;
  reader.join();
  return whole;
}

TEST(ReplaceDurably, IsAtomicForAReader) {
  const ScratchFolder folder;
  EXPECT_TRUE(is_atomic_for_a_reader(folder.file("file"), replace_durably));
}

TEST(ReplaceDurably, TheTestOfReadersRejectsWritingInPlace) {
  const ScratchFolder folder;
  const auto in_place = [](const std::string& path, const std::string& bytes) {
    std::ofstream out(path);
    out << bytes.substr(0, bytes.size() / 2) << std::flush;
    std::this_thread::yield();
    out << bytes.substr(bytes.size() / 2);
  };
  EXPECT_FALSE(is_atomic_for_a_reader(folder.file("file"), in_place));
}

// Writes half of the bytes, then kills the process.
std::ptrdiff_t die_after_half(DiskCall call, std::size_t size) {
  static std::size_t written = 0;
  if (call != DiskCall::write) return static_cast<std::ptrdiff_t>(size);
  if (++written == 1) return static_cast<std::ptrdiff_t>(size / 2);
  raise(SIGKILL);
  return kDiskBroken;
}

TEST(AppendDurably, D_LED_1_AKilledWriterLeavesATornTailThatTheNextOneWritesBehind) {
  const ScratchFolder folder;
  const std::string path = folder.file("ledger");
  append_durably(path, "first\n");
  ChildProcess child([&] {
    rule_disk(die_after_half);
    append_durably(path, "second");
    return 0;
  });
  EXPECT_EQ(child.wait(), -1);
  EXPECT_EQ(content(path), "first\nsec");
  append_durably(path, "\nthird\n");
  EXPECT_EQ(content(path), "first\nsec\nthird\n");
}

TEST(ReplaceDurably, D_LED_1_AKilledWriterLeavesTheOldContent) {
  const ScratchFolder folder;
  const std::string path = folder.file("file");
  replace_durably(path, "old");
  ChildProcess child([&] {
    rule_disk(die_after_half);
    replace_durably(path, "new content");
    return 0;
  });
  EXPECT_EQ(child.wait(), -1);
  EXPECT_EQ(content(path), "old");
  replace_durably(path, "newer");
  EXPECT_EQ(content(path), "newer");
}

// 40 writers, each killed after a while. Everything that one reported is there, in order.
TEST(AppendDurably, D_LED_1_WhatWasReportedSurvivesThatTheWriterIsKilled) {
  const ScratchFolder folder;
  for (int i = 0; i < 40; ++i) {
    const std::string path = folder.file("ledger-" + std::to_string(i));
    Pipe reports;
    ChildProcess writer([&] {
      for (char record = '!';; record = record == '~' ? '!' : static_cast<char>(record + 1)) {
        append_durably(path, std::string(100, record) + "\n");
        reports.send(record);
      }
      return 0;
    });
    std::string expected;
    for (int j = 0; j <= i; ++j) expected += std::string(100, reports.receive()) + "\n";
    writer.kill();
    EXPECT_EQ(content(path).substr(0, expected.size()), expected);
  }
}

TEST(AppendDurably, D_LED_4_AFileThatMayNotGrowTakesWhatFitsAndIsAnError) {
  const ScratchFolder folder;
  const std::string path = folder.file("ledger");
  ChildProcess child([&] {
    const rlimit limit = {1000, 1000};
    setrlimit(RLIMIT_FSIZE, &limit);
    try {
      append_durably(path, std::string(1500, 'a'));
    } catch (const Error& error) {
      return error.kind() == ErrorKind::storage ? 0 : 1;
    }
    return 2;
  });
  EXPECT_EQ(child.wait(), 0);
  EXPECT_EQ(content(path), std::string(1000, 'a'));
}

#endif

}  // namespace
}  // namespace dp::test::durable_file_test
