// Ledgers that are moved, and copies that are restored.
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>

#include "core/ledger/folder_store.h"
#include "core/ledger/ledger.h"
#include "ledger/ledgers.h"
#include "support/expect_error.h"

namespace dp::test::moving_test {
namespace {

using Kinds = std::vector<std::string>;

Ledger new_ledger(const ScratchFolder& scratch) {
  return Ledger::create(folder_store(scratch.file("old")), terms_of(1), std::nullopt);
}

TEST(MovedLedger, GoesOnInItsNewPlaceAlone) {
  const ScratchFolder scratch;
  Ledger old = new_ledger(scratch);
  old.charge(charge_of(0.25));
  const LedgerHead seen = old.state().head();
  Ledger moved = old.move(folder_store(scratch.file("new")), "folder new");
  EXPECT_EQ(kinds_in(moved), (Kinds{"open", "version", "charge", "move", "arrive"}));
  EXPECT_TRUE(moved.state().has(seen));
  moved.charge(charge_of(0.75));
  expect_error(ErrorKind::budget, [&] { moved.charge(charge_of(0.25)); });
  const std::string refusal = expect_error(ErrorKind::ledger, [&] { old.charge(charge_of(0.25)); });
  EXPECT_NE(refusal.find("goes on in folder new"), std::string::npos);
  Ledger reopened = open_ledger(scratch.file("old"));
  expect_error(ErrorKind::ledger, [&] { reopened.charge(charge_of(0.25)); });
  expect_error(ErrorKind::ledger, [&] { reopened.add_version("2026-04"); });
  EXPECT_EQ(reopened.state().spent(), pure_loss(0.25));
}

TEST(MovedLedger, MovesAgainAndBack) {
  const ScratchFolder scratch;
  Ledger first = new_ledger(scratch);
  Ledger second = first.move(folder_store(scratch.file("b")), "b");
  Ledger third = second.move(folder_store(scratch.file("c")), "c");
  third.charge(charge_of(1));
  EXPECT_EQ(open_ledger(scratch.file("c")).state().spent(), pure_loss(1));
  expect_error(ErrorKind::ledger, [&] { second.charge(charge_of(0.5)); });
}

TEST(MovedLedger, IsCopiedAfterACrashButNeverToASecondPlace) {
  const ScratchFolder scratch;
  Ledger old = new_ledger(scratch);
  old.move(folder_store(scratch.file("lost")), "here");
  // State after a crash before the copy was made.
  expect_error(ErrorKind::ledger,
               [&] { old.move(folder_store(scratch.file("elsewhere")), "elsewhere"); });
  Ledger moved = old.move(folder_store(scratch.file("again")), "here");
  moved.charge(charge_of(0.5));
  expect_error(ErrorKind::ledger, [&] { old.move(folder_store(scratch.file("again")), "here"); });
}

TEST(MovedLedger, IsNeverCopiedAgainOnceItsCopyIsWhole) {
  const ScratchFolder scratch;
  Ledger old = new_ledger(scratch);
  expect_error(ErrorKind::ledger, [&] { old.leave(); });
  old.move(folder_store(scratch.file("new")), "new");
  old.leave();
  expect_error(ErrorKind::ledger, [&] { old.leave(); });
  for (const char* place : {"new", "other"}) {
    expect_error(ErrorKind::ledger, [&] { old.move(folder_store(scratch.file("again")), place); });
    Ledger reopened = open_ledger(scratch.file("old"));
    expect_error(ErrorKind::ledger,
                 [&] { reopened.move(folder_store(scratch.file("again")), place); });
  }
  EXPECT_FALSE(std::filesystem::exists(scratch.file("again")));
  open_ledger(scratch.file("new")).charge(charge_of(1));
}

TEST(MovedLedger, ClosesNothingIfThePlaceIsTaken) {
  const ScratchFolder scratch;
  Ledger old = new_ledger(scratch);
  Ledger::create(folder_store(scratch.file("taken")), terms_of(1), std::nullopt);
  expect_error(ErrorKind::ledger, [&] { old.move(folder_store(scratch.file("taken")), "taken"); });
  old.charge(charge_of(0.5));
}

TEST(MovedLedger, ArrivesOnlyWhereItWasMovedTo) {
  LedgerState state(std::nullopt);
  const ScratchFolder scratch;
  Ledger ledger = new_ledger(scratch);
  ledger.read([&](const LedgerRecord& record) { state.apply(to_text(record.json())); });
  const auto arrive = [&](const char* at) {
    return state.line_of(state.next("arrive", 0).set("at", at));
  };
  expect_error(ErrorKind::ledger, [&] { arrive("b"); });
  state.apply(state.line_of(state.next("move", 0).set("to", "b")));
  expect_error(ErrorKind::ledger, [&] { arrive("c"); });
  state.apply(arrive("b"));
  state.apply(state.line_of(state.next("version", 0).set("label", "2026-04")));
}

TEST(RestoredLedger, ChargesWhatWasLost) {
  const ScratchFolder scratch;
  Ledger ledger = new_ledger(scratch);
  ledger.charge(charge_of(0.25));
  const std::string backup = content(ledger_file(scratch.file("old")));
  const LedgerHead lost = ledger.charge(charge_of(0.5)).head;
  overwrite(ledger_file(scratch.file("old")), backup);
  const auto open = [&] {
    return Ledger::open(folder_store(scratch.file("old")), std::nullopt, lost);
  };
  const std::string refusal = expect_error(ErrorKind::ledger, open);
  EXPECT_NE(refusal.find("dp_ledger_restore()"), std::string::npos);
  Ledger copy = open_ledger(scratch.file("old"));
  expect_error(ErrorKind::budget, [&] { copy.restore(lost, pure_loss(0.8)); });
  copy.restore(lost, pure_loss(0.5));
  EXPECT_EQ(kinds_in(copy), (Kinds{"open", "version", "charge", "restore"}));
  EXPECT_EQ(open().state().spent(), pure_loss(0.75));
  expect_error(ErrorKind::budget, [&] { copy.charge(charge_of(0.5)); });
}

TEST(RestoredLedger, RefusesAHeadThatItHolds) {
  const ScratchFolder scratch;
  Ledger ledger = new_ledger(scratch);
  const LedgerHead head = ledger.charge(charge_of(0.25)).head;
  ledger.charge(charge_of(0.25));
  const std::string refusal =
      expect_error(ErrorKind::ledger, [&] { ledger.restore(head, pure_loss(0)); });
  EXPECT_NE(refusal.find("nothing is lost"), std::string::npos);
}

}  // namespace
}  // namespace dp::test::moving_test
