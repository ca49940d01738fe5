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

TotalLoss total_from_r(const LedgerMeasure& measure, SEXP object) {
  const Rcpp::NumericVector loss = pair_from_r(object);
  return measure.total(loss[0], loss[1]);
}

// The requested loss minus the unused parts of the members' shares. The shares can sum to a little
// less than the requested loss, because they have few digits.
TotalLoss loss_of_batch(const LedgerMeasure& measure,
                        const Rcpp::List& members,
                        const TotalLoss& asked) {
  TotalLoss shares;
  TotalLoss unused;
  for (const SEXP member : members) {
    const TotalLoss cost = loss_from_r(measure, member);
    const TotalLoss share = total_from_r(measure, VECTOR_ELT(member, 1));
    shares = shares + share;
    unused = unused + share.minus(cost);
  }
  if (!shares.is_within(asked)) {
    throw Error(ErrorKind::invalid_distance, "a batch would lose more than was asked for.");
  }
  return asked.minus(unused);
}

// Whether data at this distance are identical: the distance, or a part of it, is 0.
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
  if (TYPEOF(first) == VECSXP) return loss_of_batch(measure, first, total_from_r(measure, second));
  const Rcpp::NumericVector map = pair_from_r(first);
  const Rcpp::NumericVector most = pair_from_r(second);
  return measure.cost({map[0], map[1]}, {most[0], most[1]});
}

}  // namespace dp::r
