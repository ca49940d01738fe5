// D-LED-1 with the number of kills that fits into the long tier.
#ifndef _WIN32

#include <gtest/gtest.h>

#include "ledger/kills.h"

namespace dp::test::ledger_kills_test {
namespace {

TEST(LedgerKills, D_LED_1_TenThousandKillsLeaveNoReleaseWithoutItsCharge) {
  const ScratchFolder scratch;
  const KillCount count = kill_many(scratch.file("l"), 10000, 7, true, charge_then_print);
  EXPECT_GE(count.printed, 9000U);
}

}  // namespace
}  // namespace dp::test::ledger_kills_test

#endif
