// Records of a ledger: one line each, canonical JSON, at most 64 KiB.
//
// Every record has
//
//   seq        0, 1, 2, ... in the order of the file
//   kind       one of the kinds below
//   prev       hash of the record before, 64 zeros for the first
//   hash       hash of this record, see chain.h
//   signature  in ledgers of the third format, see chain.h
//   time       "2026-11-22T00:10:00Z", for readers: nothing depends on it, and it can go back
//
// and, according to its kind, exactly these fields. Fields marked ? are optional.
//
//   open       format, id, dataset, unit, measure, total, package, key: the first record. `key` is
//              the fingerprint of the curator's key, or empty. `unit` has the form of json_of()
//              (ledger_unit.h): words in the first format, which older versions wrote.
//              Records of the third format are signed with the key.
//   version    label, promise?: a version of the data that may be released. `promise` says, in the
//              curator's words, why rows of all versions together are within the unit.
//   charge     plan, version, loss, spent, who, package, promise?, what?, table?, claim?: budget
//              that was spent before the draw. `spent` is the sum of all charges, including this
//              one. `promise` says, in the user's words, why the loss holds for the unit, if the
//              measurement does not say so. `what` describes the release for readers, such as "mean
//              of age"; charges of older versions lack it. `table` is the curator's name of the
//              table, if it has one. A stored release is returned only for the table of this name.
//              `claim` names the call that charged (claims.h); charges of older versions lack it.
//   rerun      charge, run: a process runs the charge again, for the `run`-th time
//   mark       charge, run: noise of this run follows, and no other run ever draws noise
//   fail       charge, run: the charge has no release, and never will have one
//   release    charge, release: the SHA-256 of the charge's stored release
//   allocate   child, loss, spent: a charge whose loss another ledger may spend
//   return     child, head, loss, spent: the unused budget that the child gives back, and its last
//              head. In the child's own ledger, `child` is its id, and the loss is spent there.
//   raise      total: a larger total. In the first two formats `signature` signs the new total, see
//              LedgerState::raise_text().
//   move       to: the ledger continues in another place, and is closed in this one
//   arrive     at: the place where it continues. Only the copy there has this record.
//   leave      at: the copy is complete, so no other one is ever made. Only the old place has it.
//   restore    head, loss, spent: the ledger is an older copy of a lost one. `loss` is the
//              curator's sum of the lost charges, `head` its last known head, or empty.
//   repair     bytes, sha256: an unfinished line that was cut off
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
  // canonical JSON, or does not have exactly the fields of its kind, in their form. It does not
  // check the hash and relations with other records.
  static LedgerRecord parse(std::string_view line);

  LedgerRecord& set(const char* field, Json value) {
    json_.set(field, std::move(value));
    return *this;
  }

  std::uint64_t seq() const { return number("seq"); }
  const std::string& kind() const { return text("kind"); }
  // The number in a field that the kind has.
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

// Whether `text` has exactly `digits` lower-case hexadecimal digits.
bool is_hexadecimal(std::string_view text, std::size_t digits);

}  // namespace dp
