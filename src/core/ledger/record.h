// Records of a ledger: one line each, canonical JSON, at most 64 KiB.
//
// Every record has
//
//   seq      0, 1, 2, ... in the order of the file
//   kind     one of the kinds below
//   prev     hash of the record before, 64 zeros for the first
//   hash     its own, see chain.h
//   signature  in ledgers of the third format, see chain.h
//   time     "2026-11-22T00:10:00Z", for people: nothing depends on it, and it may go back
//
// and, according to its kind, exactly
//
//   open      format, id, dataset, unit, measure, total, package, key: the first record. `key` is
//             the fingerprint of the curator's key, or empty. `unit` is of the form that json_of()
//             gives it (ledger_unit.h): words in the first format, which older versions wrote.
//             Records of the third format are signed with the key.
//   version   label: a version of the data that may be released from. Perhaps `promise`: why rows
//             of all versions together are within the unit, in words of the curator
//   charge    plan, version, loss, spent, who, package: what was spent before it was drawn.
//             `spent` is the sum of all charges, this one included. Perhaps `promise`: why the loss
//             holds for the unit, in words of the caller, if the measurement does not say so.
//             Perhaps `what`: what was released, for readers, such as "mean of age". Charges of
//             older versions lack it.
//             Perhaps `table`: the curator's name of the table that was read, if it has one. A
//             stored release is returned for the table of this name only.
//             `claim` names the call that charged (claims.h); charges of older versions lack it.
//   rerun     charge, run: a process runs the charge again, for the `run`-th time
//   mark      charge, run: noise of this run follows, and no other run ever does
//   fail      charge, run: the charge has no release, and never will have one
//   release   charge, release: the SHA-256 of the stored release that was paid with the charge
//   allocate  child, loss, spent: a charge whose loss another ledger may spend
//   return    child, head, loss, spent: what that ledger gives back unused, and its last head. In
//             the ledger that gives back, `child` is its own id, and the loss is spent there.
//   raise     total: a larger total. In the first two formats `signature` is of the new total, see
//             LedgerState::raise_text().
//   move      to: the ledger goes on in another place, and is closed in this one
//   arrive    at: the place where it goes on. Only the copy there has this record.
//   leave     at: the copy is whole, so no other one is ever made. Only the old place has it.
//   restore   head, loss, spent: the ledger is an older copy of one that is lost. `loss` is what
//   the
//             curator says was charged since, `head` the last one that was seen of it, or empty.
//   repair    bytes, sha256: an unfinished line that was cut off
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/ledger/json.h"

namespace dp {

constexpr std::size_t kMostLineBytes = 65536;
constexpr std::size_t kMostDescriptionBytes = 256;
constexpr const char* kFormatOfWords = "psilence-ledger-1";
constexpr const char* kFormatOfUnits = "psilence-ledger-2";
constexpr const char* kFormatOfSignatures = "psilence-ledger-3";

class LedgerRecord {
 public:
  // A record of that kind; its other fields are set one by one. `time` is in seconds since 1970.
  LedgerRecord(std::uint64_t seq, const char* kind, std::string prev, std::int64_t time);

  // A line without its end. Throws ErrorKind::ledger if it is longer than kMostLineBytes, is not
  // canonical JSON, or has not exactly the fields of its kind, in their form. Its hash, and
  // whatever hangs together with other records, is not checked.
  static LedgerRecord parse(std::string_view line);

  LedgerRecord& set(const char* field, Json value) {
    json_.set(field, std::move(value));
    return *this;
  }

  std::uint64_t seq() const { return number("seq"); }
  const std::string& kind() const { return text("kind"); }
  // Of a field that the kind has.
  std::uint64_t number(const char* field) const { return *json_.find(field)->as<std::uint64_t>(); }
  const std::string& text(const char* field) const { return *json_.find(field)->as<std::string>(); }
  const Json* field(const char* name) const { return json_.find(name); }

  const Json& json() const { return json_; }

 private:
  explicit LedgerRecord(Json json) : json_(std::move(json)) {}

  Json json_;
};

// "2026-11-22T00:10:00Z"; years from 0 to 9999, others become the nearest of these.
std::string utc_text(std::int64_t seconds);

// UTF-8 in the form of `what`: control characters become spaces, and a text of more than
// kMostDescriptionBytes ends with "...".
std::string description_of(const std::string& text);

// Whether `text` is so many lower-case hexadecimal digits.
bool is_hexadecimal(std::string_view text, std::size_t digits);

}  // namespace dp
