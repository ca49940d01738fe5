// Test support: processes that charge a ledger and are killed at a random moment. Only on systems
// with fork().
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <random>
#include <string>
#include <thread>

#include "ledger/ledgers.h"
#include "support/child_process.h"

namespace dp::test {

// Number of releases that processes printed, and of charges in their ledger.
struct KillCount {
  std::size_t printed = 0;
  std::size_t charged = 0;
};

// Starts `kills` processes, one after another. Each opens the ledger and acts repeatedly until it
// is killed. The kill comes at a random moment of its first three acts. The process measures the
// time per act, so slow machines pass. `act` charges, and prints a byte.
template <class Act>
KillCount kill_some(const std::string& folder, int kills, std::mt19937& random, Act act) {
  Ledger::create(folder_store(folder), terms_of(1), std::nullopt);
  const std::string printed = folder + "/printed";
  std::chrono::microseconds lasts(1);  // duration of the last act that the parent saw
  for (int i = 0; i < kills; ++i) {
    Pipe acted;
    ChildProcess child([&] {
      const int out = open(printed.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
      Ledger ledger = open_ledger(folder);
      acted.send('0');
      for (;;) {
        act(ledger, [&] { return write(out, "x", 1) == 1; });
        acted.send('a');
      }
      return 0;
    });
    acted.receive();
    for (auto acts = random() % 3; acts > 0; --acts) {
      const auto begun = std::chrono::steady_clock::now();
      acted.receive();
      const auto took = std::chrono::steady_clock::now() - begun;
      lasts = std::chrono::microseconds(1) +
              std::chrono::duration_cast<std::chrono::microseconds>(took);
    }
    std::this_thread::sleep_for(lasts * (random() % 1000) / 1000);
    child.kill();
  }
  KillCount count;
  count.printed = content(printed).size();
  Ledger ledger = open_ledger(folder);
  ledger.read([&](const LedgerRecord& record) { count.charged += record.kind() == "charge"; });
  return count;
}

// As above, with a new ledger after every 50 processes, because each process reads the whole
// ledger. If `paid`, checks that every printed release has a charge in its ledger.
template <class Act>
KillCount kill_many(const std::string& folder, int kills, std::uint32_t seed, bool paid, Act act) {
  std::mt19937 random(seed);
  KillCount all;
  for (int done = 0; done < kills; done += 50) {
    const KillCount some = kill_some(folder + std::to_string(done), 50, random, act);
    if (paid) {
      EXPECT_GE(some.charged, some.printed);
    }
    all.printed += some.printed;
    all.charged += some.charged;
  }
  return all;
}

inline void charge_then_print(Ledger& ledger, const std::function<bool()>& print) {
  ledger.charge(charge_of(1.0 / 4096));
  print();
}

}  // namespace dp::test
