#include "core/ledger/claims.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/ledger/ledger_run.h"
#include "ledger/ledgers.h"
#include "support/expect_error.h"

#ifndef _WIN32
#include <chrono>
#include <thread>

#include "support/child_process.h"
#endif

namespace dp::test::claims_test {
namespace {

using What = Ledger::Claimed::What;

Digest digest_named(const std::string& name) { return sha256(name); }

// ---- The state machine against a model that knows only the history.

struct Event {
  enum class Kind { charge, rerun, mark, release, fail };
  Kind kind;
  std::uint64_t charge;
  std::uint64_t run;
};

std::uint64_t count_of(const std::vector<Event>& history, Event::Kind kind, std::uint64_t charge) {
  return static_cast<std::uint64_t>(
      std::count_if(history.begin(), history.end(), [&](const Event& event) {
        return event.kind == kind && event.charge == charge;
      }));
}

bool model_allows(const std::vector<Event>& history, const Event& event) {
  const auto count = [&](Event::Kind kind) { return count_of(history, kind, event.charge); };
  const bool is_charged = count(Event::Kind::charge) == 1;
  if (event.kind == Event::Kind::charge) return !is_charged;
  const bool is_over = count(Event::Kind::release) + count(Event::Kind::fail) > 0;
  const bool is_marked = count(Event::Kind::mark) > 0;
  const std::uint64_t reruns = count(Event::Kind::rerun);
  if (!is_charged || is_over) return false;
  switch (event.kind) {
    case Event::Kind::rerun:
      return !is_marked && reruns < 2 && event.run == reruns + 1;
    case Event::Kind::mark:
      return !is_marked && event.run == reruns;
    case Event::Kind::release:
      return is_marked;
    default:
      return event.run == reruns;
  }
}

bool claims_allow(const Claims& claims, const Event& event) {
  switch (event.kind) {
    case Event::Kind::charge:
      return claims.can_charge(digest_named("claim " + std::to_string(event.charge)));
    case Event::Kind::rerun:
      return claims.can_rerun(event.charge, event.run);
    case Event::Kind::mark:
      return claims.can_mark(event.charge, event.run);
    case Event::Kind::release:
      return claims.can_release(event.charge);
    default:
      return claims.can_fail(event.charge, event.run);
  }
}

void happen(Claims& claims, const Event& event) {
  switch (event.kind) {
    case Event::Kind::charge:
      return claims.charge(
          event.charge, digest_named("key"), digest_named("claim " + std::to_string(event.charge)));
    case Event::Kind::rerun:
      return claims.rerun(event.charge);
    case Event::Kind::mark:
      return claims.mark(event.charge);
    case Event::Kind::release:
      return claims.release(event.charge, digest_named("release"));
    default:
      return claims.fail(event.charge);
  }
}

std::vector<Event> all_events() {
  std::vector<Event> events;
  for (const std::uint64_t charge : {2, 3}) {
    events.push_back({Event::Kind::charge, charge, 0});
    events.push_back({Event::Kind::release, charge, 0});
    for (const std::uint64_t run : {0, 1, 2, 3}) {
      events.push_back({Event::Kind::rerun, charge, run});
      events.push_back({Event::Kind::mark, charge, run});
      events.push_back({Event::Kind::fail, charge, run});
    }
  }
  return events;
}

// Checks each event after every possible sequence of at most `length` events. Returns the number of
// sequences.
std::size_t walk(const Claims& claims, std::vector<Event>& history, std::size_t length) {
  std::size_t sequences = 1;
  for (const std::uint64_t charge : {2, 3}) {
    const auto pending = claims.pending(digest_named("key"));
    const bool is_pending = std::count(pending.begin(), pending.end(), charge) == 1;
    EXPECT_EQ(is_pending,
              count_of(history, Event::Kind::charge, charge) >
                  count_of(history, Event::Kind::release, charge) +
                      count_of(history, Event::Kind::fail, charge));
  }
  for (const Event& event : all_events()) {
    const bool may = model_allows(history, event);
    EXPECT_EQ(claims_allow(claims, event), may);
    if (!may || history.size() == length) continue;
    Claims next = claims;
    happen(next, event);
    history.push_back(event);
    sequences += walk(next, history, length);
    history.pop_back();
  }
  return sequences;
}

TEST(Claims, FollowTheModelAfterEverySequenceOfSevenEvents) {
  std::vector<Event> history;
  EXPECT_GT(walk(Claims(), history, 7), 1000U);
}

// ---- Ledgers.

Ledger::Call call_of(double epsilon, char plan = 'a', const std::string& key = "") {
  return {charge_of(epsilon, plan), key, true};
}

class ClaimedLedger : public ::testing::Test {
 protected:
  ClaimedLedger() : folder_(scratch_.file("l")) {
    Ledger::create(folder_store(folder_), terms_of(1), std::nullopt);
  }

  Ledger open() const { return open_ledger(folder_); }

  std::vector<std::string> kinds() const {
    Ledger ledger = open();
    std::vector<std::string> kinds = kinds_in(ledger);
    kinds.erase(kinds.begin(), kinds.begin() + 2);
    return kinds;
  }

  // Stores a release, as a caller would. Returns its hash.
  std::string store(std::uint64_t charge, const std::string& text) const {
    Ledger ledger = open();
    const Digest key = ledger.state().claims().find(charge)->key;
    overwrite(folder_ + "/" + ledger.state().release_name(charge, key), text);
    return hexadecimal(sha256(text));
  }

  const ScratchFolder scratch_;
  const std::string folder_;
};

using Kinds = std::vector<std::string>;

TEST_F(ClaimedLedger, ChargesOnceAndReturnsWhatIsStored) {
  Ledger ledger = open();
  auto first = ledger.claim(call_of(0.25));
  ASSERT_EQ(first.what, What::run);
  ledger.mark(*first.run);
  const std::string hash = store(first.charge, "release");
  ledger.record_release(first.charge, hash);
  first.run.reset();
  Ledger again = open();
  const auto second = again.claim(call_of(0.25));
  EXPECT_EQ(second.what, What::stored);
  EXPECT_EQ(second.charge, first.charge);
  EXPECT_EQ(second.hash, hash);
  EXPECT_EQ(kinds(), (Kinds{"charge", "mark", "release"}));
}

TEST_F(ClaimedLedger, RunsAgainUnderItsChargeTwiceWithoutAMark) {
  for (std::uint64_t run = 0; run <= Claims::kMostReruns; ++run) {
    Ledger ledger = open();
    const auto claimed = ledger.claim(call_of(0.25));
    ASSERT_EQ(claimed.what, What::run);
    EXPECT_EQ(claimed.charge, 2U);
    EXPECT_EQ(claimed.run->number(), run);
  }
  Ledger ledger = open();
  EXPECT_EQ(ledger.claim(call_of(0.25)).what, What::run);
  EXPECT_EQ(kinds(), (Kinds{"charge", "rerun", "rerun", "fail", "charge"}));
}

TEST_F(ClaimedLedger, NeverRunsAgainAfterAMark) {
  {
    Ledger ledger = open();
    ledger.mark(*ledger.claim(call_of(0.25)).run);
  }
  Ledger ledger = open();
  const auto claimed = ledger.claim(call_of(0.25));
  EXPECT_EQ(claimed.what, What::run);
  EXPECT_EQ(claimed.run->number(), 0U);
  EXPECT_EQ(kinds(), (Kinds{"charge", "mark", "fail", "charge"}));
}

TEST_F(ClaimedLedger, RecordsAReleaseThatWasStoredBeforeACrash) {
  std::uint64_t charge = 0;
  {
    Ledger ledger = open();
    const auto claimed = ledger.claim(call_of(0.25));
    charge = claimed.charge;
    ledger.mark(*claimed.run);
  }
  const std::string hash = store(charge, "release");
  Ledger ledger = open();
  const auto claimed = ledger.claim(call_of(0.25));
  EXPECT_EQ(claimed.what, What::stored);
  EXPECT_EQ(claimed.hash, hash);
  EXPECT_EQ(kinds(), (Kinds{"charge", "mark", "release"}));
}

TEST_F(ClaimedLedger, WhatIsStoredWithoutAMarkIsNotTaken) {
  std::uint64_t charge = 0;
  {
    Ledger ledger = open();
    charge = ledger.claim(call_of(0.25)).charge;
    expect_error(ErrorKind::ledger, [&] { ledger.record_release(charge, plan_named('c')); });
  }
  store(charge, "release");
  Ledger ledger = open();
  EXPECT_EQ(ledger.claim(call_of(0.25)).what, What::run);
  EXPECT_EQ(kinds(), (Kinds{"charge", "rerun"}));
}

TEST_F(ClaimedLedger, AKeyNamesOneCall) {
  {
    Ledger ledger = open();
    const auto claimed = ledger.claim(call_of(0.25, 'a', "key-of-the-client"));
    ledger.mark(*claimed.run);
  }
  Ledger ledger = open();
  EXPECT_EQ(ledger.claim(call_of(0.25, 'b', "key-of-the-client")).what, What::other);
  EXPECT_EQ(ledger.claim(call_of(0.125, 'a', "key-of-the-client")).what, What::other);
  // The same call gets its failure and costs nothing. A new call costs again.
  EXPECT_EQ(ledger.claim(call_of(0.25, 'a', "key-of-the-client")).what, What::failed);
  EXPECT_EQ(ledger.claim(call_of(0.25, 'a', "key-of-the-client")).what, What::failed);
  EXPECT_EQ(ledger.claim(call_of(0.25, 'a', "another-key-of-it")).what, What::run);
  EXPECT_EQ(kinds(), (Kinds{"charge", "mark", "fail", "charge"}));
}

TEST_F(ClaimedLedger, WithoutReuseItNeverGoesOnWithAnotherCall) {
  {
    Ledger ledger = open();
    ledger.claim(call_of(0.25));
  }
  Ledger ledger = open();
  Ledger::Call fresh = call_of(0.25, 'a', "fresh-key-of-a-client");
  fresh.reuse = false;
  {
    const auto claimed = ledger.claim(fresh);
    EXPECT_EQ(claimed.run->number(), 0U);
    ledger.mark(*claimed.run);
    ledger.record_release(claimed.charge, store(claimed.charge, "release"));
  }
  // The same call gets its release back.
  EXPECT_EQ(ledger.claim(fresh).what, What::stored);
  fresh.key = "one-more-key-of-a-client";
  EXPECT_EQ(ledger.claim(fresh).what, What::run);
  EXPECT_EQ(kinds(), (Kinds{"charge", "charge", "mark", "release", "charge"}));
}

TEST_F(ClaimedLedger, ARunThatLostItsLeaseDrawsNothing) {
  Ledger ledger = open();
  const auto claimed = ledger.claim(call_of(0.25));
  const LedgerRun stale("stale", claimed.charge, 0, nullptr);
  Ledger other = open();
  other.claim(call_of(0.25));  // a nested call in the same process is charged separately
  EXPECT_EQ(kinds(), (Kinds{"charge", "charge"}));
  const_cast<std::shared_ptr<LedgerRun>&>(claimed.run).reset();
  const auto again = other.claim(call_of(0.25));
  ASSERT_EQ(again.charge, claimed.charge);
  EXPECT_EQ(again.run->number(), 1U);
  expect_error(ErrorKind::ledger, [&] { ledger.mark(stale); });
  expect_error(ErrorKind::ledger, [&] { ledger.fail(stale); });
  other.mark(*again.run);
  expect_error(ErrorKind::ledger, [&] { other.mark(*again.run); });
}

TEST_F(ClaimedLedger, ChargesOfOlderVersionsAreNeverRunAgain) {
  open().charge(charge_of(0.25));
  Ledger ledger = open();
  const auto claimed = ledger.claim(call_of(0.25));
  EXPECT_EQ(claimed.charge, 3U);
  EXPECT_EQ(kinds(), (Kinds{"charge", "charge"}));
}

TEST_F(ClaimedLedger, OverTheBudgetNothingIsClaimed) {
  Ledger ledger = open();
  expect_error(ErrorKind::budget, [&] { ledger.claim(call_of(2)); });
  EXPECT_EQ(kinds(), Kinds());
}

#ifndef _WIN32

TEST_F(ClaimedLedger, OthersWaitWhileAProcessRunsAndGoOnWhenItWasKilled) {
  Pipe claimed;
  ChildProcess child([&] {
    Ledger ledger = open();
    const auto mine = ledger.claim(call_of(0.25));
    claimed.send('c');
    for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
    return mine.what == What::run ? 0 : 1;
  });
  claimed.receive();
  Ledger ledger = open();
  const auto waiting = ledger.claim(call_of(0.25));
  EXPECT_EQ(waiting.what, What::running);
  EXPECT_FALSE(ledger.wait_for_run(waiting.charge, 1));
  child.kill();
  EXPECT_TRUE(ledger.wait_for_run(waiting.charge, 60000));
  EXPECT_EQ(ledger.claim(call_of(0.25)).what, What::run);
  EXPECT_EQ(kinds(), (Kinds{"charge", "rerun"}));
}

#endif

}  // namespace
}  // namespace dp::test::claims_test
