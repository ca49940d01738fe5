// A budget that lasts: every charge ever made to it, as records (record.h) in a store (store.h).
//
// A transaction takes the store's lock, reads what is new, checks it, compares, writes one record,
// waits until it is on stable storage, and ends the lock. Only then the caller may draw the first
// random bit. So what is recorded is at least what was released, whatever dies at whatever moment:
// noise follows its charge, and no charge is ever given back. All processes that follow this, on
// any number of machines that share the store, spend one total.
//
// A write that a crash cut short may leave a line without an end. No noise was drawn under it,
// since its transaction did not finish, so the next transaction cuts it off, and records that.
//
// If the store refuses, what it holds is unknown: the object is of no use any more, and says so;
// who opens the ledger anew reads what there is. If only the flush failed and the line survived, it
// counts, though nothing was released for it.
//
// The records show each change to them, but cannot show that they are an older copy of themselves.
// Their head, the hash of the last record, kept elsewhere, can: opening a ledger with a head that
// it does not have is refused, and so is what changes behind the back of an open one.
//
// Everything throws what the store throws, ErrorKind::ledger for the content, and
// ErrorKind::budget for what is not granted. After budget, and after interrupted, the object is
// good as before. One thread at a time.
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
    // Whether it may return a release that is stored, or go on with the charge of another call.
    bool reuse = true;
  };

  // What a call is given, see claims.h.
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

  // With 128 random bits of its own as id. Throws ErrorKind::ledger if there is a ledger already.
  static Ledger create(const Store& store, const Terms& terms, const std::optional<LedgerKey>& key);

  // Reads and checks all of it. `head` is one that was seen before, or none. With a public key, the
  // ledger can only be read, and so need only be `store`.
  static Ledger open(const Store& store,
                     const std::optional<LedgerKey>& key,
                     const std::optional<LedgerHead>& head);

  // Reads and checks what others wrote since. As it was then.
  const LedgerState& state();
  // As it was read last.
  const LedgerState& known() const { return state_; }

  // What the first record says, which never changes.
  const LedgerTerms& terms() const { return state_.terms(); }

  // Records a charge, or throws ErrorKind::budget and records nothing.
  Paid charge(const Charge& charge);

  // Charges, or finds what there is of an earlier charge, in one step that no other process comes
  // between. Throws as charge() does. What is newly recorded is behind head().
  Claimed claim(const Call& call);
  // Waits until no other process runs the charge, for so many milliseconds; whether none does.
  bool wait_for_run(std::uint64_t charge, int milliseconds) const;
  // On stable storage before the first noise is drawn. Throws ErrorKind::ledger if another process
  // runs the charge, or noise was drawn for it before.
  LedgerHead mark(const LedgerRun& run);
  // The charge will have no release. Throws as mark() does.
  LedgerHead fail(const LedgerRun& run);

  // Records the hash of what was stored for the charge `seq`.
  LedgerHead record_release(std::uint64_t seq, const std::string& hash);
  // `promise` says why rows of all versions together are within the unit, and may be empty. In a
  // ledger whose unit is rows that are added or removed, the second version needs one.
  LedgerHead add_version(const std::string& version, const std::string& promise = {});
  // Larger in both parts, or equal. The ledger must have a key, which `sign` signs with if its
  // records are not signed.
  LedgerHead raise(const TotalLoss& total,
                   const std::function<std::string(const std::string& text)>& sign);

  // Makes a ledger that may spend `loss` of what is left here, of the same data and unit. A crash
  // may leave it allocated and never made, which costs budget.
  Ledger allocate(const Store& store,
                  const TotalLoss& loss,
                  const std::string& package,
                  const std::optional<LedgerKey>& key);
  // Takes back what `child` has not spent, and which it records as spent before.
  LedgerHead take_back(Ledger& child);

  // Closes the ledger, and makes its copy in `store`, which goes on. `place` names the store. If a
  // crash comes between the two, a second call with the same `place` makes the copy.
  Ledger move(const Store& store, const std::string& place);
  // Records that the copy is whole: from then on move() refuses, even if the copy is gone, since it
  // may have been charged.
  LedgerHead leave();
  // The records are an older copy of a ledger that is lost: charges `lost`, for what was charged
  // since. `head` is one of the records that are lost, if any was seen.
  LedgerHead restore(const std::optional<LedgerHead>& head, const TotalLoss& lost);

  // The record of that number, or none. Reads no other one but what others wrote since.
  std::optional<LedgerRecord> record(std::uint64_t seq);
  // Calls `see` with each record, checked, in their order.
  void read(const std::function<void(const LedgerRecord& record)>& see);

  // Checks the signature of each record. Every other call checks only the newest one.
  void check_signatures();

  // How long to wait for the lock, in milliseconds.
  void set_patience(int milliseconds) { patience_ = milliseconds; }
  // What gives the time of records, in seconds since 1970; the system's by default.
  void set_clock(std::function<std::int64_t()> clock) { clock_ = std::move(clock); }

 private:
  class Transaction;
  friend class Transaction;

  Ledger(Store store, std::optional<LedgerKey> key);
  static Ledger create_as(const std::string& id,
                          const Store& store,
                          const Terms& terms,
                          const std::optional<LedgerKey>& key);

  // Where the record of that number begins, or will.
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
