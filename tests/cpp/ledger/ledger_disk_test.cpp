// D-LED-1, D-LED-4: each disk call fails in turn, or is the last call of its process.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>

#include "core/ledger/folder_store.h"
#include "core/ledger/ledger.h"
#include "core/platform_file_faults.h"
#include "ledger/ledgers.h"

#ifndef _WIN32
#include <fcntl.h>
#include <unistd.h>

#include <csignal>

#include "support/child_process.h"
#endif

namespace dp::test::ledger_disk_test {
namespace {

constexpr double kCost = 0.0009765625;
constexpr std::size_t kAll = std::size_t{1} << 40;

// A disk whose call number `failing` has this fault. If the fault `lasts`, later calls have it too.
struct Disk {
  long failing = -1;
  std::ptrdiff_t fault = kDiskBroken;
  bool lasts = false;
  std::size_t at_once = kAll;  // bytes that one call writes or reads
  long calls = 0;
  bool is_flushed = true;  // all written bytes are flushed
};
Disk g_disk;

bool has_failed() { return g_disk.calls > g_disk.failing; }

std::ptrdiff_t failing_disk(DiskCall call, std::size_t size) {
  const long number = g_disk.calls++;
  if (number == g_disk.failing || (g_disk.lasts && number > g_disk.failing)) return g_disk.fault;
  if (call == DiskCall::write) g_disk.is_flushed = false;
  if (call == DiskCall::flush) g_disk.is_flushed = true;
  return static_cast<std::ptrdiff_t>(std::min(size, g_disk.at_once));
}

// False for an error, which must be a disk or ledger error.
bool succeeds(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_TRUE(error.kind() == ErrorKind::storage || error.kind() == ErrorKind::ledger)
        << error.what();
    return false;
  }
  return true;
}

// Completed work is on stable storage. If a call fails, nothing is done.
bool succeeds_on_disk(const std::function<void()>& act) {
  rule_disk(failing_disk);
  const bool done = succeeds(act);
  rule_disk(nullptr);
  EXPECT_EQ(done, !has_failed()) << "call " << g_disk.failing;
  EXPECT_TRUE(g_disk.is_flushed || !done);
  return done;
}

// Runs `act` once for each of its disk calls and each kind of failure, and lets this call fail.
// Returns the number of runs.
long fail_each_call(const std::function<void()>& act) {
  long failures = 0;
  for (const Disk& kind : {Disk{-1, kDiskBroken, false, kAll, 0, true},
                           Disk{-1, kDiskFull, true, kAll, 0, true},
                           Disk{-1, kDiskBroken, true, 256, 0, true}}) {
    for (long failing = 0;; ++failing) {
      g_disk = kind;
      g_disk.failing = failing;
      act();
      if (testing::Test::HasFailure() || !has_failed()) break;
      ++failures;
    }
  }
  return failures;
}

TotalLoss spent_in(const std::string& folder) { return open_ledger(folder).state().spent(); }

TEST(LedgerDisk, D_LED_4_AChargeIsThereOrWasNotGrantedWhateverCallFails) {
  const ScratchFolder scratch;
  const std::string folder = scratch.file("l");
  Ledger::create(folder_store(folder), terms_of(1000), std::nullopt);
  const long failures = fail_each_call([&] {
    Ledger ledger = open_ledger(folder);
    const TotalLoss before = ledger.state().spent();
    const bool granted = succeeds_on_disk([&] { ledger.charge(charge_of(kCost)); });
    const TotalLoss after = spent_in(folder);
    const bool is_charged = after == before + pure_loss(kCost);
    EXPECT_TRUE(granted ? is_charged : is_charged || after == before);
    // The object still works, or refuses all further work.
    const bool goes_on = succeeds([&] { ledger.charge(charge_of(kCost)); });
    EXPECT_EQ(spent_in(folder), goes_on ? after + pure_loss(kCost) : after);
  });
  EXPECT_GT(failures, 15);
}

TEST(LedgerDisk, D_LED_4_ALedgerIsMadeOrCanBeMadeWhateverCallFails) {
  const ScratchFolder scratch;
  int number = 0;
  const long failures = fail_each_call([&] {
    const std::string folder = scratch.file("l" + std::to_string(++number));
    const auto create = [&] { Ledger::create(folder_store(folder), terms_of(1), std::nullopt); };
    succeeds_on_disk(create);
    if (!succeeds([&] { open_ledger(folder); })) create();
    EXPECT_EQ(open_ledger(folder).state().left(), pure_loss(1));
  });
  EXPECT_GT(failures, 20);
}

TEST(LedgerDisk, D_LED_4_ATornLineIsCutOffWhateverCallFails) {
  const ScratchFolder scratch;
  const std::string folder = scratch.file("l");
  Ledger::create(folder_store(folder), terms_of(1), std::nullopt).charge(charge_of(0.25));
  const std::string whole = content(ledger_file(folder));
  const long failures = fail_each_call([&] {
    overwrite(ledger_file(folder), whole + "{\"charge\"");
    succeeds_on_disk([&] { open_ledger(folder); });
    Ledger ledger = open_ledger(folder);
    EXPECT_EQ(ledger.state().spent(), pure_loss(0.25));
    EXPECT_EQ(content(ledger_file(folder)).substr(0, whole.size()), whole);
  });
  EXPECT_GT(failures, 15);
}

TEST(LedgerDisk, D_LED_4_WhatIsAllocatedWasChargedWhateverCallFails) {
  const ScratchFolder scratch;
  const std::string folder = scratch.file("l");
  Ledger::create(folder_store(folder), terms_of(1000), std::nullopt);
  int number = 0;
  const long failures = fail_each_call([&] {
    const std::string child = scratch.file("child" + std::to_string(++number));
    Ledger ledger = open_ledger(folder);
    const TotalLoss before = ledger.state().spent();
    succeeds_on_disk([&] {
      ledger.allocate(folder_store(child), pure_loss(0.5), "PSIlence test", std::nullopt);
    });
    const bool is_made = succeeds([&] { open_ledger(child); });
    const TotalLoss after = spent_in(folder);
    EXPECT_TRUE(after == before + pure_loss(0.5) || (!is_made && after == before));
    EXPECT_TRUE(!is_made || open_ledger(child).state().left() == pure_loss(0.5));
  });
  EXPECT_GT(failures, 25);
}

TEST(LedgerDisk, D_LED_4_NothingIsSpentTwiceWhateverCallFailsAsItIsTakenBack) {
  const ScratchFolder scratch;
  const std::string folder = scratch.file("l");
  Ledger::create(folder_store(folder), terms_of(1000), std::nullopt);
  int number = 0;
  const long failures = fail_each_call([&] {
    const std::string name = scratch.file("child" + std::to_string(++number));
    Ledger ledger = open_ledger(folder);
    const TotalLoss before = ledger.state().spent();
    Ledger child =
        ledger.allocate(folder_store(name), pure_loss(0.5), "PSIlence test", std::nullopt);
    child.charge(charge_of(0.125));
    const bool taken = succeeds_on_disk([&] { ledger.take_back(child); });
    const bool is_back = spent_in(folder) == before + pure_loss(0.125);
    EXPECT_TRUE(is_back || spent_in(folder) == before + pure_loss(0.5));
    EXPECT_TRUE(is_back || !taken);
    EXPECT_TRUE(!is_back || open_ledger(name).state().left().inner.is_zero());
  });
  EXPECT_GT(failures, 25);
}

#ifndef _WIN32

std::ptrdiff_t deadly_disk(DiskCall call, std::size_t size) {
  const std::ptrdiff_t part = failing_disk(call, size);
  if (has_failed()) raise(SIGKILL);
  return part;
}

// Whether a process charged and then printed a byte.
bool charges_and_prints(const std::string& folder, const std::string& printed) {
  return ChildProcess([&] {
           Ledger ledger = open_ledger(folder);
           rule_disk(deadly_disk);
           ledger.charge(charge_of(kCost));
           rule_disk(nullptr);
           const int out = open(printed.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
           return write(out, "x", 1) == 1 ? 0 : 1;
         }).wait() == 0;
}

TEST(LedgerDisk, D_LED_1_AProcessMayDieInAnyCall) {
  const ScratchFolder scratch;
  const std::string folder = scratch.file("l");
  const std::string printed = scratch.file("printed");
  Ledger::create(folder_store(folder), terms_of(1000), std::nullopt);
  int ours = 0;
  for (const std::size_t at_once : {kAll, std::size_t{100}}) {
    bool lived = false;
    for (long failing = 0; !lived; ++failing) {
      ASSERT_LT(failing, 100);
      g_disk = Disk{failing, kDiskBroken, false, at_once, 0, true};
      lived = charges_and_prints(folder, printed);
      const auto charges = static_cast<double>(content(printed).size()) + ours;
      EXPECT_TRUE(pure_loss(charges * kCost).is_within(spent_in(folder))) << failing;
      open_ledger(folder).charge(charge_of(kCost));
      ++ours;
    }
  }
}

// A program that was started meanwhile and is still running does not keep a dead process's lock.
TEST(LedgerDisk, D_LED_2_AProgramThatWasStartedMeanwhileInheritsNoLock) {
  const ScratchFolder scratch;
  const std::string folder = scratch.file("l");
  Ledger::create(folder_store(folder), terms_of(1), std::nullopt);
  static int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  static const auto start_and_die = [](DiskCall call, std::size_t size) {
    if (call != DiskCall::write) return static_cast<std::ptrdiff_t>(size);
    if (fork() == 0) {
      // Ends when the other end of the pipe is closed everywhere.
      dup2(ends[0], 0);
      close(ends[1]);
      execl("/bin/cat", "cat", nullptr);
      _exit(1);
    }
    raise(SIGKILL);
    return kDiskBroken;
  };
  ChildProcess child([&] {
    Ledger ledger = open_ledger(folder);
    rule_disk(start_and_die);
    ledger.charge(charge_of(kCost));
    return 0;
  });
  EXPECT_EQ(child.wait(), -1);
  Ledger ledger = open_ledger(folder);  // waits until the program has begun
  ledger.charge(charge_of(kCost));
  EXPECT_EQ(ledger.state().spent(), pure_loss(kCost));
  close(ends[0]);
  close(ends[1]);
}

#endif

}  // namespace
}  // namespace dp::test::ledger_disk_test
