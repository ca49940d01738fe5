// Binds budget ledgers and canonical JSON.
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "boundary.h"
#include "core/durable_file.h"
#include "core/error.h"
#include "core/ledger/ledger.h"
#include "core/measures/measure.h"
#include "core/runtime/before_noise.h"
#include "r_json.h"
#include "r_ledger.h"
#include "r_ledger_history.h"
#include "r_ledger_store.h"
#include "r_scalars.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

namespace {

Ledger& ledger_from_r(SEXP handle) { return from_handle<Ledger>(handle); }

// Reads a list with the members of ledger_unit.h.
PrivacyUnit unit_from_r(SEXP parts) {
  const LedgerUnit unit = parse_unit(json_from_r(parts));
  const auto* it = std::get_if<PrivacyUnit>(&unit);
  if (it == nullptr) throw Error(ErrorKind::failed_cast, "expected the parts of a unit.");
  return *it;
}

// Parses a head from text; none for NULL.
std::optional<LedgerHead> head_from_r(SEXP head) {
  if (Rf_isNull(head)) return std::nullopt;
  return LedgerHead::parse(string_from_r(head, "`head`"));
}

const char* word_for(Ledger::Claimed::What what) {
  switch (what) {
    case Ledger::Claimed::What::run:
      return "run";
    case Ledger::Claimed::What::stored:
      return "stored";
    case Ledger::Claimed::What::running:
      return "running";
    case Ledger::Claimed::What::failed:
      return "failed";
    default:
      return "other";
  }
}

}  // namespace

// `store` is as in ledger_store_from_r(); `terms` has dataset, unit, version and package.
// [[Rcpp::export(rng = false)]]
SEXP core_ledger_create(
    SEXP store, Rcpp::List terms, std::string measure, double inner, double delta, SEXP key) {
  return guarded([&] {
    const auto term = [&](const char* name) { return Rcpp::as<std::string>(terms[name]); };
    const LedgerMeasure kind(parse_measure(measure));
    return to_handle<Ledger>(std::make_shared<Ledger>(Ledger::create(ledger_store_from_r(store),
                                                                     {term("dataset"),
                                                                      unit_from_r(terms["unit"]),
                                                                      kind,
                                                                      kind.total(inner, delta),
                                                                      term("version"),
                                                                      term("package"),
                                                                      term("promise")},
                                                                     key_from_r(key))));
  });
}

// `head` is text, or NULL.
// [[Rcpp::export(rng = false)]]
SEXP core_ledger_open(SEXP store, SEXP key, SEXP head) {
  return guarded([&] {
    const auto given = key_from_r(key);
    const auto place = ledger_store_from_r(store, given && given->only_reads());
    return to_handle<Ledger>(
        std::make_shared<Ledger>(Ledger::open(place, given, head_from_r(head))));
  });
}

// Summarises all records, up to the latest one.
// [[Rcpp::export(rng = false)]]
SEXP core_ledger_state(SEXP ledger) {
  return guarded([&] {
    const LedgerState& state = ledger_from_r(ledger).state();
    const LedgerMeasure& measure = state.terms().measure;
    return Rcpp::List::create(Rcpp::_["id"] = state.terms().id,
                              Rcpp::_["dataset"] = state.terms().dataset,
                              Rcpp::_["unit"] = json_to_r(json_of(state.terms().unit)),
                              Rcpp::_["measure"] = measure.name(),
                              Rcpp::_["total"] = left_to_r(measure, state.total()),
                              Rcpp::_["spent"] = spent_to_r(measure, state.spent()),
                              Rcpp::_["lost"] = spent_to_r(measure, state.lost()),
                              Rcpp::_["left"] = left_to_r(measure, state.left()),
                              Rcpp::_["versions"] = state.versions(),
                              Rcpp::_["promise"] = state.promise_of_versions(),
                              Rcpp::_["head"] = state.head().text(),
                              Rcpp::_["records"] = static_cast<double>(state.size()),
                              Rcpp::_["has_left"] = state.has_left(),
                              Rcpp::_["has_key"] = state.is_keyed(),
                              Rcpp::_["is_signed"] = state.is_signed(),
                              Rcpp::_["moved_to"] = state.moved_to() == nullptr
                                                        ? R_NilValue
                                                        : Rcpp::wrap(*state.moved_to()));
  });
}

// Returns a number, or NULL.
// [[Rcpp::export(rng = false)]]
SEXP core_distance_of_neighbours(SEXP owed, SEXP released) {
  return guarded([&]() -> SEXP {
    const auto distance = distance_of_neighbours(unit_from_r(owed), unit_from_r(released));
    return distance ? Rf_ScalarReal(static_cast<double>(*distance)) : R_NilValue;
  });
}

// Whether the ledger holds the record of `head`, unchanged.
// [[Rcpp::export(rng = false)]]
SEXP core_ledger_has(SEXP ledger, std::string head) {
  return guarded(
      [&] { return Rf_ScalarLogical(ledger_from_r(ledger).state().has(LedgerHead::parse(head))); });
}

// Returns list(head, seq, time) once the charge is on stable storage. If `version` is NULL, the
// newest version is charged; empty `promise` and `table` mean none. `what` is as in
// core_description().
// [[Rcpp::export(rng = false)]]
SEXP core_ledger_charge(SEXP ledger,
                        std::string plan,
                        SEXP loss,
                        SEXP version,
                        std::string who,
                        std::string package,
                        std::string promise,
                        std::string what,
                        std::string table) {
  return guarded([&] {
    Ledger& it = ledger_from_r(ledger);
    const TotalLoss lost = loss_from_r(it.terms().measure, loss);
    std::optional<std::string> named;
    if (!Rf_isNull(version)) named = string_from_r(version, "`version`");
    const Ledger::Paid paid = it.charge({plan, lost, named, who, package, promise, what, table});
    Rcpp::List out = head_to_r(paid.head);
    out["time"] = paid.time;
    return out;
  });
}

// Makes a charge, or finds an earlier one: list(what, seq, hash, file, run, head, time). `what` is
// one of Ledger::Claimed::What, `file` the name of the release, `hash` the hash of the stored
// release. `run` is present for a call that runs: core_ledger_end_run() ends it. `key` names the
// call.
// [[Rcpp::export(rng = false)]]
SEXP core_ledger_claim(SEXP ledger,
                       std::string plan,
                       SEXP loss,
                       std::string version,
                       std::string who,
                       std::string package,
                       std::string promise,
                       std::string what,
                       std::string table,
                       std::string key,
                       bool reuse) {
  return guarded([&] {
    Ledger& it = ledger_from_r(ledger);
    const TotalLoss lost = loss_from_r(it.terms().measure, loss);
    const Ledger::Claimed claimed =
        it.claim({{plan, lost, version, who, package, promise, what, table}, key, reuse});
    const auto record = it.record(claimed.charge);
    const Digest release = it.known().release_key(plan, version, lost, table);
    return Rcpp::List::create(
        Rcpp::_["what"] = word_for(claimed.what),
        Rcpp::_["seq"] = static_cast<double>(claimed.charge),
        Rcpp::_["hash"] = claimed.hash,
        Rcpp::_["file"] = it.known().release_name(claimed.charge, release),
        Rcpp::_["run"] = claimed.run ? to_handle<LedgerRun>(claimed.run) : R_NilValue,
        Rcpp::_["head"] = std::to_string(claimed.charge) + ":" + record->text("hash"),
        Rcpp::_["time"] = record->text("time"));
  });
}

// Waits up to `milliseconds`, and returns whether no other process still runs the charge.
// [[Rcpp::export(rng = false)]]
SEXP core_ledger_wait(SEXP ledger, SEXP seq, int milliseconds) {
  return guarded([&] {
    const std::uint64_t charge = size_from_r(seq, "the number of a record");
    return Rf_ScalarLogical(ledger_from_r(ledger).wait_for_run(charge, milliseconds));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_ledger_mark(SEXP ledger, SEXP run) {
  return guarded(
      [&] { return head_to_r(ledger_from_r(ledger).mark(from_handle<LedgerRun>(run))); });
}

// [[Rcpp::export(rng = false)]]
SEXP core_ledger_fail(SEXP ledger, SEXP run) {
  return guarded(
      [&] { return head_to_r(ledger_from_r(ledger).fail(from_handle<LedgerRun>(run))); });
}

// Not left to the garbage collector, because other processes wait for the end.
// [[Rcpp::export(rng = false)]]
SEXP core_ledger_end_run(SEXP run) {
  return guarded([&] {
    from_handle<LedgerRun>(run);
    delete static_cast<HandleOwner<LedgerRun>::type*>(R_ExternalPtrAddr(run));
    R_ClearExternalPtr(run);
    return R_NilValue;
  });
}

// Registers a function to call before noise is drawn, for measurements that read data first; NULL
// for none.
// [[Rcpp::export(rng = false)]]
SEXP core_before_noise(SEXP act) {
  return guarded([&] {
    std::function<void()> call;
    if (!Rf_isNull(act)) call = [act = Rcpp::Function(act)] { act(); };
    set_before_noise(std::move(call));
    return R_NilValue;
  });
}

// Returns the cost of a charge on this ledger, as text, and whether the budget has room now. If a
// release of this charge was recorded, also its charge, its hash, and the file that holds it.
// [[Rcpp::export(rng = false)]]
SEXP core_ledger_price(
    SEXP ledger, std::string plan, SEXP loss, std::string version, std::string table) {
  return guarded([&] {
    const LedgerState& state = ledger_from_r(ledger).state();
    const TotalLoss lost = loss_from_r(state.terms().measure, loss);
    const Digest key = state.release_key(plan, version, lost, table);
    const StoredRelease* stored = state.stored(key);
    Rcpp::List out = Rcpp::List::create(Rcpp::_["loss"] = loss_text(state.terms().measure, lost),
                                        Rcpp::_["fits"] = lost.is_within(state.left()));
    if (stored != nullptr) {
      out["charge"] = static_cast<double>(stored->charge);
      out["hash"] = stored->hash;
      out["file"] = state.release_name(stored->charge, key);
    }
    return out;
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_ledger_record_release(SEXP ledger, SEXP seq, std::string hash) {
  return guarded([&] {
    const std::uint64_t charge = size_from_r(seq, "the number of a record");
    return head_to_r(ledger_from_r(ledger).record_release(charge, hash));
  });
}

// Lists files and hashes of the newest release for each plan, version and loss.
// [[Rcpp::export(rng = false)]]
SEXP core_ledger_releases(SEXP ledger) {
  return guarded([&] {
    std::vector<std::string> files;
    std::vector<std::string> hashes;
    const LedgerState& state = ledger_from_r(ledger).state();
    for (const auto& release : state.releases()) {
      files.push_back(state.release_name(release.second.charge, release.first));
      hashes.push_back(release.second.hash);
    }
    return Rcpp::List::create(Rcpp::_["file"] = files, Rcpp::_["hash"] = hashes);
  });
}

// `promise` empty is none.
// [[Rcpp::export(rng = false)]]
SEXP core_ledger_add_version(SEXP ledger, std::string version, std::string promise) {
  return guarded([&] { return head_to_r(ledger_from_r(ledger).add_version(version, promise)); });
}

// Creates a ledger that can spend this much of the budget of `ledger`.
// [[Rcpp::export(rng = false)]]
SEXP core_ledger_allocate(
    SEXP ledger, SEXP store, double inner, double delta, std::string package, SEXP key) {
  return guarded([&] {
    Ledger& it = ledger_from_r(ledger);
    const TotalLoss loss = it.terms().measure.total(inner, delta);
    return to_handle<Ledger>(std::make_shared<Ledger>(
        it.allocate(ledger_store_from_r(store), loss, package, key_from_r(key))));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_ledger_take_back(SEXP ledger, SEXP child) {
  return guarded([&] { return head_to_r(ledger_from_r(ledger).take_back(ledger_from_r(child))); });
}

// `sign` signs a text.
// [[Rcpp::export(rng = false)]]
SEXP core_ledger_raise(SEXP ledger, double inner, double delta, Rcpp::Function sign) {
  return guarded([&] {
    Ledger& it = ledger_from_r(ledger);
    const TotalLoss total = it.terms().measure.total(inner, delta);
    return head_to_r(it.raise(
        total, [&](const std::string& text) { return Rcpp::as<std::string>(sign(text)); }));
  });
}

// Fails unless each record of a signed ledger has a valid signature of its key.
// [[Rcpp::export(rng = false)]]
SEXP core_ledger_check_signatures(SEXP ledger) {
  return guarded([&] {
    ledger_from_r(ledger).check_signatures();
    return R_NilValue;
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_ledger_history(SEXP ledger) {
  return guarded([&] {
    Ledger& it = ledger_from_r(ledger);
    LedgerHistory history(it.terms());
    it.read([&](const LedgerRecord& record) { history.add(record); });
    return history.to_r();
  });
}

// Describes a release publicly, in the form that records have.
// [[Rcpp::export(rng = false)]]
SEXP core_description(std::string what) {
  return guarded([&] { return Rcpp::wrap(Rcpp::String(description_of(what), CE_UTF8)); });
}

// Sums exact decimals given as text, rounding up; a leading minus is allowed.
// [[Rcpp::export(rng = false)]]
SEXP core_sum_amounts(std::vector<std::string> amounts) {
  return guarded([&] { return Rf_ScalarReal(sum_up(amounts)); });
}

// See Amount::shortest().
// [[Rcpp::export(rng = false)]]
SEXP core_shortest_amount(std::string amount) {
  return guarded([&] {
    const auto it = Amount::parse(amount);
    if (!it) throw Error(ErrorKind::ledger, "a loss must be a decimal in its shortest spelling.");
    return Rcpp::wrap(it->shortest());
  });
}

// Whether `loss`, as text, covers the joint loss of `measurements` at `d_in`, in `measure`.
// [[Rcpp::export(rng = false)]]
SEXP core_loss_covers(std::string measure, SEXP loss, Rcpp::List measurements, SEXP d_in) {
  return guarded([&] {
    const LedgerMeasure kind(parse_measure(measure));
    const Json claimed = json_from_r(loss);
    TotalLoss all;
    for (const SEXP measurement : measurements) {
      all = all + loss_of_measurement(kind, measurement, d_in);
    }
    return Rf_ScalarLogical(all.is_within(kind.parse(&claimed)));
  });
}

// Moves the ledger to a new store, named by `place`, and returns it.
// [[Rcpp::export(rng = false)]]
SEXP core_ledger_move(SEXP ledger, SEXP store, std::string place) {
  return guarded([&] {
    return to_handle<Ledger>(
        std::make_shared<Ledger>(ledger_from_r(ledger).move(ledger_store_from_r(store), place)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_ledger_leave(SEXP ledger) {
  return guarded([&] { return head_to_r(ledger_from_r(ledger).leave()); });
}

// `head` is text, or NULL.
// [[Rcpp::export(rng = false)]]
SEXP core_ledger_restore(SEXP ledger, SEXP head, double inner, double delta) {
  return guarded([&] {
    Ledger& it = ledger_from_r(ledger);
    return head_to_r(it.restore(head_from_r(head), it.terms().measure.total(inner, delta)));
  });
}

// Returns the record of that number as a list; NULL if there is none.
// [[Rcpp::export(rng = false)]]
SEXP core_ledger_record(SEXP ledger, SEXP seq) {
  return guarded([&]() -> SEXP {
    const auto found = ledger_from_r(ledger).record(size_from_r(seq, "the number of a record"));
    return found ? json_to_r(found->json()) : R_NilValue;
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_to_canonical_json(SEXP object) {
  return guarded([&] { return Rcpp::wrap(to_text(json_from_r(object))); });
}

// [[Rcpp::export(rng = false)]]
SEXP core_parse_canonical_json(std::string text) {
  return guarded([&]() -> SEXP {
    constexpr std::size_t kMostReceiptBytes = std::size_t{1} << 28;
    return json_to_r(parse_json(text, kMostReceiptBytes));
  });
}

// Hashes a string or raw bytes; returns 64 hexadecimal digits.
// [[Rcpp::export(rng = false)]]
SEXP core_sha256(SEXP bytes) {
  return guarded([&] {
    if (TYPEOF(bytes) == RAWSXP) {
      const auto size = static_cast<std::size_t>(Rf_xlength(bytes));
      return Rcpp::wrap(hexadecimal(sha256({reinterpret_cast<const char*>(RAW(bytes)), size})));
    }
    return Rcpp::wrap(hexadecimal(sha256(string_from_r(bytes, "the text"))));
  });
}

// Replaces or creates a file, which is on stable storage when this returns.
// [[Rcpp::export(rng = false)]]
SEXP core_replace_file(std::string path, std::string text) {
  return guarded([&] {
    replace_durably(path, text);
    return R_NilValue;
  });
}
