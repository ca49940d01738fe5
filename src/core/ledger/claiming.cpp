// Claims of a ledger; claims.h says why they are private.
#include <algorithm>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/ledger/ledger.h"
#include "core/ledger/ledger_run.h"
#include "core/ledger/transaction.h"

namespace dp {

Ledger::Claimed Ledger::claim(const Call& call) {
  for (;;) {
    Transaction transaction(*this);
    const std::string version = known_version(call.charge);
    const Digest key =
        state_.release_key(call.charge.plan, version, call.charge.loss, call.charge.table);
    const Claims& claims = state_.claims();
    const std::uint64_t* mine =
        call.key.empty() ? nullptr : claims.charge_of(state_.claim_digest(call.key));
    std::vector<std::uint64_t> pending;
    if (mine != nullptr) {
      const Claims::State& own = *claims.find(*mine);
      if (own.key != key) return {Claimed::What::other, *mine, "", nullptr};
      if (own.phase == Claims::Phase::failed) return {Claimed::What::failed, *mine, "", nullptr};
      if (own.phase == Claims::Phase::released) {
        return {Claimed::What::stored, *mine, hexadecimal(own.release), nullptr};
      }
      if (LedgerRun::is_here(terms().id, *mine)) {
        throw Error(ErrorKind::ledger, "a release cannot wait for itself: use a new key.");
      }
      pending = {*mine};
    } else if (call.reuse) {
      const StoredRelease* stored = state_.stored(key);
      if (stored != nullptr) return {Claimed::What::stored, stored->charge, stored->hash, nullptr};
      pending = claims.pending(key);
    }
    const auto next = std::find_if(pending.begin(), pending.end(), [&](std::uint64_t charge) {
      return !LedgerRun::is_here(terms().id, charge);
    });
    if (next == pending.end()) return start(transaction, call);
    // Empty if this call only recorded a state: a transaction writes one record, so the caller
    // looks again.
    if (auto claimed = go_on(transaction, *next)) return *std::move(claimed);
  }
}

// Continues a charge whose process may have died.
std::optional<Ledger::Claimed> Ledger::go_on(Transaction& transaction, std::uint64_t charge) {
  const Claims::State& known = *state_.claims().find(charge);
  const bool runs_again = known.may_run_again();
  const std::uint64_t number = known.run + (runs_again ? 1 : 0);
  auto run = LedgerRun::take(*store_, terms().id, charge, number);
  if (run == nullptr) return Claimed{Claimed::What::running, charge, "", nullptr};
  if (runs_again) {
    transaction.append(transaction.next("rerun").set("charge", charge).set("run", number));
    return Claimed{Claimed::What::run, charge, "", std::move(run)};
  }
  std::optional<std::string> hash;
  if (known.phase == Claims::Phase::marked) {
    hash = transaction.stored_hash(state_.release_name(charge, known.key));
  }
  if (hash) {
    transaction.append(transaction.next("release").set("charge", charge).set("release", *hash));
  } else {
    transaction.append(transaction.next("fail").set("charge", charge).set("run", number));
  }
  return std::nullopt;
}

// Take the lease first: no other process then continues a charge that this one is about to run.
Ledger::Claimed Ledger::start(Transaction& transaction, const Call& call) {
  LedgerRecord record = charge_record(transaction, call.charge);
  // No other call has this position in the chain.
  const std::string name = call.key.empty() ? "after " + state_.head().text() : call.key;
  record.set("claim", hexadecimal(state_.claim_digest(name)));
  auto run = LedgerRun::take(*store_, terms().id, record.seq(), 0);
  if (run == nullptr) {
    throw Error(ErrorKind::ledger,
                store_->name() +
                    " cannot be trusted: another process runs a charge that is not in "
                    "it. Nothing was spent.");
  }
  transaction.append(record);
  return {Claimed::What::run, run->charge(), "", std::move(run)};
}

bool Ledger::wait_for_run(std::uint64_t charge, int milliseconds) const {
  return store_->lease(charge, milliseconds) != nullptr;
}

LedgerHead Ledger::mark(const LedgerRun& run) {
  Transaction transaction(*this);
  return transaction.append(
      transaction.next("mark").set("charge", run.charge()).set("run", run.number()));
}

LedgerHead Ledger::fail(const LedgerRun& run) {
  Transaction transaction(*this);
  return transaction.append(
      transaction.next("fail").set("charge", run.charge()).set("run", run.number()));
}

}  // namespace dp
