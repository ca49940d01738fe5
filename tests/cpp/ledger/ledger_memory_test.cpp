// D-LED-5: memory runs out at any moment, with and without a full disk.
#include <gtest/gtest.h>

#include <cstddef>

#include "core/ledger/folder_store.h"
#include "core/ledger/ledger.h"
#include "core/platform_file_faults.h"
#include "ledger/ledgers.h"
#include "support/ending_memory.h"

namespace dp::test::ledger_memory_test {
namespace {

enum class Outcome { granted, no_memory, refused };

// Charges with memory for `allocations` allocations.
Outcome charge_with(Ledger& ledger, const Ledger::Charge& charge, long allocations) {
  try {
    return has_memory(allocations, [&] { ledger.charge(charge); }) ? Outcome::granted
                                                                   : Outcome::no_memory;
  } catch (const Error&) {
    return Outcome::refused;
  }
}

std::size_t charges_in(const std::string& folder) {
  std::size_t count = 0;
  Ledger ledger = open_ledger(folder);
  ledger.read([&](const LedgerRecord& record) { count += record.kind() == "charge"; });
  return count;
}

TEST(LedgerMemory, D_LED_5_WhateverAllocationFailsNothingIsUndercharged) {
  const ScratchFolder scratch;
  const std::string folder = scratch.file("l");
  Ledger::create(folder_store(folder), terms_of(1000), std::nullopt);
  const Ledger::Charge charge = charge_of(0.5);
  std::size_t granted = 0;
  long failures = 0;
  for (long i = 0; granted == 0; ++i) {
    ASSERT_LT(i, 100000);
    Ledger ledger = open_ledger(folder);
    const std::size_t before = charges_in(folder);
    const Outcome outcome = charge_with(ledger, charge, i);
    EXPECT_NE(outcome, Outcome::refused) << i;
    granted += outcome == Outcome::granted;
    failures += outcome == Outcome::no_memory;
    const std::size_t recorded = charges_in(folder);
    EXPECT_GE(recorded, before + (outcome == Outcome::granted ? 1 : 0)) << i;
    EXPECT_LE(recorded, before + 1) << i;
    // The next charge succeeds, or reports that the ledger is unusable.
    const Outcome next = charge_with(ledger, charge, -1);
    EXPECT_NE(next, Outcome::no_memory);
    EXPECT_EQ(charges_in(folder), recorded + (next == Outcome::granted ? 1 : 0)) << i;
  }
  EXPECT_GT(failures, 50);
}

std::ptrdiff_t full_disk(DiskCall call, std::size_t size) {
  return call == DiskCall::write ? kDiskFull : static_cast<std::ptrdiff_t>(size);
}

TEST(LedgerMemory, D_LED_5_NorIfTheDiskIsFullAsWell) {
  const ScratchFolder scratch;
  const std::string folder = scratch.file("l");
  Ledger::create(folder_store(folder), terms_of(1000), std::nullopt);
  const Ledger::Charge charge = charge_of(0.5);
  long refused = 0;
  for (long i = 0; refused < 3; ++i) {
    ASSERT_LT(i, 100000);
    Ledger ledger = open_ledger(folder);
    rule_disk(full_disk);
    const Outcome outcome = charge_with(ledger, charge, i);
    rule_disk(nullptr);
    EXPECT_NE(outcome, Outcome::granted) << i;
    refused += outcome == Outcome::refused;
    EXPECT_EQ(charges_in(folder), 0U) << i;
  }
  open_ledger(folder).charge(charge);
}

}  // namespace
}  // namespace dp::test::ledger_memory_test
