// What the records of a ledger say together, record after record, and the rules they keep.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/ledger/chain.h"
#include "core/ledger/claims.h"
#include "core/ledger/ledger_unit.h"
#include "core/ledger/record.h"
#include "core/ledger/total.h"

namespace dp {

// The curator's key: what the first record says of it, the secret of chains in the first two
// formats, and whether a signature of a text was made with it. Whoever has the public half of the
// key has neither the secret nor `sign`, and can only read.
struct LedgerKey {
  std::string fingerprint;
  std::optional<ChainSecret> secret;
  std::function<bool(const std::string& text, const std::string& signature)> has_signed;
  std::function<std::string(const std::string& text)> sign = {};

  bool only_reads() const { return !secret && !sign; }
};

// What the first record fixes for ever.
struct LedgerTerms {
  std::string id;  // 32 hexadecimal digits
  std::string dataset;
  LedgerUnit unit;
  LedgerMeasure measure;
};

// A release that can be looked up again.
struct StoredRelease {
  std::uint64_t charge;  // seq
  std::string hash;      // SHA-256 of the file
};

// A record that was written or found, as others refer to it: "41:<hash>".
struct LedgerHead {
  std::uint64_t seq;
  Digest hash;

  std::string text() const { return std::to_string(seq) + ":" + hexadecimal(hash); }
  // Throws ErrorKind::ledger.
  static LedgerHead parse(const std::string& text);
};

class LedgerState {
 public:
  explicit LedgerState(std::optional<LedgerKey> key) : key_(std::move(key)) {}

  // Takes the next line. Throws ErrorKind::ledger, and changes nothing, unless it is a record, its
  // hash is that of its content, it follows the record before, sums are right, the total is kept,
  // and what it refers to is there. A ledger with a key needs the key, and only that key.
  void apply(std::string_view line);

  // Throws ErrorKind::ledger unless the newest record has the signature that it needs. It vouches
  // for all records before it, so those that were applied since the last call are checked, too.
  void check_signature();

  // The line of a record that comes next. Throws as apply() does of it, so that nothing is written
  // that would not be read.
  std::string line_of(const LedgerRecord& record) const;
  // Takes what line_of() gave the line of, without checking it again.
  void accept(const LedgerRecord& record, std::string_view line);

  // What the curator signs to raise the total: canonical JSON of the new total, of this ledger and
  // of the place in its chain, so that a signature raises one ledger once.
  std::string raise_text(const LedgerRecord& record) const;

  // A record of that kind that comes next.
  LedgerRecord next(const char* kind, std::int64_t time) const;

  bool is_open() const { return terms_.has_value(); }
  const LedgerTerms& terms() const { return *terms_; }
  const TotalLoss& total() const { return total_; }
  const TotalLoss& spent() const { return spent_; }
  TotalLoss left() const { return total_.minus(spent_); }
  const std::vector<std::string>& versions() const { return versions_; }
  bool is_keyed() const { return key_.has_value(); }
  bool is_signed() const { return is_signed_; }
  LedgerHead head() const { return {heads_.size() - 1, heads_.back()}; }
  std::uint64_t size() const { return heads_.size(); }  // records

  // Whether `line` is the record of that number, which is there.
  bool is_record(std::uint64_t seq, std::string_view line) const;
  // Whether the records go as far as `head` and have it in its place.
  bool has(const LedgerHead& head) const;
  bool has_version(const std::string& version) const;
  // What the curator promised of rows in all versions together; empty if nothing.
  const std::string& promise_of_versions() const { return promise_of_versions_; }
  // Whether the unit is rows that are added or removed, and nothing was promised.
  bool needs_promise_of_versions() const;

  // The name of what a charge may be stored under: equal if and only if plan, loss, dataset,
  // version, ledger and the name of the table are, all of them public. `table` is empty for a table
  // without a name.
  Digest release_key(const std::string& plan,
                     const std::string& version,
                     const TotalLoss& loss,
                     const std::string& table = {}) const;
  // The digest that charges record of a claim. `key` names the call, in this ledger only.
  Digest claim_digest(const std::string& key) const;
  const Claims& claims() const { return claims_; }
  // What the release of a charge is stored under, a path with a slash. Charges with a claim
  // have one each. Older versions stored all releases of a key in one place.
  std::string release_name(std::uint64_t charge, const Digest& key) const;
  // What was allocated to the ledger of that id and has not come back; null if nothing.
  const TotalLoss* allocated(const std::string& child) const;
  // Where the ledger goes on; null if it does here.
  const std::string* moved_to() const { return moved_to_ ? &*moved_to_ : nullptr; }
  // Whether it is known to have arrived there.
  bool has_left() const { return has_left_; }
  // What records of `restore` charged for others that are lost.
  const TotalLoss& lost() const { return lost_; }
  // Whether `head` is of records that are known to be lost.
  bool has_lost(const LedgerHead& head) const { return lost_heads_.count(head.text()) != 0; }
  // The newest release of that key; null if none was recorded.
  const StoredRelease* stored(const Digest& key) const;
  const std::map<Digest, StoredRelease>& releases() const { return stored_; }  // by key

 private:
  struct Child {
    TotalLoss allocated;
    bool has_returned = false;
  };

  bool signs(const LedgerRecord& record) const;
  std::optional<ChainSecret> secret(bool is_signed) const;
  bool has_own_hash(std::string_view line, const std::string& hash, bool is_signed) const;
  void check_chain(const LedgerRecord& record, std::string_view line) const;
  void check(const LedgerRecord& record) const;
  void check_open(const LedgerRecord& record) const;
  void check_charge(const LedgerRecord& record) const;
  void check_spending(const LedgerRecord& record) const;
  void check_allocate(const LedgerRecord& record) const;
  void check_return(const LedgerRecord& record) const;
  void check_raise(const LedgerRecord& record) const;
  void check_move(const LedgerRecord& record) const;
  void check_restore(const LedgerRecord& record) const;
  void check_claim(const LedgerRecord& record) const;
  void check_release(const LedgerRecord& record) const;
  void open(const LedgerRecord& record);
  void remember(const LedgerRecord& record);
  void remember_release(std::uint64_t charge, const std::string& hash);
  TotalLoss loss_in(const LedgerRecord& record, const char* field) const;
  bool is_own_return(const LedgerRecord& record) const;

  std::optional<LedgerKey> key_;
  std::optional<LedgerTerms> terms_;
  bool is_signed_ = false;
  std::string newest_line_;    // in a signed ledger
  std::uint64_t checked_ = 0;  // records that a checked signature vouches for
  TotalLoss total_;
  TotalLoss spent_;
  std::vector<Digest> heads_;
  std::vector<std::string> versions_;
  std::string promise_of_versions_;
  std::map<std::string, Child> children_;
  std::unordered_map<std::uint64_t, Digest> unreleased_;  // keys of charges without a claim
  Claims claims_;
  std::map<Digest, StoredRelease> stored_;
  std::optional<std::string> moved_to_;
  bool has_left_ = false;
  TotalLoss lost_;
  std::set<std::string> lost_heads_;
};

}  // namespace dp
