// Test support: processes that charge a ledger and are killed at a random moment. Only where
// processes fork.
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

// Releases that processes printed, and charges that their ledger holds.
struct KillCount {
  std::size_t printed = 0;
  std::size_t charged = 0;
};

// How long a charge takes on this machine as it is now.
inline std::chrono::microseconds pace_of_charges(const std::string& folder) {
  constexpr int kCharges = 10;
  Ledger ledger = Ledger::create(folder_store(folder), terms_of(1), std::nullopt);
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kCharges; ++i) ledger.charge(charge_of(0.0009765625));
  const auto elapsed = std::chrono::steady_clock::now() - start;
  return std::chrono::duration_cast<std::chrono::microseconds>(elapsed) / kCharges;
}

// Starts `kills` processes, one after the other. Each opens the ledger and acts, again and again,
// until it is killed, within the time of four charges. `act` charges, and prints a byte.
template <class Act>
KillCount kill_many(const std::string& folder, int kills, std::uint32_t seed, Act act) {
  std::mt19937 random(seed);
  const std::string printed = folder + "/printed";
  const auto longest = static_cast<std::uint32_t>(4 * pace_of_charges(folder + "-pace").count());
  for (int i = 0; i < kills; ++i) {
    Pipe started;
    ChildProcess child([&] {
      const int out = open(printed.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
      Ledger ledger = open_ledger(folder);
      started.send('s');
      for (;;) act(ledger, [&] { return write(out, "x", 1) == 1; });
      return 0;
    });
    started.receive();
    std::this_thread::sleep_for(std::chrono::microseconds(random() % longest));
    child.kill();
  }
  KillCount count;
  count.printed = content(printed).size();
  Ledger ledger = open_ledger(folder);
  ledger.read([&](const LedgerRecord& record) { count.charged += record.kind() == "charge"; });
  return count;
}

inline void charge_then_print(Ledger& ledger, const std::function<bool()>& print) {
  ledger.charge(charge_of(0.0009765625));
  print();
}

}  // namespace dp::test
