// Claims of a ledger: each call that releases makes one, and each has one charge. A claim is a
// digest of the ledger's id and a key that the caller chose, so that a call can be made again.
//
//   charge --> open --mark--> marked --release--> released
//              |  ^            |
//              |  +- rerun     +--fail--> failed
//              +--fail--> failed
//
//   open      no noise was drawn. If no process runs the charge, another one may: a `rerun`
//   marked    noise may have been drawn, once; no process runs the charge again
//   released  the release was stored, and its hash is recorded
//   failed    there is no release, and there never will be one
//
// Why running again is private. Let M be the measurement that was charged. A run first reads the
// data, then records a mark, then draws from M. A charge has at most one mark, and no run begins
// after it. So whatever kills processes, and whenever, M is drawn from at most once for a charge.
// Let an adversary see the draw and decide with it when to kill. Then the outcome, the release or
// `failed`, is a function of one draw of M and of coins that do not depend on the data. It is
// postprocessing of M, so it loses no more than M does.
//
// It would not do to say that a draw counts only once it is recorded, and to draw again after a
// crash. The adversary would kill all draws below a threshold. After k such draws the outcome
// `failed` says that all of them were below it, which can lose k times as much as M.
//
// Two runs at the same time would race, and the faster one would be recorded. The time of an exact
// sampler depends on its draw, so this would choose among draws, too. Two things keep runs apart. A
// lease (store.h) ends with its process, so that others wait while a process lives, and not longer.
// A lease can be lost while its process lives, if a database closes a connection. So runs also have
// numbers: each rerun records the next one, and a mark is refused unless it has the newest number.
// The lease saves time, and the number is what privacy depends on.
//
// Not covered is a crash that depends on the data: memory that ends, or an engine that fails at a
// value. Then the crash itself is an answer without noise, whether or not a run follows. The limit
// of reruns bounds time, not this. Errors that a run reports end its charge as `failed`. Also not
// covered is an older copy of the ledger that lacks the mark: heads that are kept elsewhere show
// it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/ledger/chain.h"

namespace dp {

class Claims {
 public:
  enum class Phase { open, marked, released, failed };

  static constexpr std::uint64_t kMostReruns = 2;

  struct State {
    Digest key;  // names the release, see LedgerState::release_key()
    Phase phase = Phase::open;
    std::uint64_t run = 0;  // number of the newest run
    Digest release{};       // hash of the stored release, once there is one

    bool has_ended() const { return phase == Phase::released || phase == Phase::failed; }
    bool may_run_again() const { return phase == Phase::open && run < kMostReruns; }
  };

  // The charge of a claim; null if there is none.
  const std::uint64_t* charge_of(const Digest& claim) const;
  // Null for charges without a claim, as older versions made them.
  const State* find(std::uint64_t charge) const;
  // Charges of that release that have not ended, in their order.
  std::vector<std::uint64_t> pending(const Digest& key) const;

  // Whether the event may come next. `run` is the number of its run.
  bool can_charge(const Digest& claim) const { return charge_of(claim) == nullptr; }
  bool can_rerun(std::uint64_t charge, std::uint64_t run) const;
  bool can_mark(std::uint64_t charge, std::uint64_t run) const;
  bool can_release(std::uint64_t charge) const;
  bool can_fail(std::uint64_t charge, std::uint64_t run) const;

  // Each event must be allowed next.
  void charge(std::uint64_t charge, const Digest& key, const Digest& claim);
  void rerun(std::uint64_t charge) { ++states_.at(charge).run; }
  void mark(std::uint64_t charge) { states_.at(charge).phase = Phase::marked; }
  void release(std::uint64_t charge, const Digest& hash);
  void fail(std::uint64_t charge);

 private:
  void end(std::uint64_t charge, Phase phase);

  std::map<Digest, std::uint64_t> charges_;  // by claim
  std::unordered_map<std::uint64_t, State> states_;
  std::map<Digest, std::vector<std::uint64_t>> pending_;  // by key
};

}  // namespace dp
