#include "r_ledger.h"

#include <algorithm>
#include <string>
#include <type_traits>
#include <variant>

#include "boundary.h"
#include "core/error.h"
#include "core/measurements/measurement.h"
#include "core/numeric/rational.h"
#include "r_values.h"

namespace dp::r {
namespace {

Rcpp::NumericVector named_loss(const LedgerMeasure& measure, double inner, double delta) {
  return Rcpp::NumericVector::create(Rcpp::_[measure.unit()] = inner, Rcpp::_["delta"] = delta);
}

Rcpp::NumericVector pair_from_r(SEXP object) {
  if (TYPEOF(object) != REALSXP || Rf_xlength(object) != 2) {
    throw Error(ErrorKind::failed_cast, "a loss must be two numbers.");
  }
  return object;
}

// Whether data at this distance are the same data: it is 0, or a part of it is.
bool is_none(const Distance& distance) {
  if (const auto* tuple = distance.as<Distance::Tuple>()) {
    return std::any_of(tuple->begin(), tuple->end(), is_none);
  }
  const auto* scalar = distance.as<Scalar>();
  if (scalar == nullptr) return false;
  const auto is_zero = [](const auto& number) {
    if constexpr (std::is_same_v<std::decay_t<decltype(number)>, std::string>) {
      return false;
    } else {
      return number == 0;
    }
  };
  return std::visit(is_zero, *scalar);
}

}  // namespace

std::optional<LedgerKey> key_from_r(SEXP key) {
  if (Rf_isNull(key)) return std::nullopt;
  const Rcpp::List parts(key);
  LedgerKey out;
  out.fingerprint = Rcpp::as<std::string>(parts["fingerprint"]);
  if (parts.containsElementNamed("secret")) {
    const Rcpp::RawVector secret = parts["secret"];
    ChainSecret bytes;
    if (static_cast<std::size_t>(secret.size()) != bytes.size()) {
      throw Error(ErrorKind::failed_cast, "the secret of a key must have 32 bytes.");
    }
    std::copy(secret.begin(), secret.end(), bytes.begin());
    out.secret = bytes;
    const Rcpp::Function sign = parts["sign"];
    out.sign = [sign](const std::string& text) { return Rcpp::as<std::string>(sign(text)); };
  }
  const Rcpp::Function has_signed = parts["has_signed"];
  out.has_signed = [has_signed](const std::string& text, const std::string& signature) {
    return Rcpp::as<bool>(has_signed(text, signature));
  };
  return out;
}

Rcpp::NumericVector spent_to_r(const LedgerMeasure& measure, const TotalLoss& loss) {
  return named_loss(measure, loss.inner.up(), loss.delta.up());
}

Rcpp::NumericVector left_to_r(const LedgerMeasure& measure, const TotalLoss& loss) {
  return named_loss(measure, loss.inner.down(), loss.delta.down());
}

Rcpp::List loss_text(const LedgerMeasure& measure, const TotalLoss& loss) {
  return Rcpp::List::create(Rcpp::_["delta"] = loss.delta.text(),
                            Rcpp::_[measure.unit()] = loss.inner.text());
}

Rcpp::List head_to_r(const LedgerHead& head) {
  return Rcpp::List::create(Rcpp::_["head"] = head.text(),
                            Rcpp::_["seq"] = static_cast<double>(head.seq));
}

TotalLoss loss_of_measurement(const LedgerMeasure& measure, SEXP measurement, SEXP d_in) {
  if (TYPEOF(measurement) != CLOSXP) {
    throw Error(ErrorKind::failed_cast, "expected a measurement.");
  }
  const auto& it = from_handle<Measurement>(Rcpp::Environment(CLOENV(measurement))["handle"]);
  const Distance neighbours = distance_from_r(d_in, it.input_metric());
  if (is_none(neighbours)) {
    throw Error(
        ErrorKind::invalid_distance,
        "`d_in` must be above 0: at a distance of 0 every release is free and protects nobody.");
  }
  return measure.loss(it.output_measure(), it.map(neighbours));
}

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

}  // namespace dp::r
