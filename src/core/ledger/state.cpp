#include "core/ledger/state.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/numeric/text.h"

namespace dp {
namespace {

[[noreturn]] void refuse_record(const std::string& sentence) {
  throw Error(ErrorKind::ledger, sentence);
}

void check_that(bool holds, const char* sentence) {
  if (!holds) refuse_record(sentence);
}

std::uint8_t hex_value(char digit) {
  return static_cast<std::uint8_t>(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}

// Parses 64 hexadecimal digits.
Digest digest_of_text(std::string_view text) {
  Digest digest;
  for (std::size_t i = 0; i < digest.size(); ++i) {
    digest[i] = static_cast<std::uint8_t>(hex_value(text[2 * i]) << 4 | hex_value(text[2 * i + 1]));
  }
  return digest;
}

// Tables without a name have the same keys as in older versions, which had no names.
Digest key_digest(
    const LedgerTerms& terms, Json plan, Json version, Json loss, const std::string& table) {
  Json key;
  key.set("dataset", terms.dataset).set("ledger", terms.id).set("loss", std::move(loss));
  key.set("plan", std::move(plan)).set("version", std::move(version));
  if (!table.empty()) key.set("table", table);
  return sha256("psilence-release-1\n" + to_text(key));
}

bool is_charge(const std::string& kind) {
  return kind == "charge" || kind == "allocate" || kind == "restore";
}

}  // namespace

LedgerHead LedgerHead::parse(const std::string& text) {
  const std::size_t colon = text.find(':');
  const auto seq = parse_number<std::uint64_t>(text.substr(0, colon));
  const std::string hash = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (!seq || *seq > kMostWhole || !is_hexadecimal(hash, 64)) {
    refuse_record("`head` must be a number, a colon and 64 hexadecimal digits.");
  }
  return {*seq, digest_of_text(hash)};
}

LedgerRecord LedgerState::next(const char* kind, std::int64_t time) const {
  const std::string prev = heads_.empty() ? std::string(64, '0') : hexadecimal(heads_.back());
  return LedgerRecord(heads_.size(), kind, prev, time);
}

void LedgerState::apply(std::string_view line) {
  const LedgerRecord record = LedgerRecord::parse(line);
  if (!is_open()) check_open(record);
  check_chain(record, line);
  check(record);
  accept(record, line);
}

std::string LedgerState::line_of(const LedgerRecord& record) const {
  LedgerRecord sealed = record;
  if (signs(record)) {
    check_that(key_ && key_->sign,
               "this ledger was opened with its public key, to be read: open it with `key`.");
    sealed.set("signature", key_->sign(signed_text(to_text(record.json()))));
  }
  sealed.set("hash", chain_hash(secret(signs(record)), to_text(sealed.json())));
  std::string line = to_text(sealed.json());
  const LedgerRecord read = LedgerRecord::parse(line);
  if (!is_open()) check_open(read);
  check_chain(read, line);
  check(read);
  return line;
}

// The first record says whether checking it needs a key.
void LedgerState::check_open(const LedgerRecord& record) const {
  check_that(record.kind() == "open", "the first record must open the ledger.");
  const LedgerUnit unit = parse_unit(*record.field("unit"));
  const std::string& fingerprint = record.text("key");
  const bool is_signed = signs(record);
  check_that(is_signed ? std::holds_alternative<PrivacyUnit>(unit) && !fingerprint.empty()
                       : record.text("format") == format_of(unit),
             "another format, of another version.");
  check_that(!fingerprint.empty() || !key_, "this ledger has no key, but one was given.");
  check_that(fingerprint.empty() || key_,
             is_signed ? "this ledger has a key: give it as `key`, or its public half as `pubkey`."
                       : "this ledger has a key: give it as `key`.");
  check_that(fingerprint.empty() || key_->fingerprint == fingerprint,
             "`key` is not the key of this ledger.");
  check_that(is_signed || fingerprint.empty() || key_->secret,
             "a public key cannot check this ledger, which an older version wrote: the curator "
             "opens it with `key`.");
}

// Whether the next record must be signed.
bool LedgerState::signs(const LedgerRecord& record) const {
  if (is_open()) return is_signed_;
  const Json* format = record.field("format");
  const auto* text = format == nullptr ? nullptr : format->as<std::string>();
  return text != nullptr && *text == kFormatOfSignatures;
}

std::optional<ChainSecret> LedgerState::secret(bool is_signed) const {
  return is_signed || !key_ ? std::nullopt : key_->secret;
}

void LedgerState::check_signature() {
  if (!is_signed_ || checked_ == size()) return;
  const auto parts = split_signature(newest_line_);
  if (!parts || !key_->has_signed(parts->text, parts->signature)) {
    refuse_record("record " + std::to_string(size() - 1) +
                  " was not signed with the curator's key");
  }
  checked_ = size();
}

void LedgerState::check_chain(const LedgerRecord& record, std::string_view line) const {
  check_that(record.seq() == heads_.size(), "the number of the record is not the next one.");
  const std::string prev = heads_.empty() ? std::string(64, '0') : hexadecimal(heads_.back());
  check_that(record.text("prev") == prev, "it does not follow the record before it.");
  const bool is_signed = signs(record);
  const bool has_signature = record.field("signature") != nullptr;
  check_that(has_signature == (is_signed || record.kind() == "raise"),
             "a signature is missing, or in a ledger whose records are not signed.");
  check_that(has_own_hash(line, record.text("hash"), is_signed),
             "its hash is not that of its content.");
}

bool LedgerState::has_own_hash(std::string_view line,
                               const std::string& hash,
                               bool is_signed) const {
  const auto parts = split_line(line);
  return parts && parts->hash == hash && chain_hash(secret(is_signed), parts->body) == hash;
}

bool LedgerState::is_record(std::uint64_t seq, std::string_view line) const {
  return has_own_hash(line, hexadecimal(heads_[seq]), is_signed_);
}

void LedgerState::check(const LedgerRecord& record) const {
  const std::string& kind = record.kind();
  check_move(record);
  if (kind == "open") {
    check_that(!is_open(), "it opens the ledger a second time.");
    const LedgerMeasure measure(parse_measure(record.text("measure")));
    check_that(measure.name() == record.text("measure"), "a measure in another spelling.");
    measure.parse(record.field("total"));
  } else if (kind == "version") {
    const std::string& label = record.text("label");
    check_that(!label.empty() && !has_version(label), "a version that is empty, or not new.");
    check_that(record.field("promise") == nullptr || !record.text("promise").empty(),
               "a promise without words.");
  } else if (kind == "charge") {
    check_charge(record);
  } else if (kind == "rerun" || kind == "mark" || kind == "fail") {
    check_claim(record);
  } else if (kind == "release") {
    check_release(record);
  } else if (kind == "allocate") {
    check_allocate(record);
  } else if (kind == "return") {
    check_return(record);
  } else if (kind == "raise") {
    check_raise(record);
  } else if (kind == "restore") {
    check_restore(record);
  }
}

TotalLoss LedgerState::loss_in(const LedgerRecord& record, const char* field) const {
  return terms_->measure.parse(record.field(field));
}

bool LedgerState::is_own_return(const LedgerRecord& record) const {
  return record.text("child") == terms_->id;
}

void LedgerState::check_spending(const LedgerRecord& record) const {
  const TotalLoss spent = loss_in(record, "spent");
  check_that(spent == spent_ + loss_in(record, "loss"), "`spent` is not the sum of all charges.");
  check_that(spent.is_within(total_), "more was spent than the total.");
}

void LedgerState::check_charge(const LedgerRecord& record) const {
  check_that(has_version(record.text("version")), "a charge of an unknown version.");
  if (record.field("promise") != nullptr) {
    check_that(std::holds_alternative<PrivacyUnit>(terms_->unit),
               "a promise in a ledger that has no unit, but words.");
    check_that(!record.text("promise").empty(), "a promise without words.");
  }
  check_that(record.field("table") == nullptr || !record.text("table").empty(),
             "a table whose name is empty.");
  if (record.field("claim") != nullptr) {
    check_that(claims_.can_charge(digest_of_text(record.text("claim"))),
               "a claim that was charged before.");
  }
  check_spending(record);
}

void LedgerState::check_claim(const LedgerRecord& record) const {
  const std::uint64_t charge = record.number("charge");
  if (record.kind() == "rerun") {
    check_that(claims_.can_rerun(charge, record.number("run")),
               "a run of a charge that cannot run again, or with another number.");
  } else if (record.kind() == "mark") {
    check_that(claims_.can_mark(charge, record.number("run")),
               "noise for a charge that another process runs, or that has noise already.");
  } else {
    check_that(claims_.can_fail(charge, record.number("run")),
               "a failure of a charge that has ended, or that another process runs.");
  }
}

void LedgerState::check_release(const LedgerRecord& record) const {
  const std::uint64_t charge = record.number("charge");
  check_that(unreleased_.count(charge) != 0 || claims_.can_release(charge),
             "a release that was not charged, or is there already.");
}

void LedgerState::check_allocate(const LedgerRecord& record) const {
  check_that(children_.count(record.text("child")) == 0 && !is_own_return(record),
             "an allocation that was made before.");
  check_spending(record);
}

void LedgerState::check_return(const LedgerRecord& record) const {
  if (is_own_return(record)) return check_spending(record);
  const auto child = children_.find(record.text("child"));
  check_that(child != children_.end() && !child->second.has_returned,
             "what it returns was not allocated, or was returned.");
  const TotalLoss loss = loss_in(record, "loss");
  check_that(loss.is_within(child->second.allocated), "it returns more than was allocated.");
  check_that(loss_in(record, "spent") == spent_.minus(loss),
             "`spent` is not what is left of it after the return.");
  LedgerHead::parse(record.text("head"));
}

void LedgerState::check_raise(const LedgerRecord& record) const {
  check_that(is_keyed(), "a total is raised in a ledger without a key.");
  check_that(total_.is_within(loss_in(record, "total")), "the total is not raised, but lowered.");
  check_that(is_signed_ || key_->has_signed(raise_text(record), record.text("signature")),
             "a total that was not raised with the curator's signature.");
}

// A crash may leave an unfinished line behind the record that closed the ledger.
void LedgerState::check_move(const LedgerRecord& record) const {
  const std::string& kind = record.kind();
  if (kind == "arrive" || kind == "leave") {
    check_that(moved_to_ && *moved_to_ == record.text("at") && !has_left_,
               "it arrives where it was not moved to, or a second time.");
  } else if (moved_to_ && kind != "repair") {
    refuse_record("this ledger goes on in " + description_of(*moved_to_) +
                  ": open it there. Nothing was spent.");
  }
}

void LedgerState::check_restore(const LedgerRecord& record) const {
  const std::string& head = record.text("head");
  check_that(head.empty() || !has(LedgerHead::parse(head)),
             "the ledger holds the record of `head`, so nothing is lost.");
  check_spending(record);
}

std::string LedgerState::raise_text(const LedgerRecord& record) const {
  Json text;
  text.set("format", "psilence-raise-1").set("ledger", terms_->id);
  text.set("prev", record.text("prev")).set("seq", record.seq());
  text.set("total", *record.field("total"));
  return to_text(text);
}

void LedgerState::accept(const LedgerRecord& record, std::string_view line) {
  heads_.push_back(digest_of_text(split_line(line)->hash));
  try {
    remember(record);
  } catch (...) {
    heads_.pop_back();
    throw;
  }
  if (is_signed_) newest_line_ = line;
}

void LedgerState::open(const LedgerRecord& record) {
  const LedgerMeasure measure(parse_measure(record.text("measure")));
  total_ = measure.parse(record.field("total"));
  is_signed_ = signs(record);
  terms_ = LedgerTerms{
      record.text("id"), record.text("dataset"), parse_unit(*record.field("unit")), measure};
}

// Do everything that can throw before the state changes.
void LedgerState::remember(const LedgerRecord& record) {
  const std::string& kind = record.kind();
  if (kind == "open") {
    open(record);
  } else if (kind == "version") {
    versions_.push_back(record.text("label"));
    if (record.field("promise") != nullptr) promise_of_versions_ = record.text("promise");
  } else if (kind == "charge") {
    const std::string table = record.field("table") == nullptr ? "" : record.text("table");
    const Digest key = key_digest(
        *terms_, record.text("plan"), record.text("version"), *record.field("loss"), table);
    if (record.field("claim") == nullptr) {
      unreleased_[record.seq()] = key;
    } else {
      claims_.charge(record.seq(), key, digest_of_text(record.text("claim")));
    }
  } else if (kind == "rerun") {
    claims_.rerun(record.number("charge"));
  } else if (kind == "mark") {
    claims_.mark(record.number("charge"));
  } else if (kind == "fail") {
    claims_.fail(record.number("charge"));
  } else if (kind == "release") {
    remember_release(record.number("charge"), record.text("release"));
  } else if (kind == "allocate") {
    children_[record.text("child")].allocated = loss_in(record, "loss");
  } else if (kind == "raise") {
    total_ = loss_in(record, "total");
  } else if (kind == "move") {
    moved_to_ = record.text("to");
  } else if (kind == "arrive") {
    moved_to_.reset();
  } else if (kind == "leave") {
    has_left_ = true;
  } else if (kind == "restore") {
    lost_ = lost_ + loss_in(record, "loss");
    lost_heads_.insert(record.text("head"));
  } else if (kind == "return" && !is_own_return(record)) {
    children_.at(record.text("child")).has_returned = true;
  }
  if (is_charge(kind) || kind == "return") spent_ = loss_in(record, "spent");
}

void LedgerState::remember_release(std::uint64_t charge, const std::string& hash) {
  if (const Claims::State* claimed = claims_.find(charge)) {
    stored_[claimed->key] = {charge, hash};
    claims_.release(charge, digest_of_text(hash));
  } else {
    const auto found = unreleased_.find(charge);
    stored_[found->second] = {charge, hash};
    unreleased_.erase(found);
  }
}

bool LedgerState::has(const LedgerHead& head) const {
  return head.seq < heads_.size() && heads_[head.seq] == head.hash;
}

bool LedgerState::has_version(const std::string& version) const {
  return std::find(versions_.begin(), versions_.end(), version) != versions_.end();
}

bool LedgerState::needs_promise_of_versions() const {
  const auto* unit = std::get_if<PrivacyUnit>(&terms_->unit);
  return unit != nullptr && unit->what == PrivacyUnit::What::rows &&
         unit->relation == PrivacyUnit::Relation::add_remove && promise_of_versions_.empty();
}

Digest LedgerState::release_key(const std::string& plan,
                                const std::string& version,
                                const TotalLoss& loss,
                                const std::string& table) const {
  return key_digest(*terms_, plan, version, terms_->measure.json(loss), table);
}

Digest LedgerState::claim_digest(const std::string& key) const {
  return sha256("psilence-claim-1\n" + terms_->id + "\n" + key);
}

std::string LedgerState::release_name(std::uint64_t charge, const Digest& key) const {
  const std::string suffix = claims_.find(charge) == nullptr ? "" : "-" + std::to_string(charge);
  return "releases/" + hexadecimal(key) + suffix + ".json";
}

const TotalLoss* LedgerState::allocated(const std::string& child) const {
  const auto found = children_.find(child);
  const bool is_out = found != children_.end() && !found->second.has_returned;
  return is_out ? &found->second.allocated : nullptr;
}

const StoredRelease* LedgerState::stored(const Digest& key) const {
  const auto found = stored_.find(key);
  return found == stored_.end() ? nullptr : &found->second;
}

}  // namespace dp
