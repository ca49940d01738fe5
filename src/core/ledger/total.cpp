#include "core/ledger/total.h"

#include <cmath>

#include "core/accounting/account.h"
#include "core/error.h"
#include "core/numeric/rational.h"
#include "core/numeric/text.h"

namespace dp {
namespace {

[[noreturn]] void refuse_loss(const std::string& sentence) {
  throw Error(ErrorKind::budget, sentence);
}

const Measure& inner_measure(const Measure& measure) {
  return measure.kind == MeasureKind::approximate ? *measure.inner : measure;
}

Rational finite_loss(double loss) {
  if (!std::isfinite(loss)) refuse_loss("this release has no finite loss; nothing was spent.");
  return exact_rational(loss);
}

struct ExactLoss {
  Rational inner;
  Rational delta;
};

ExactLoss exact_loss(const Measure& measure, const Distance& loss) {
  if (measure.kind != MeasureKind::approximate) {
    return {finite_loss(number_in<double>(loss)), Rational(0)};
  }
  const auto* parts = loss.as<Distance::Tuple>();
  if (parts == nullptr || parts->size() != 2) {
    refuse_loss("the loss of an approximate measure must be a pair.");
  }
  return {finite_loss(number_in<double>((*parts)[0])), finite_loss(number_in<double>((*parts)[1]))};
}

// The decimal with the fewest digits that is read as `x`. Digits below 10^-100 can be cut off.
Amount written_amount(double x) {
  std::string text = format_number(x);
  const std::size_t point = text.find('.');
  if (point != std::string::npos && text.size() > point + 101) text.resize(point + 101);
  const auto amount = Amount::parse(text);
  return amount ? *amount : Amount::at_most(exact_rational(x));
}

Amount amount_in(const Json* json) {
  const auto* text = json == nullptr ? nullptr : json->as<std::string>();
  const auto amount = text == nullptr ? std::nullopt : Amount::parse(*text);
  if (!amount) throw Error(ErrorKind::ledger, "a loss must be a decimal in its shortest spelling.");
  return *amount;
}

}  // namespace

LedgerMeasure::LedgerMeasure(const Measure& measure)
    : is_concentrated_(inner_measure(measure).kind == MeasureKind::zero_concentrated_divergence),
      has_delta_(measure.kind == MeasureKind::approximate) {
  if (!is_concentrated_ && inner_measure(measure).kind != MeasureKind::max_divergence) {
    throw Error(ErrorKind::ledger,
                "a ledger adds losses in MaxDivergence or ZeroConcentratedDivergence, or in "
                "Approximate of one of them, not in " +
                    type_name(measure) + ".");
  }
}

std::string LedgerMeasure::name() const {
  const Measure inner = is_concentrated_ ? zero_concentrated_divergence() : max_divergence();
  return type_name(has_delta_ ? approximate(inner) : inner);
}

TotalLoss LedgerMeasure::loss(const Measure& measure, const Distance& loss) const {
  const bool is_concentrated =
      inner_measure(measure).kind == MeasureKind::zero_concentrated_divergence;
  const bool is_pure = measure.kind == MeasureKind::max_divergence;
  const bool fits =
      is_pure || (is_concentrated == is_concentrated_ &&
                  (is_concentrated || inner_measure(measure).kind == MeasureKind::max_divergence));
  if (!fits) {
    refuse_loss("this budget counts in " + unit() + ", and " + type_name(measure) +
                " does not convert to it here.");
  }
  auto [inner, delta] = exact_loss(measure, loss);
  if (is_pure && is_concentrated_) inner = inner * inner / 2;
  if (!has_delta_ && delta != 0) {
    refuse_loss("this budget has no delta, and this release needs one; nothing was spent.");
  }
  return {Amount::at_least(inner), Amount::at_least(delta)};
}

TotalLoss LedgerMeasure::total(double inner, double delta) const {
  if (!std::isfinite(inner) || inner < 0) {
    refuse_loss("`" + unit() + "` must be a finite number, and at least 0.");
  }
  if (!(delta >= 0 && delta < 1)) refuse_loss("`delta` must be a number from 0 on, and below 1.");
  if (!has_delta_ && delta != 0) refuse_loss("a ledger in " + name() + " has no `delta`.");
  return {written_amount(inner), written_amount(delta)};
}

TotalLoss LedgerMeasure::cost(const Map& map, const Map& asked) const {
  total(asked.inner, asked.delta);  // refuses what cannot be asked for
  const auto part = [](double loss, double limit) {
    return Amount::at_least(cost_within(loss, decimal_of(limit)));
  };
  return {part(map.inner, asked.inner), part(map.delta, asked.delta)};
}

Json LedgerMeasure::json(const TotalLoss& loss) const {
  Json out;
  out.set("delta", loss.delta.text());
  out.set(unit(), loss.inner.text());
  return out;
}

TotalLoss LedgerMeasure::parse(const Json* json) const {
  const auto* members = json == nullptr ? nullptr : json->as<Json::Object>();
  if (members == nullptr || members->size() != 2) {
    throw Error(ErrorKind::ledger, "a loss must have " + unit() + " and delta, and nothing else.");
  }
  const TotalLoss loss{amount_in(json->find(unit())), amount_in(json->find("delta"))};
  if (!has_delta_ && !loss.delta.is_zero()) {
    throw Error(ErrorKind::ledger, "a loss has a delta where the measure has none.");
  }
  return loss;
}

std::string LedgerMeasure::words(const std::string& inner, const std::string& delta) const {
  const std::string first = unit() + " " + inner;
  return has_delta_ ? first + ", delta " + delta : first;
}

std::string LedgerMeasure::words_up(const TotalLoss& loss) const {
  return words(loss.inner.words_up(), loss.delta.words_up());
}

std::string LedgerMeasure::words_down(const TotalLoss& left) const {
  return words(left.inner.words_down(), left.delta.words_down());
}

}  // namespace dp
