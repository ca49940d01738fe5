// A durable budget: every charge to it, as records (record.h) in a store (store.h).
//
// A transaction takes the store's lock, reads and checks new records, compares the budget, writes
// one record, waits until it is on stable storage, and releases the lock. Only then the caller may
// draw the first random bit. So the recorded loss is at least the released loss, even if a process
// dies at any moment: noise follows its charge, and charges are never undone. All processes that
// follow this, on any number of machines that share the store, spend one total.
//
// A write that a crash cut short can leave a line without an end. No noise was drawn for it,
// because its transaction did not finish. So the next transaction cuts it off, and records that.
//
// If the store fails, its content is unknown. The object then throws on every use; open the ledger
// again to read its content. If only the flush failed and the line survived, it counts, though
// nothing was released for it.
//
// The records reveal every change to them, but not that they are an older copy. Their head, the
// hash of the last record, kept elsewhere, reveals it: opening a ledger throws if it lacks the
// given head, and so does an open ledger whose records changed.
//
// Everything throws the errors of the store, ErrorKind::ledger for the content, and
// ErrorKind::budget for a loss that is not granted. After budget and interrupted, the object
// remains valid. One thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/ledger/state.h"
#include "core/ledger/store.h"

namespace dp {

class LedgerRun;

class Ledger {
 public:
  struct Terms {
    std::string dataset;
    LedgerUnit unit;
    LedgerMeasure measure;
    TotalLoss total;
    std::string version;       // the first one
    std::string package;       // who writes, with its version
    std::string promise = {};  // of its versions, see add_version()
  };

  struct Charge {
    std::string plan;  // SHA-256 in hexadecimal
    TotalLoss loss;
    std::optional<std::string> version;  // the newest one if none is named
    std::string who;
    std::string package;
    std::string promise;     // empty without one; only in ledgers with a unit
    std::string what = {};   // a public description, see description_of(), or empty
    std::string table = {};  // the curator's name of the table that is read, or empty
  };

  // A call that releases.
  struct Call {
    Charge charge;
    std::string key;  // names the call, in this ledger; empty for a call that is not made again
    // Whether it may return a stored release, or continue the charge of another call.
    bool reuse = true;
  };

  // The ledger's answer to a call, see claims.h.
  struct Claimed {
    enum class What {
      run,      // draw, for the charge
      stored,   // return the release of the charge, whose hash is `hash`
      running,  // wait for another process that runs the charge, then call again
      failed,   // the charge of this very call has no release
      other     // another call had this key: its plan, loss or version differs
    };

    What what;
    std::uint64_t charge = 0;
    std::string hash;
    std::shared_ptr<LedgerRun> run;
  };

  struct Paid {
    LedgerHead head;
    std::string time;  // of the record
  };

  using Store = std::shared_ptr<LedgerStore>;

  // Creates a ledger with a random id of 128 bits. Throws ErrorKind::ledger if there is a ledger
  // already.
  static Ledger create(const Store& store, const Terms& terms, const std::optional<LedgerKey>& key);

  // Reads and checks all records. `head` is one that was seen before, or none. With a public key,
  // the ledger is only for reading, and so may be `store`.
  static Ledger open(const Store& store,
                     const std::optional<LedgerKey>& key,
                     const std::optional<LedgerHead>& head);

  // Reads and checks new records of other processes. Returns the state at that time.
  const LedgerState& state();
  // The state of the last read.
  const LedgerState& known() const { return state_; }

  // The content of the first record, which never changes.
  const LedgerTerms& terms() const { return state_.terms(); }

  // Records a charge, or throws ErrorKind::budget and records nothing.
  Paid charge(const Charge& charge);

  // Charges, or finds an earlier charge, in one atomic step. Throws as charge() does. New records
  // are before head().
  Claimed claim(const Call& call);
  // Waits at most `milliseconds` until no other process runs the charge. Returns whether none does.
  bool wait_for_run(std::uint64_t charge, int milliseconds) const;
  // Records the mark. It is on stable storage before the first noise is drawn. Throws
  // ErrorKind::ledger if another process runs the charge, or noise was drawn for it before.
  LedgerHead mark(const LedgerRun& run);
  // Records that the charge will have no release. Throws as mark() does.
  LedgerHead fail(const LedgerRun& run);

  // Records the hash of the stored release of charge `seq`.
  LedgerHead record_release(std::uint64_t seq, const std::string& hash);
  // `promise` says why rows of all versions together are within the unit, and may be empty. In a
  // ledger whose unit is added or removed rows, the second version needs one.
  LedgerHead add_version(const std::string& version, const std::string& promise = {});
  // Raises the total; each part must be at least the old one. The ledger must have a key, whose
  // `sign` signs if the ledger's records are not signed.
  LedgerHead raise(const TotalLoss& total,
                   const std::function<std::string(const std::string& text)>& sign);

  // Makes a ledger for the same data and unit that may spend `loss` of the remaining budget. A
  // crash can leave it allocated but never created, which costs budget.
  Ledger allocate(const Store& store,
                  const TotalLoss& loss,
                  const std::string& package,
                  const std::optional<LedgerKey>& key);
  // Takes back the unspent budget of `child`, which records it as spent first.
  LedgerHead take_back(Ledger& child);

  // Closes the ledger, and makes its copy in `store`, which continues it. `place` names the store.
  // If a crash comes between the two, a second call with the same `place` makes the copy.
  Ledger move(const Store& store, const std::string& place);
  // Records that the copy is complete. From then on move() throws even if the copy is gone, because
  // the copy may have been charged.
  LedgerHead leave();
  // Declares the records an older copy of a lost ledger: charges `lost` for the lost charges.
  // `head` is one of the lost records, if any is known.
  LedgerHead restore(const std::optional<LedgerHead>& head, const TotalLoss& lost);

  // The record of that number, or none. Reads only this record and new ones.
  std::optional<LedgerRecord> record(std::uint64_t seq);
  // Calls `see` with each record, checked, in their order.
  void read(const std::function<void(const LedgerRecord& record)>& see);

  // Checks the signature of each record. Every other call checks only the newest one.
  void check_signatures();

  // Sets the limit of waiting for the lock, in milliseconds.
  void set_patience(int milliseconds) { patience_ = milliseconds; }
  // Sets the clock for the times of records, in seconds since 1970; by default the system's clock.
  void set_clock(std::function<std::int64_t()> clock) { clock_ = std::move(clock); }

 private:
  class Transaction;
  friend class Transaction;

  Ledger(Store store, std::optional<LedgerKey> key);
  static Ledger create_as(const std::string& id,
                          const Store& store,
                          const Terms& terms,
                          const std::optional<LedgerKey>& key);

  // The position where the record of that number begins or will begin.
  LedgerPosition start_of(std::uint64_t seq) const { return {seq, seq == 0 ? 0 : ends_[seq - 1]}; }
  LedgerPosition end() const { return start_of(ends_.size()); }

  void check_budget(const TotalLoss& loss) const;
  std::string known_version(const Charge& charge) const;
  LedgerRecord charge_record(const Transaction& transaction, const Charge& charge) const;
  std::optional<Claimed> go_on(Transaction& transaction, std::uint64_t charge);
  Claimed start(Transaction& transaction, const Call& call);

  Store store_;
  std::optional<LedgerKey> key_;
  LedgerState state_;
  std::vector<std::uint64_t> ends_;  // where each record ends that was read and checked, in bytes
  std::function<std::int64_t()> clock_;
  int patience_ = 30000;
  bool is_poisoned_ = false;
};

}  // namespace dp
