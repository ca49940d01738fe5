#include "core/ledger/ledger.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "core/durable_file.h"
#include "core/ledger/folder_store.h"
#include "core/platform_file_faults.h"
#include "ledger/ledgers.h"
#include "support/expect_error.h"
#include "support/interrupt_check.h"

namespace dp::test::ledger_test {
namespace {

using Kinds = std::vector<std::string>;

TEST(Ledger, GrantsTheTotalAndNoMore) {
  const ScratchFolder scratch;
  Ledger ledger = Ledger::create(folder_store(scratch.file("l")), terms_of(1), std::nullopt);
  for (int i = 0; i < 4; ++i) ledger.charge(charge_of(0.25));
  const std::string sentence =
      expect_error(ErrorKind::budget, [&] { ledger.charge(charge_of(0.25)); });
  EXPECT_NE(sentence.find("This release costs epsilon 0.25; epsilon 0 is left of epsilon 1."),
            std::string::npos);
  expect_error(ErrorKind::budget, [&] { ledger.charge(charge_of(5e-324)); });
  ledger.charge(charge_of(0));
  EXPECT_EQ(ledger.state().spent(), pure_loss(1));
  EXPECT_EQ(kinds_in(ledger).size(), 7U);
}

TEST(Ledger, WhatIsLeftCanBeSpentInFull) {
  const ScratchFolder scratch;
  Ledger ledger = Ledger::create(folder_store(scratch.file("l")), terms_of(1), std::nullopt);
  for (int i = 0; i < 9; ++i) ledger.charge(charge_of(0.1));
  expect_error(ErrorKind::budget, [&] { ledger.charge(charge_of(0.1)); });
  ledger.charge(charge_of(ledger.state().left().inner.down()));
  EXPECT_TRUE(ledger.state().spent().is_within(pure_loss(1)));
}

TEST(Ledger, IsReadBackAsItWasWritten) {
  const ScratchFolder scratch;
  const std::string folder = scratch.file("l");
  std::string head;
  {
    Ledger ledger = Ledger::create(folder_store(folder), terms_of(1), std::nullopt);
    ledger.charge(charge_of(0.25));
    ledger.add_version("2026-04");
    head = ledger.charge({plan_named('b'), pure_loss(0.5), "2026-04", "\xc3\xa9", "p", ""})
               .head.text();
  }
  Ledger ledger = open_ledger(folder);
  EXPECT_EQ(ledger.state().head().text(), head);
  EXPECT_EQ(ledger.state().spent(), pure_loss(0.75));
  EXPECT_EQ(ledger.state().terms().dataset, "survey");
  EXPECT_EQ(ledger.state().versions(), (std::vector<std::string>{"2026-03", "2026-04"}));
  EXPECT_EQ(kinds_in(ledger), (Kinds{"open", "version", "charge", "version", "charge"}));
  expect_error(ErrorKind::ledger, [&] { ledger.add_version("2026-04"); });
  expect_error(ErrorKind::ledger, [&] { ledger.add_version(""); });
}

TEST(Ledger, ChargesOnlyVersionsThatTheCuratorNamed) {
  const ScratchFolder scratch;
  Ledger ledger = Ledger::create(folder_store(scratch.file("l")), terms_of(1), std::nullopt);
  Ledger::Charge charge = charge_of(0.25);
  charge.version = "2026-04";
  expect_error(ErrorKind::ledger, [&] { ledger.charge(charge); });
  EXPECT_EQ(ledger.state().size(), 2U);
}

TEST(Ledger, TwoObjectsSpendOneTotal) {
  const ScratchFolder scratch;
  const std::string folder = scratch.file("l");
  Ledger first = Ledger::create(folder_store(folder), terms_of(1), std::nullopt);
  Ledger second = open_ledger(folder);
  first.charge(charge_of(0.5));
  second.charge(charge_of(0.5));
  expect_error(ErrorKind::budget, [&] { first.charge(charge_of(0.25)); });
  EXPECT_EQ(first.state().head().text(), second.state().head().text());
}

TEST(Ledger, IsNotMadeOverAnother) {
  const ScratchFolder scratch;
  const std::string folder = scratch.file("l");
  Ledger::create(folder_store(folder), terms_of(1), std::nullopt).charge(charge_of(0.5));
  expect_error(ErrorKind::ledger,
               [&] { Ledger::create(folder_store(folder), terms_of(1), std::nullopt); });
  EXPECT_EQ(open_ledger(folder).state().spent(), pure_loss(0.5));
}

TEST(Ledger, WhatACrashLeftOfItsMakingIsMadeAgain) {
  const ScratchFolder scratch;
  const std::string folder = scratch.file("l");
  std::filesystem::create_directory(folder);
  overwrite(ledger_file(folder), "");
  expect_error(ErrorKind::ledger, [&] { open_ledger(folder); });
  Ledger::create(folder_store(folder), terms_of(1), std::nullopt).charge(charge_of(0.5));
}

TEST(Ledger, D_LED_4_TheClockMayGoBack) {
  const ScratchFolder scratch;
  const std::string folder = scratch.file("l");
  Ledger ledger = Ledger::create(folder_store(folder), terms_of(1), std::nullopt);
  std::int64_t now = 2000000000;
  ledger.set_clock([&] { return now -= 1000000; });
  for (int i = 0; i < 3; ++i) ledger.charge(charge_of(0.25));
  EXPECT_EQ(open_ledger(folder).state().spent(), pure_loss(0.75));
}

TEST(Ledger, ChargesTheNewestVersionIfNoneIsNamed) {
  const ScratchFolder scratch;
  const std::string folder = scratch.file("l");
  Ledger ledger = Ledger::create(folder_store(folder), terms_of(1), std::nullopt);
  open_ledger(folder).add_version("2026-04");
  Ledger::Charge charge = charge_of(0.25);
  charge.version = std::nullopt;
  const std::uint64_t seq = ledger.charge(charge).head.seq;
  EXPECT_EQ(ledger.record(seq)->text("version"), "2026-04");
}

std::size_t g_bytes_read = 0;

std::ptrdiff_t counting_disk(DiskCall call, std::size_t size) {
  if (call == DiskCall::read) g_bytes_read += size;
  return static_cast<std::ptrdiff_t>(size);
}

TEST(Ledger, FindsARecordWithoutReadingTheOthers) {
  const ScratchFolder scratch;
  const std::string folder = scratch.file("l");
  Ledger ledger = Ledger::create(folder_store(folder), terms_of(1), std::nullopt);
  for (int i = 0; i < 50; ++i) ledger.charge(charge_of(0.0001 * i));
  g_bytes_read = 0;
  rule_disk(counting_disk);
  std::size_t longest = 0;
  for (std::uint64_t seq = 0; seq < 52; ++seq) {
    const auto record = ledger.record(seq);
    ASSERT_TRUE(record);
    EXPECT_EQ(record->seq(), seq);
    longest = std::max(longest, to_text(record->json()).size());
  }
  rule_disk(nullptr);
  EXPECT_LE(g_bytes_read, 2 * 52 * (longest + 1));  // rereads the last record each time
  EXPECT_FALSE(ledger.record(52));
}

TEST(Ledger, D_LED_6_ARecordThatWasChangedSinceIsNotGiven) {
  const ScratchFolder scratch;
  const std::string folder = scratch.file("l");
  Ledger ledger = Ledger::create(folder_store(folder), terms_of(1), std::nullopt);
  for (const char plan : {'a', 'b', 'c'}) ledger.charge(charge_of(0.125, plan));
  std::string bytes = content(ledger_file(folder));
  bytes[bytes.find(plan_named('b'))] = 'a';
  overwrite(ledger_file(folder), bytes);
  EXPECT_EQ(ledger.record(2)->text("plan"), plan_named('a'));
  expect_error(ErrorKind::ledger, [&] { ledger.record(3); });
}

TEST(Ledger, D_LED_7_WhoStopsWaitingForTheLockHasSpentNothing) {
  const ScratchFolder scratch;
  const std::string folder = scratch.file("l");
  Ledger ledger = Ledger::create(folder_store(folder), terms_of(1), std::nullopt);
  {
    const FileLock lock(folder + "/lock");
    const InterruptCheck check([] { return true; });
    expect_error(ErrorKind::interrupted, [&] { ledger.charge(charge_of(0.25)); });
  }
  EXPECT_TRUE(ledger.state().spent().inner.is_zero());
  ledger.charge(charge_of(0.25));
}

// The waiting thread is always too late, and has no patience with a stuck lock holder.
TEST(Ledger, D_LED_2_WaitsWhileOthersTakeTurns) {
  const ScratchFolder scratch;
  const std::string folder = scratch.file("l");
  Ledger ledger = Ledger::create(folder_store(folder), terms_of(1), std::nullopt);
  Ledger other = open_ledger(folder);
  ledger.set_patience(0);
  std::optional<FileLock> lock(folder + "/lock");
  int turns = 0;
  const InterruptCheck check([&] {
    lock.reset();
    if (turns == 6) return false;
    ++turns;
    other.charge(charge_of(0.125));
    lock.emplace(folder + "/lock");
    return false;
  });
  ledger.charge(charge_of(0.125));
  EXPECT_EQ(turns, 6);
  EXPECT_EQ(ledger.state().spent(), pure_loss(0.875));
}

TEST(Ledger, RemembersWhatWasReleasedForACharge) {
  const ScratchFolder scratch;
  const std::string folder = scratch.file("l");
  Ledger ledger = Ledger::create(folder_store(folder), terms_of(1), std::nullopt);
  const auto key = [&](char plan, double loss, const char* version) {
    return ledger.state().release_key(plan_named(plan), version, pure_loss(loss));
  };
  const std::uint64_t seq = ledger.charge(charge_of(0.25)).head.seq;
  EXPECT_EQ(ledger.state().stored(key('a', 0.25, "2026-03")), nullptr);
  ledger.record_release(seq, plan_named('c'));
  Ledger again = open_ledger(folder);
  const StoredRelease* found = again.state().stored(key('a', 0.25, "2026-03"));
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->charge, seq);
  EXPECT_EQ(found->hash, plan_named('c'));
  EXPECT_EQ(again.state().stored(key('b', 0.25, "2026-03")), nullptr);
  EXPECT_EQ(again.state().stored(key('a', 0.5, "2026-03")), nullptr);
  EXPECT_EQ(again.state().stored(key('a', 0.25, "2026-04")), nullptr);
  expect_error(ErrorKind::ledger, [&] { again.record_release(seq, plan_named('d')); });
  expect_error(ErrorKind::ledger, [&] { again.record_release(0, plan_named('d')); });
  EXPECT_EQ(kinds_in(again), (Kinds{"open", "version", "charge", "release"}));
}

TEST(Ledger, StoredReleasesBelongToTheTableOfTheirName) {
  const ScratchFolder scratch;
  const std::string folder = scratch.file("l");
  Ledger ledger = Ledger::create(folder_store(folder), terms_of(1), std::nullopt);
  const auto claimed = [&](const char* table) {
    Ledger::Charge charge = charge_of(0.25);
    charge.table = table;
    return ledger.claim({charge, ""});
  };
  const auto north = claimed("north");
  ASSERT_EQ(north.what, Ledger::Claimed::What::run);
  EXPECT_EQ(ledger.record(north.charge)->text("table"), "north");
  ledger.mark(*north.run);
  ledger.record_release(north.charge, plan_named('c'));
  EXPECT_EQ(claimed("north").charge, north.charge);
  EXPECT_EQ(claimed("north").what, Ledger::Claimed::What::stored);
  const auto south = claimed("south");
  const auto unnamed = claimed("");
  EXPECT_EQ(south.what, Ledger::Claimed::What::run);
  EXPECT_EQ(unnamed.what, Ledger::Claimed::What::run);
  EXPECT_EQ(ledger.record(unnamed.charge)->field("table"), nullptr);
  const LedgerState& state = ledger.state();
  const auto key = [&](const char* table) {
    return state.release_key(plan_named('a'), "2026-03", pure_loss(0.25), table);
  };
  EXPECT_NE(state.stored(key("north")), nullptr);
  EXPECT_EQ(state.stored(key("south")), nullptr);
  // As versions that knew no names had it.
  EXPECT_EQ(key(""), state.release_key(plan_named('a'), "2026-03", pure_loss(0.25)));
  EXPECT_EQ(ledger.state().spent(), pure_loss(0.75));
}

TEST(Ledger, AnotherLedgerOfTheSameDataHasOtherKeysOfReleases) {
  const ScratchFolder scratch;
  Ledger first = Ledger::create(folder_store(scratch.file("1")), terms_of(1), std::nullopt);
  Ledger second = Ledger::create(folder_store(scratch.file("2")), terms_of(1), std::nullopt);
  const auto key = [](Ledger& ledger) {
    return ledger.state().release_key(plan_named('a'), "2026-03", pure_loss(1));
  };
  EXPECT_NE(first.state().terms().id, second.state().terms().id);
  EXPECT_NE(key(first), key(second));
}

TEST(Ledger, AKeyIsNeededAndMustBeTheRightOne) {
  const ScratchFolder scratch;
  const std::string keyed = scratch.file("keyed");
  const std::string plain = scratch.file("plain");
  Ledger::create(folder_store(keyed), terms_of(1), key_named("curator")).charge(charge_of(0.5));
  Ledger::create(folder_store(plain), terms_of(1), std::nullopt);
  expect_error(ErrorKind::ledger, [&] { open_ledger(keyed); });
  expect_error(ErrorKind::ledger,
               [&] { Ledger::open(folder_store(keyed), key_named("other"), std::nullopt); });
  expect_error(ErrorKind::ledger,
               [&] { Ledger::open(folder_store(plain), key_named("curator"), std::nullopt); });
  Ledger ledger = Ledger::open(folder_store(keyed), key_named("curator"), std::nullopt);
  EXPECT_EQ(ledger.state().spent(), pure_loss(0.5));
}

TEST(Ledger, D_LED_6_AChainWithoutTheSecretDoesNotPass) {
  const ScratchFolder scratch;
  const std::string folder = scratch.file("l");
  Ledger::create(folder_store(folder), terms_of(1), key_named("curator"));
  // The curator's fingerprint is public; a forger lacks the secret.
  LedgerKey forger = key_named("forger");
  forger.fingerprint = key_named("curator").fingerprint;
  LedgerState state(forger);
  LedgerRecord opening = state.next("open", 0);
  opening.set("format", kFormatOfUnits).set("id", std::string(32, '0')).set("dataset", "survey");
  opening.set("unit", json_of(terms_of(1).unit))
      .set("measure", "MaxDivergence")
      .set("package", "p");
  opening.set("total", kPure.json(pure_loss(100))).set("key", forger.fingerprint);
  std::string lines = state.line_of(opening);
  state.apply(lines);
  LedgerRecord version = state.next("version", 0);
  version.set("label", "v1");
  lines += "\n" + state.line_of(version) + "\n";
  overwrite(ledger_file(folder), lines);
  expect_error(ErrorKind::ledger,
               [&] { Ledger::open(folder_store(folder), key_named("curator"), std::nullopt); });
  Ledger::open(folder_store(folder), forger, std::nullopt);
}

TEST(Ledger, ATotalIsRaisedOnlyWithAKeyAndNeverLowered) {
  const ScratchFolder scratch;
  Ledger keyed =
      Ledger::create(folder_store(scratch.file("keyed")), terms_of(1), key_named("curator"));
  Ledger plain = Ledger::create(folder_store(scratch.file("plain")), terms_of(1), std::nullopt);
  expect_error(ErrorKind::ledger, [&] { raise_as("curator", plain, 2); });
  expect_error(ErrorKind::ledger, [&] { raise_as("curator", keyed, 0.5); });
  expect_error(ErrorKind::budget, [&] { keyed.charge(charge_of(1.5)); });
  expect_error(ErrorKind::ledger, [&] { raise_as("analyst", keyed, 2); });
  EXPECT_EQ(keyed.state().total(), pure_loss(1));
  raise_as("curator", keyed, 2);
  keyed.charge(charge_of(1.5));
  EXPECT_EQ(keyed.state().left(), pure_loss(0.5));
}

TEST(Ledger, D_LED_6_ASignatureRaisesOneLedgerOnce) {
  const ScratchFolder scratch;
  const LedgerKey key = key_named("curator");
  Ledger first = Ledger::create(folder_store(scratch.file("1")), terms_of(1), key);
  Ledger second = Ledger::create(folder_store(scratch.file("2")), terms_of(1), key);
  std::string seen;
  const auto sign = [&](const std::string& text) { return seen = signed_by("curator", text); };
  const auto replay = [&](const std::string&) { return seen; };
  first.raise(pure_loss(2), sign);
  expect_error(ErrorKind::ledger, [&] { first.raise(pure_loss(2), replay); });
  expect_error(ErrorKind::ledger, [&] { second.raise(pure_loss(2), replay); });
  EXPECT_EQ(second.state().total(), pure_loss(1));
  first.charge(charge_of(2));
}

TEST(Ledger, AChildSpendsWhatWasAllocatedAndReturnsTheRest) {
  const ScratchFolder scratch;
  Ledger parent = Ledger::create(folder_store(scratch.file("parent")), terms_of(1), std::nullopt);
  Ledger child =
      parent.allocate(folder_store(scratch.file("child")), pure_loss(0.5), "p", std::nullopt);
  EXPECT_EQ(parent.state().left(), pure_loss(0.5));
  expect_error(ErrorKind::budget, [&] { parent.charge(charge_of(0.75)); });
  child.charge(charge_of(0.125));
  expect_error(ErrorKind::budget, [&] { child.charge(charge_of(0.5)); });
  parent.take_back(child);
  EXPECT_EQ(parent.state().left(), pure_loss(0.875));
  expect_error(ErrorKind::budget, [&] { child.charge(charge_of(0.125)); });
  expect_error(ErrorKind::ledger, [&] { parent.take_back(child); });
  EXPECT_EQ(kinds_in(parent), (Kinds{"open", "version", "allocate", "return"}));
  EXPECT_EQ(kinds_in(child), (Kinds{"open", "version", "charge", "return"}));
}

TEST(Ledger, AChildThatWasRaisedReturnsOnlyWhatItWasGivenAndDidNotUse) {
  const ScratchFolder scratch;
  const LedgerKey key = key_named("curator");
  Ledger parent = Ledger::create(folder_store(scratch.file("parent")), terms_of(1), key);
  Ledger child = parent.allocate(folder_store(scratch.file("child")), pure_loss(0.5), "p", key);
  raise_as("curator", child, 4);
  child.charge(charge_of(2));
  parent.take_back(child);
  EXPECT_EQ(parent.state().left(), pure_loss(0.5));
}

TEST(Ledger, NothingComesBackFromAStranger) {
  const ScratchFolder scratch;
  Ledger parent = Ledger::create(folder_store(scratch.file("parent")), terms_of(1), std::nullopt);
  Ledger stranger =
      Ledger::create(folder_store(scratch.file("stranger")), terms_of(1), std::nullopt);
  parent.charge(charge_of(0.5));
  expect_error(ErrorKind::ledger, [&] { parent.take_back(stranger); });
  expect_error(ErrorKind::ledger, [&] { parent.take_back(parent); });
  EXPECT_EQ(parent.state().left(), pure_loss(0.5));
  EXPECT_EQ(stranger.state().left(), pure_loss(1));
  expect_error(ErrorKind::budget, [&] {
    parent.allocate(folder_store(scratch.file("child")), pure_loss(0.75), "p", std::nullopt);
  });
  expect_error(ErrorKind::ledger, [&] {
    parent.allocate(folder_store(scratch.file("stranger")), pure_loss(0.25), "p", std::nullopt);
  });
  EXPECT_EQ(parent.state().left(), pure_loss(0.5));
}

}  // namespace
}  // namespace dp::test::ledger_test
