// The combined state of a ledger's records, and the rules that each next record must keep.
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

// The curator's key: its fields in the first record, the secret of chains in the first two formats,
// and a check of signatures. With only the public half of the key, there is neither the secret nor
// `sign`, and the ledger can only be read.
struct LedgerKey {
  std::string fingerprint;
  std::optional<ChainSecret> secret;
  std::function<bool(const std::string& text, const std::string& signature)> has_signed;
  std::function<std::string(const std::string& text)> sign = {};

  bool only_reads() const { return !secret && !sign; }
};

// The terms that the first record fixes forever.
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

// A written or found record, in the form of references to it: "41:<hash>".
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

  // Applies the next line. Throws ErrorKind::ledger, and changes nothing, unless the record and its
  // hash are valid, it follows the record before, its sums are right and within the total, and its
  // references exist. A ledger with a key needs exactly that key.
  void apply(std::string_view line);

  // Throws ErrorKind::ledger unless the newest record has the signature that it needs. It vouches
  // for all records before it, so those that were applied since the last call are checked, too.
  void check_signature();

  // The line of the next record. Throws as apply() does, so that every written line can be read.
  std::string line_of(const LedgerRecord& record) const;
  // Applies the result of line_of(), without checking it again.
  void accept(const LedgerRecord& record, std::string_view line);

  // The text that the curator signs to raise the total: canonical JSON of the new total, this
  // ledger and the position in its chain, so that a signature raises one ledger once.
  std::string raise_text(const LedgerRecord& record) const;

  // Makes the next record, of that kind.
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

  // Whether `line` is the existing record of that number.
  bool is_record(std::uint64_t seq, std::string_view line) const;
  // Whether the records reach `head` and hold it at its position.
  bool has(const LedgerHead& head) const;
  bool has_version(const std::string& version) const;
  // The curator's promise about rows in all versions together; empty if there is none.
  const std::string& promise_of_versions() const { return promise_of_versions_; }
  // Whether the unit is rows that are added or removed, and nothing was promised.
  bool needs_promise_of_versions() const;

  // The key of a stored release: equal if and only if plan, loss, dataset, version, ledger and
  // table name are equal. All are public. `table` is empty for a table without a name.
  Digest release_key(const std::string& plan,
                     const std::string& version,
                     const TotalLoss& loss,
                     const std::string& table = {}) const;
  // The digest that charges record of a claim. `key` names the call, in this ledger only.
  Digest claim_digest(const std::string& key) const;
  const Claims& claims() const { return claims_; }
  // The name of a charge's stored release, a path with a slash. Each charge with a claim has a
  // separate name. Older versions stored all releases of a key under one name.
  std::string release_name(std::uint64_t charge, const Digest& key) const;
  // The budget that is allocated to the ledger of that id and has not come back; null if none.
  const TotalLoss* allocated(const std::string& child) const;
  // The place where the ledger continues; null if it has not moved.
  const std::string* moved_to() const { return moved_to_ ? &*moved_to_ : nullptr; }
  // Whether it is known to have arrived there.
  bool has_left() const { return has_left_; }
  // The sum that records of `restore` charged for lost records.
  const TotalLoss& lost() const { return lost_; }
  // Whether `head` is a record that is known to be lost.
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
