#include "core/ledger/ledger.h"

#include <ctime>
#include <utility>

#include "core/error.h"
#include "core/ledger/transaction.h"
#include "core/random/bit_source.h"

namespace dp {
namespace {

// 128 random bits.
std::string new_ledger_id() {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string id;
  for (int i = 0; i < 2; ++i) {
    const std::uint64_t word = secure_bits().word();
    for (int shift = 60; shift >= 0; shift -= 4) id += kDigits[word >> shift & 15];
  }
  return id;
}

void write_line(std::string& lines, LedgerState& state, const LedgerRecord& record) {
  const std::string line = state.line_of(record);
  state.apply(line);
  lines += line + "\n";
}

LedgerRecord version_record(LedgerRecord record,
                            const std::string& label,
                            const std::string& promise) {
  record.set("label", label);
  if (!promise.empty()) record.set("promise", promise);
  return record;
}

}  // namespace

Ledger::Ledger(Store store, std::optional<LedgerKey> key)
    : store_(std::move(store)), key_(std::move(key)), state_(key_) {}

Ledger Ledger::create(const Store& store, const Terms& terms, const std::optional<LedgerKey>& key) {
  return create_as(new_ledger_id(), store, terms, key);
}

Ledger Ledger::create_as(const std::string& id,
                         const Store& store,
                         const Terms& terms,
                         const std::optional<LedgerKey>& key) {
  const std::int64_t now = std::time(nullptr);
  LedgerState state(key);
  LedgerRecord opening = state.next("open", now);
  const bool is_signed = key && key->sign;
  opening.set("format", is_signed ? kFormatOfSignatures : format_of(terms.unit));
  opening.set("id", id).set("dataset", terms.dataset);
  opening.set("unit", json_of(terms.unit)).set("measure", terms.measure.name());
  opening.set("total", terms.measure.json(terms.total)).set("package", terms.package);
  opening.set("key", key ? key->fingerprint : "");
  std::string lines;
  write_line(lines, state, opening);
  write_line(
      lines, state, version_record(state.next("version", now), terms.version, terms.promise));
  store->create(lines);
  return open(store, key, state.head());
}

Ledger Ledger::open(const Store& store,
                    const std::optional<LedgerKey>& key,
                    const std::optional<LedgerHead>& head) {
  Ledger ledger(store, key);
  const LedgerState& state = ledger.state();
  if (head && state.has_lost(*head)) return ledger;
  if (head && head->seq >= state.size()) {
    throw Error(
        ErrorKind::ledger,
        "The ledger ends at record " + std::to_string(state.size() - 1) +
            ", but `head` is of record " + std::to_string(head->seq) +
            ": this is an older copy. Restore the newer file, or see dp_ledger_restore(). Nothing "
            "was spent.");
  }
  if (head && !state.has(*head)) {
    throw Error(ErrorKind::ledger,
                "Record " + std::to_string(head->seq) +
                    " of the ledger is not that of `head`: this is another ledger, or a changed "
                    "one. Nothing was spent.");
  }
  return ledger;
}

const LedgerState& Ledger::state() {
  const Transaction transaction(*this);
  return state_;
}

void Ledger::check_budget(const TotalLoss& loss) const {
  if ((state_.spent() + loss).is_within(state_.total())) return;
  const LedgerMeasure& measure = state_.terms().measure;
  throw Error(ErrorKind::budget,
              "This release costs " + measure.words_up(loss) + "; " +
                  measure.words_down(state_.left()) + " is left of " +
                  measure.words_down(state_.total()) +
                  ". Nothing was spent, no data were read. Sums are exact: what is left can be "
                  "spent in full as dp_remaining() gives it.");
}

std::string Ledger::known_version(const Charge& charge) const {
  const std::string version = charge.version.value_or(state_.versions().back());
  if (!state_.has_version(version)) {
    throw Error(ErrorKind::ledger,
                "`version` is not in this ledger. The curator adds it with dp_new_version(); the "
                "budget stays the same. Nothing was spent.");
  }
  return version;
}

LedgerRecord Ledger::charge_record(const Transaction& transaction, const Charge& charge) const {
  const std::string version = known_version(charge);
  check_budget(charge.loss);
  const LedgerMeasure& measure = state_.terms().measure;
  LedgerRecord record = transaction.next("charge");
  record.set("plan", charge.plan).set("version", version).set("who", charge.who);
  record.set("package", charge.package).set("loss", measure.json(charge.loss));
  record.set("spent", measure.json(state_.spent() + charge.loss));
  if (!charge.promise.empty()) record.set("promise", charge.promise);
  if (!charge.what.empty()) record.set("what", charge.what);
  if (!charge.table.empty()) record.set("table", charge.table);
  return record;
}

Ledger::Paid Ledger::charge(const Charge& charge) {
  Transaction transaction(*this);
  const LedgerRecord record = charge_record(transaction, charge);
  return {transaction.append(record), record.text("time")};
}

LedgerHead Ledger::record_release(std::uint64_t seq, const std::string& hash) {
  Transaction transaction(*this);
  return transaction.append(transaction.next("release").set("charge", seq).set("release", hash));
}

LedgerHead Ledger::add_version(const std::string& version, const std::string& promise) {
  Transaction transaction(*this);
  if (state_.has_version(version)) {
    throw Error(ErrorKind::ledger, "this ledger has `version` already: give it a new name.");
  }
  if (promise.empty() && state_.needs_promise_of_versions()) {
    throw Error(ErrorKind::ledger,
                "This ledger protects rows, and rows do not say whose they are: a person can have "
                "other rows in another version. If a person has at most that many rows in all "
                "versions together, promise it with `ever = TRUE`.");
  }
  return transaction.append(version_record(transaction.next("version"), version, promise));
}

LedgerHead Ledger::raise(const TotalLoss& total,
                         const std::function<std::string(const std::string& text)>& sign) {
  Transaction transaction(*this);
  if (!state_.is_keyed()) {
    throw Error(ErrorKind::ledger, "the total of a ledger without a key cannot be raised.");
  }
  LedgerRecord record = transaction.next("raise");
  record.set("total", state_.terms().measure.json(total));
  if (!state_.is_signed()) record.set("signature", sign(state_.raise_text(record)));
  return transaction.append(record);
}

Ledger Ledger::allocate(const Store& store,
                        const TotalLoss& loss,
                        const std::string& package,
                        const std::optional<LedgerKey>& key) {
  const std::string id = new_ledger_id();
  store->check_vacant();
  Transaction transaction(*this);
  check_budget(loss);
  const LedgerTerms& terms = state_.terms();
  LedgerRecord record = transaction.next("allocate");
  record.set("child", id).set("loss", terms.measure.json(loss));
  record.set("spent", terms.measure.json(state_.spent() + loss));
  transaction.append(record);
  return create_as(id,
                   store,
                   {terms.dataset,
                    terms.unit,
                    terms.measure,
                    loss,
                    state_.versions().back(),
                    package,
                    state_.promise_of_versions()},
                   key);
}

LedgerHead Ledger::take_back(Ledger& child) {
  const std::string id = child.state().terms().id;
  if (state().allocated(id) == nullptr) {
    throw Error(ErrorKind::ledger, "the other ledger has nothing that was allocated here.");
  }
  TotalLoss used;
  LedgerHead head;
  {
    Transaction transaction(child);
    const LedgerState& state = child.state_;
    used = state.spent();
    LedgerRecord record = transaction.next("return");
    record.set("child", id).set("head", state.head().text());
    record.set("loss", state.terms().measure.json(state.left()));
    record.set("spent", state.terms().measure.json(state.total()));
    head = transaction.append(record);
  }
  Transaction transaction(*this);
  const TotalLoss* allocated = state_.allocated(id);
  const TotalLoss unused = allocated == nullptr ? TotalLoss() : allocated->minus(used);
  const LedgerMeasure& measure = state_.terms().measure;
  LedgerRecord record = transaction.next("return");
  record.set("child", id).set("head", head.text()).set("loss", measure.json(unused));
  record.set("spent", measure.json(state_.spent().minus(unused)));
  return transaction.append(record);
}

std::optional<LedgerRecord> Ledger::record(std::uint64_t seq) {
  const Transaction transaction(*this);
  if (seq >= state_.size()) return std::nullopt;
  return LedgerRecord::parse(transaction.line(seq));
}

void Ledger::check_signatures() {
  const Transaction transaction(*this);
  LedgerState state(key_);
  transaction.each_line([&](std::string_view line) {
    state.apply(line);
    state.check_signature();
  });
}

void Ledger::read(const std::function<void(const LedgerRecord& record)>& see) {
  const Transaction transaction(*this);
  LedgerState state(key_);
  transaction.each_line([&](std::string_view line) {
    state.apply(line);
    see(LedgerRecord::parse(line));
  });
}

}  // namespace dp
