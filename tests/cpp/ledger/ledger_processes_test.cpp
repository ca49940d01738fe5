// D-LED-1 to 3: several processes, and processes that die. Only on systems with fork().
#ifndef _WIN32

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <vector>

#include "core/durable_file.h"
#include "ledger/kills.h"
#include "support/expect_error.h"

namespace dp::test::ledger_processes_test {
namespace {

constexpr double kCost = 0.0078125;

int granted_of(Ledger& ledger, int requests) {
  int granted = 0;
  for (int i = 0; i < requests; ++i) {
    try {
      ledger.charge(charge_of(kCost));
      ++granted;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::budget) return 99;
    }
  }
  return granted;
}

TEST(LedgerProcesses, D_LED_2_SixteenAskForEightHundredAndGetTheHundredThatThereAre) {
  const ScratchFolder scratch;
  const std::string folder = scratch.file("l");
  Ledger::create(folder_store(folder), terms_of(100 * kCost), std::nullopt);
  std::vector<std::unique_ptr<ChildProcess>> children;
  for (int i = 0; i < 16; ++i) {
    children.push_back(std::make_unique<ChildProcess>([&] {
      Ledger ledger = open_ledger(folder);
      return granted_of(ledger, 50);
    }));
  }
  int granted = 0;
  for (const auto& child : children) granted += child->wait();
  EXPECT_EQ(granted, 100);
  Ledger ledger = open_ledger(folder);
  EXPECT_EQ(ledger.state().size(), 102U);
  EXPECT_TRUE(ledger.state().left().inner.is_zero());
}

TEST(LedgerProcesses, D_LED_3_AForkedCopyRefillsNothing) {
  const ScratchFolder scratch;
  Ledger ledger =
      Ledger::create(folder_store(scratch.file("l")), terms_of(4 * kCost), std::nullopt);
  ledger.charge(charge_of(kCost));
  EXPECT_EQ(ChildProcess([&] { return granted_of(ledger, 10); }).wait(), 3);
  EXPECT_EQ(granted_of(ledger, 10), 0);
}

TEST(LedgerProcesses, D_LED_2_TheLockOfADeadProcessIsFree) {
  const ScratchFolder scratch;
  const std::string folder = scratch.file("l");
  Ledger ledger = Ledger::create(folder_store(folder), terms_of(1), std::nullopt);
  Pipe ready;
  ChildProcess child([&] {
    const FileLock lock(folder + "/lock");
    ready.send('x');
    for (;;) pause();
    return 0;
  });
  ready.receive();
  ledger.set_patience(50);
  const std::string sentence =
      expect_error(ErrorKind::ledger, [&] { ledger.charge(charge_of(kCost)); });
  EXPECT_NE(sentence.find("locked by another process"), std::string::npos);
  child.kill();
  ledger.charge(charge_of(kCost));  // it waited and still works
}

#ifdef __linux__
TEST(LedgerProcesses, D_LED_2_NoDescriptorOutlivesATransaction) {
  const auto descriptors = [] {
    const std::filesystem::directory_iterator open("/proc/self/fd");
    return std::distance(begin(open), end(open));
  };
  const ScratchFolder scratch;
  Ledger ledger = Ledger::create(folder_store(scratch.file("l")), terms_of(1), std::nullopt);
  const auto before = descriptors();
  ledger.charge(charge_of(kCost));
  expect_error(ErrorKind::budget, [&] { ledger.charge(charge_of(2)); });
  EXPECT_EQ(descriptors(), before);
}
#endif

TEST(LedgerProcesses, D_LED_1_WhoeverIsKilledHasChargedWhatItPrinted) {
  const ScratchFolder scratch;
  const KillCount count = kill_many(scratch.file("l"), 300, 20261122, true, charge_then_print);
  EXPECT_GE(count.printed, 200U);  // one act per kill on average
}

// Mutant that prints before it charges.
TEST(LedgerProcesses, D_LED_1_TheSameTestRejectsAReleaseBeforeItsCharge) {
  const ScratchFolder scratch;
  const auto print_then_charge = [](Ledger& ledger, const std::function<bool()>& print) {
    print();
    ledger.charge(charge_of(1.0 / 4096));
  };
  const KillCount count = kill_many(scratch.file("l"), 100, 1, false, print_then_charge);
  EXPECT_LT(count.charged, count.printed);
}

}  // namespace
}  // namespace dp::test::ledger_processes_test

#endif
