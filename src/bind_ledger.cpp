// Ledgers of budgets, and canonical JSON.
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "boundary.h"
#include "core/durable_file.h"
#include "core/ledger/ledger.h"
#include "core/measurements/measurement.h"
#include "core/measures/measure.h"
#include "core/numeric/rational.h"
#include "r_ledger_store.h"
#include "r_scalars.h"
#include "r_values.h"

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

namespace {

// list(fingerprint, secret, has_signed = function(text, signature)), or NULL.
std::optional<LedgerKey> key_from_r(SEXP key) {
  if (Rf_isNull(key)) return std::nullopt;
  const Rcpp::List parts(key);
  const Rcpp::RawVector secret = parts["secret"];
  LedgerKey out;
  out.fingerprint = Rcpp::as<std::string>(parts["fingerprint"]);
  if (static_cast<std::size_t>(secret.size()) != out.secret.size()) {
    throw Error(ErrorKind::failed_cast, "the secret of a key must have 32 bytes.");
  }
  std::copy(secret.begin(), secret.end(), out.secret.begin());
  const Rcpp::Function has_signed = parts["has_signed"];
  out.has_signed = [has_signed](const std::string& text, const std::string& signature) {
    return Rcpp::as<bool>(has_signed(text, signature));
  };
  return out;
}

Ledger& ledger_from_r(SEXP handle) { return from_handle<Ledger>(handle); }

// c(epsilon = , delta = ), or with rho.
Rcpp::NumericVector numbers(const LedgerMeasure& measure, double inner, double delta) {
  return Rcpp::NumericVector::create(Rcpp::_[measure.unit()] = inner, Rcpp::_["delta"] = delta);
}

Rcpp::NumericVector spent_to_r(const LedgerMeasure& measure, const TotalLoss& loss) {
  return numbers(measure, loss.inner.up(), loss.delta.up());
}

Rcpp::NumericVector left_to_r(const LedgerMeasure& measure, const TotalLoss& loss) {
  return numbers(measure, loss.inner.down(), loss.delta.down());
}

Rcpp::List head_to_r(const LedgerHead& head) {
  return Rcpp::List::create(Rcpp::_["head"] = head.text(),
                            Rcpp::_["seq"] = static_cast<double>(head.seq));
}

// What `measurement` loses at `d_in`, by its map; exactly, as it does not pass through R.
TotalLoss loss_of_measurement(const LedgerMeasure& measure, SEXP measurement, SEXP d_in) {
  if (TYPEOF(measurement) != CLOSXP) {
    throw Error(ErrorKind::failed_cast, "expected a measurement.");
  }
  const auto& it = from_handle<Measurement>(Rcpp::Environment(CLOENV(measurement))["handle"]);
  return measure.loss(it.output_measure(), it.map(distance_from_r(d_in, it.input_metric())));
}

Rcpp::NumericVector pair_from_r(SEXP object) {
  if (TYPEOF(object) != REALSXP || Rf_xlength(object) != 2) {
    throw Error(ErrorKind::failed_cast, "a loss must be two numbers.");
  }
  return object;
}

// `loss` is list(measurement, d_in), or list(amount, asked), each c(inner, delta): what is lost,
// and the decimals within which it was built to stay.
TotalLoss loss_from_r(const LedgerMeasure& measure, SEXP loss) {
  if (TYPEOF(loss) != VECSXP || Rf_xlength(loss) != 2) {
    throw Error(ErrorKind::failed_cast, "a loss must be a list of two.");
  }
  const SEXP first = VECTOR_ELT(loss, 0);
  const SEXP second = VECTOR_ELT(loss, 1);
  if (TYPEOF(first) == CLOSXP) return loss_of_measurement(measure, first, second);
  const Rcpp::NumericVector amount = pair_from_r(first);
  const Rcpp::NumericVector asked = pair_from_r(second);
  const TotalLoss exact{Amount::at_least(exact_rational(amount[0])),
                        Amount::at_least(exact_rational(amount[1]))};
  return measure.within(exact, measure.total(asked[0], asked[1]));
}

Rcpp::List loss_text(const LedgerMeasure& measure, const TotalLoss& loss) {
  return Rcpp::List::create(Rcpp::_["delta"] = loss.delta.text(),
                            Rcpp::_[measure.unit()] = loss.inner.text());
}

// The columns of a history, as the records come.
class History {
 public:
  explicit History(const LedgerMeasure& measure) : measure_(measure) {}

  void add(const LedgerRecord& record) {
    seq_.push_back(static_cast<double>(record.seq()));
    time_.push_back(record.text("time"));
    kind_.push_back(record.kind());
    version_.push_back(text_or_none(record, record.kind() == "version" ? "label" : "version"));
    plan_.push_back(text_or_none(record, "plan"));
    who_.push_back(text_or_none(record, "who"));
    add_loss(record);
  }

  Rcpp::List to_r() const {
    return Rcpp::List::create(Rcpp::_["record"] = seq_,
                              Rcpp::_["time"] = time_,
                              Rcpp::_["what"] = kind_,
                              Rcpp::_["version"] = version_,
                              Rcpp::_[measure_.unit()] = inner_,
                              Rcpp::_["delta"] = delta_,
                              Rcpp::_["spent"] = spent_,
                              Rcpp::_["plan"] = plan_,
                              Rcpp::_["who"] = who_);
  }

 private:
  static std::string text_or_none(const LedgerRecord& record, const char* field) {
    return record.field(field) == nullptr ? "" : record.text(field);
  }

  void add_loss(const LedgerRecord& record) {
    const TotalLoss none;
    const bool has_loss = record.field("loss") != nullptr;
    const TotalLoss loss = has_loss ? measure_.parse(record.field("loss")) : none;
    inner_.push_back(has_loss ? loss.inner.up() : NA_REAL);
    delta_.push_back(has_loss ? loss.delta.up() : NA_REAL);
    if (record.field("spent") != nullptr) last_ = measure_.parse(record.field("spent"));
    spent_.push_back(last_.inner.up());
  }

  LedgerMeasure measure_;
  TotalLoss last_;
  std::vector<double> seq_, inner_, delta_, spent_;
  std::vector<std::string> time_, kind_, version_, plan_, who_;
};

Json json_from_r(SEXP object, std::size_t depth = 0);

Json object_from_r(const Rcpp::List& list, const Rcpp::CharacterVector& names, std::size_t depth) {
  Json out;
  for (R_xlen_t i = 0; i < list.size(); ++i) {
    out.set(std::string(Rf_translateCharUTF8(names[i])), json_from_r(list[i], depth));
  }
  return out;
}

// Strings, whole numbers, and lists of them: with names an object, without an array.
Json json_from_r(SEXP object, std::size_t depth) {
  if (depth > kMostDepth) throw Error(ErrorKind::ledger, "a record has too many levels.");
  if (TYPEOF(object) == STRSXP) return string_from_r(object, "a value");
  if (TYPEOF(object) != VECSXP) return size_from_r(object, "a value");
  const Rcpp::List list(object);
  const SEXP names = Rf_getAttrib(object, R_NamesSymbol);
  if (!Rf_isNull(names)) return object_from_r(list, names, depth + 1);
  Json::Array array;
  for (R_xlen_t i = 0; i < list.size(); ++i) array.push_back(json_from_r(list[i], depth + 1));
  return array;
}

SEXP json_to_r(const Json& json) {
  if (const auto* number = json.as<std::uint64_t>()) {
    return Rf_ScalarReal(static_cast<double>(*number));
  }
  if (const auto* text = json.as<std::string>()) {
    return Rf_ScalarString(Rf_mkCharLenCE(text->data(), static_cast<int>(text->size()), CE_UTF8));
  }
  if (const auto* array = json.as<Json::Array>()) {
    Rcpp::List out(array->size());
    for (std::size_t i = 0; i < array->size(); ++i) out[i] = json_to_r((*array)[i]);
    return out;
  }
  const auto& members = *json.as<Json::Object>();
  Rcpp::List out(members.size());
  Rcpp::CharacterVector names(members.size());
  for (std::size_t i = 0; i < members.size(); ++i) {
    out[i] = json_to_r(members[i].value);
    names[i] = Rf_mkCharCE(members[i].key.c_str(), CE_UTF8);
  }
  out.names() = names;
  return out;
}

}  // namespace

// `store` as ledger_store_from_r() wants it; `terms` has dataset, unit, version and package.
// [[Rcpp::export(rng = false)]]
SEXP core_ledger_create(
    SEXP store, Rcpp::List terms, std::string measure, double inner, double delta, SEXP key) {
  return guarded([&] {
    const auto term = [&](const char* name) { return Rcpp::as<std::string>(terms[name]); };
    const LedgerMeasure kind(parse_measure(measure));
    return to_handle<Ledger>(std::make_shared<Ledger>(Ledger::create(ledger_store_from_r(store),
                                                                     {term("dataset"),
                                                                      term("unit"),
                                                                      kind,
                                                                      kind.total(inner, delta),
                                                                      term("version"),
                                                                      term("package")},
                                                                     key_from_r(key))));
  });
}

// `head` is text, or NULL.
// [[Rcpp::export(rng = false)]]
SEXP core_ledger_open(SEXP store, SEXP key, SEXP head) {
  return guarded([&] {
    std::optional<LedgerHead> seen;
    if (!Rf_isNull(head)) seen = LedgerHead::parse(string_from_r(head, "`head`"));
    return to_handle<Ledger>(
        std::make_shared<Ledger>(Ledger::open(ledger_store_from_r(store), key_from_r(key), seen)));
  });
}

// What the records say together, up to the last one that there is now.
// [[Rcpp::export(rng = false)]]
SEXP core_ledger_state(SEXP ledger) {
  return guarded([&] {
    const LedgerState& state = ledger_from_r(ledger).state();
    const LedgerMeasure& measure = state.terms().measure;
    return Rcpp::List::create(Rcpp::_["id"] = state.terms().id,
                              Rcpp::_["dataset"] = state.terms().dataset,
                              Rcpp::_["unit"] = state.terms().unit,
                              Rcpp::_["measure"] = measure.name(),
                              Rcpp::_["total"] = left_to_r(measure, state.total()),
                              Rcpp::_["spent"] = spent_to_r(measure, state.spent()),
                              Rcpp::_["left"] = left_to_r(measure, state.left()),
                              Rcpp::_["versions"] = state.versions(),
                              Rcpp::_["head"] = state.head().text(),
                              Rcpp::_["records"] = static_cast<double>(state.size()),
                              Rcpp::_["has_key"] = state.is_keyed());
  });
}

// Whether the ledger holds the record of `head`, as it is there.
// [[Rcpp::export(rng = false)]]
SEXP core_ledger_has(SEXP ledger, std::string head) {
  return guarded(
      [&] { return Rf_ScalarLogical(ledger_from_r(ledger).state().has(LedgerHead::parse(head))); });
}

// list(head, seq, time), once the charge is on stable storage.
// [[Rcpp::export(rng = false)]]
SEXP core_ledger_charge(SEXP ledger,
                        std::string plan,
                        SEXP loss,
                        std::string version,
                        std::string who,
                        std::string package) {
  return guarded([&] {
    Ledger& it = ledger_from_r(ledger);
    const TotalLoss lost = loss_from_r(it.state().terms().measure, loss);
    const Ledger::Paid paid = it.charge({plan, lost, version, who, package});
    Rcpp::List out = head_to_r(paid.head);
    out["time"] = paid.time;
    return out;
  });
}

// What a charge would cost here, as text, and the key of its release, with its record and hash if
// there is one.
// [[Rcpp::export(rng = false)]]
SEXP core_ledger_price(SEXP ledger, std::string plan, SEXP loss, std::string version) {
  return guarded([&] {
    const LedgerState& state = ledger_from_r(ledger).state();
    const TotalLoss lost = loss_from_r(state.terms().measure, loss);
    const std::string key = state.release_key(plan, version, lost);
    const StoredRelease* stored = state.stored(key);
    Rcpp::List out = Rcpp::List::create(Rcpp::_["loss"] = loss_text(state.terms().measure, lost),
                                        Rcpp::_["key"] = key);
    if (stored != nullptr) {
      out["charge"] = static_cast<double>(stored->charge);
      out["hash"] = stored->hash;
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

// All that were recorded, by key.
// [[Rcpp::export(rng = false)]]
SEXP core_ledger_releases(SEXP ledger) {
  return guarded([&] {
    std::vector<std::string> keys;
    std::vector<std::string> hashes;
    for (const auto& release : ledger_from_r(ledger).state().releases()) {
      keys.push_back(hexadecimal(release.first));
      hashes.push_back(release.second.hash);
    }
    return Rcpp::List::create(Rcpp::_["key"] = keys, Rcpp::_["hash"] = hashes);
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_ledger_add_version(SEXP ledger, std::string version) {
  return guarded([&] { return head_to_r(ledger_from_r(ledger).add_version(version)); });
}

// A ledger that may spend so much of this one.
// [[Rcpp::export(rng = false)]]
SEXP core_ledger_allocate(
    SEXP ledger, SEXP store, double inner, double delta, std::string package, SEXP key) {
  return guarded([&] {
    Ledger& it = ledger_from_r(ledger);
    const TotalLoss loss = it.state().terms().measure.total(inner, delta);
    return to_handle<Ledger>(std::make_shared<Ledger>(
        it.allocate(ledger_store_from_r(store), loss, package, key_from_r(key))));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_ledger_take_back(SEXP ledger, SEXP child) {
  return guarded([&] { return head_to_r(ledger_from_r(ledger).take_back(ledger_from_r(child))); });
}

// `sign` makes the signature of a text.
// [[Rcpp::export(rng = false)]]
SEXP core_ledger_raise(SEXP ledger, double inner, double delta, Rcpp::Function sign) {
  return guarded([&] {
    Ledger& it = ledger_from_r(ledger);
    const TotalLoss total = it.state().terms().measure.total(inner, delta);
    return head_to_r(it.raise(
        total, [&](const std::string& text) { return Rcpp::as<std::string>(sign(text)); }));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_ledger_history(SEXP ledger) {
  return guarded([&] {
    Ledger& it = ledger_from_r(ledger);
    History history(it.state().terms().measure);
    it.read([&](const LedgerRecord& record) { history.add(record); });
    return history.to_r();
  });
}

// Whether `loss`, as text, is at least what `measurement` loses at `d_in`, in `measure`.
// [[Rcpp::export(rng = false)]]
SEXP core_loss_covers(std::string measure, SEXP loss, SEXP measurement, SEXP d_in) {
  return guarded([&] {
    const LedgerMeasure kind(parse_measure(measure));
    const Json claimed = json_from_r(loss);
    return Rf_ScalarLogical(
        loss_of_measurement(kind, measurement, d_in).is_within(kind.parse(&claimed)));
  });
}

// The record of that number, as a list; NULL if there is none.
// [[Rcpp::export(rng = false)]]
SEXP core_ledger_record(SEXP ledger, double seq) {
  return guarded([&]() -> SEXP {
    Rcpp::RObject found = R_NilValue;
    ledger_from_r(ledger).read([&](const LedgerRecord& record) {
      if (static_cast<double>(record.seq()) == seq) found = json_to_r(record.json());
    });
    return found;
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

// Of a string, or of raw bytes; 64 hexadecimal digits.
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

// Replaces a file, or makes it; on stable storage when this returns.
// [[Rcpp::export(rng = false)]]
SEXP core_replace_file(std::string path, std::string text) {
  return guarded([&] {
    replace_durably(path, text);
    return R_NilValue;
  });
}
