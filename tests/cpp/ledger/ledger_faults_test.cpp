// D-LED-4: a disk that refuses writes.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "core/ledger/folder_store.h"
#include "core/ledger/ledger.h"
#include "core/platform_file_faults.h"
#include "ledger/ledgers.h"
#include "support/expect_error.h"

#ifndef _WIN32
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/child_process.h"
#endif

namespace dp::test::ledger_faults_test {
namespace {

constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

std::size_t g_room = kNoLimit;     // bytes that the disk has left
std::size_t g_at_once = kNoLimit;  // bytes per call
bool g_flushes = true;

std::ptrdiff_t ask_ledger_disk(DiskCall call, std::size_t size) {
  if (call == DiskCall::flush) return g_flushes ? 0 : kDiskBroken;
  if (call != DiskCall::write) return static_cast<std::ptrdiff_t>(size);
  if (g_room == 0) return kDiskFull;
  const std::size_t part = std::min({size, g_room, g_at_once});
  if (g_room != kNoLimit) g_room -= part;
  return static_cast<std::ptrdiff_t>(part);
}

class FaultyDisk {
 public:
  FaultyDisk(std::size_t room, std::size_t at_once, bool flushes) {
    g_room = room;
    g_at_once = at_once;
    g_flushes = flushes;
    rule_disk(ask_ledger_disk);
  }
  ~FaultyDisk() { rule_disk(nullptr); }
  FaultyDisk(const FaultyDisk&) = delete;
  FaultyDisk& operator=(const FaultyDisk&) = delete;
};

TEST(LedgerFaults, D_LED_4_ShortWritesAreFinished) {
  const ScratchFolder scratch;
  const FaultyDisk disk(kNoLimit, 3, true);
  Ledger ledger = Ledger::create(folder_store(scratch.file("l")), terms_of(1), std::nullopt);
  ledger.charge(charge_of(0.25));
  EXPECT_EQ(open_ledger(scratch.file("l")).state().spent(), pure_loss(0.25));
}

TEST(LedgerFaults, D_LED_4_AFullDiskChargesNothingAndLosesNothing) {
  const ScratchFolder scratch;
  const std::string folder = scratch.file("l");
  Ledger::create(folder_store(folder), terms_of(1), std::nullopt).charge(charge_of(0.25));
  const std::size_t line = lines_of(content(ledger_file(folder))).back().size();
  for (std::size_t room = 0; room < line; ++room) {
    Ledger ledger = open_ledger(folder);
    {
      const FaultyDisk disk(room, kNoLimit, true);
      expect_error(ErrorKind::storage, [&] { ledger.charge(charge_of(0.25)); });
    }
    // The object does not know what the file holds, so it refuses all further work.
    expect_error(ErrorKind::ledger, [&] { ledger.charge(charge_of(0.25)); });
    EXPECT_EQ(open_ledger(folder).state().spent(), pure_loss(0.25)) << room;
  }
  open_ledger(folder).charge(charge_of(0.75));
}

TEST(LedgerFaults, D_LED_4_AFailedFlushIsNoChargeForTheCallerAndMayCount) {
  const ScratchFolder scratch;
  const std::string folder = scratch.file("l");
  Ledger ledger = Ledger::create(folder_store(folder), terms_of(1), std::nullopt);
  {
    const FaultyDisk disk(kNoLimit, kNoLimit, false);
    expect_error(ErrorKind::storage, [&] { ledger.charge(charge_of(0.25)); });
  }
  expect_error(ErrorKind::ledger, [&] { ledger.charge(charge_of(0.25)); });
  expect_error(ErrorKind::ledger, [&] { ledger.state(); });
  EXPECT_EQ(open_ledger(folder).state().spent(), pure_loss(0.25));  // never too little
}

TEST(LedgerFaults, D_LED_4_ARepairThatFailsIsMadeByTheNext) {
  const ScratchFolder scratch;
  const std::string folder = scratch.file("l");
  Ledger::create(folder_store(folder), terms_of(1), std::nullopt).charge(charge_of(0.25));
  const std::string whole = content(ledger_file(folder));
  overwrite(ledger_file(folder), whole + "{\"charge\"");
  {
    const FaultyDisk disk(10, kNoLimit, true);
    expect_error(ErrorKind::storage, [&] { open_ledger(folder); });
  }
  EXPECT_EQ(open_ledger(folder).state().spent(), pure_loss(0.25));
}

TEST(LedgerFaults, D_LED_4_ALedgerIsMadeWholeOrNotAtAll) {
  const ScratchFolder scratch;
  for (std::size_t room = 0; room < 600; room += 60) {
    const FaultyDisk disk(room, kNoLimit, true);
    expect_error(ErrorKind::storage, [&] {
      Ledger::create(folder_store(scratch.file("l")), terms_of(1), std::nullopt);
    });
  }
  Ledger::create(folder_store(scratch.file("l")), terms_of(1), std::nullopt).charge(charge_of(1));
}

TEST(LedgerFaults, D_LED_4_AFolderThatVanishedIsAnError) {
  const ScratchFolder scratch;
  Ledger ledger = Ledger::create(folder_store(scratch.file("l")), terms_of(1), std::nullopt);
  std::filesystem::remove_all(scratch.file("l"));
  expect_error(ErrorKind::storage, [&] { ledger.charge(charge_of(0.25)); });
}

#ifndef _WIN32

// Exit status of a child that charges and expects a disk error.
int charge_in_child(const std::string& folder, const std::function<void()>& prepare) {
  return ChildProcess([&] {
           Ledger ledger = open_ledger(folder);
           prepare();
           try {
             ledger.charge(charge_of(0.25));
           } catch (const Error& error) {
             return error.kind() == ErrorKind::storage ? 3 : 4;
           }
           return 0;
         })
      .wait();
}

TEST(LedgerFaults, D_LED_4_ALimitOfFileSizesIsAnErrorAndNoSignal) {
  const ScratchFolder scratch;
  const std::string folder = scratch.file("l");
  Ledger::create(folder_store(folder), terms_of(1), std::nullopt);
  const auto size = std::filesystem::file_size(ledger_file(folder));
  EXPECT_EQ(charge_in_child(folder,
                            [&] {
                              const rlimit limit{size + 100, size + 100};
                              setrlimit(RLIMIT_FSIZE, &limit);
                            }),
            3);
  EXPECT_TRUE(open_ledger(folder).state().spent().inner.is_zero());
}

TEST(LedgerFaults, D_LED_4_AFileThatMayNotBeWrittenIsAnError) {
  const ScratchFolder scratch;
  const std::string folder = scratch.file("l");
  Ledger::create(folder_store(folder), terms_of(1), std::nullopt);
  const auto read_only = [&] {
    chmod(folder.c_str(), 0777);
    chmod((folder + "/lock").c_str(), 0666);
    chmod(ledger_file(folder).c_str(), 0444);
    constexpr uid_t kNobody = 65534;
    if (geteuid() == 0 && setuid(kNobody) != 0) _exit(98);  // the superuser can write everything
  };
  EXPECT_EQ(charge_in_child(folder, read_only), 3);
  EXPECT_EQ(charge_in_child(folder, [] {}), geteuid() == 0 ? 0 : 3);
}

#endif

}  // namespace
}  // namespace dp::test::ledger_faults_test
