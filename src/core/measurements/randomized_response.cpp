#include "core/measurements/randomized_response.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "core/measurements/discrete_loss.h"
#include "core/measurements/refuse.h"
#include "core/measures/finite_loss_law.h"
#include "core/numeric/directed.h"
#include "core/numeric/rational.h"
#include "core/random/bernoulli.h"
#include "core/random/constant_time_bernoulli.h"
#include "core/random/uniform.h"

namespace dp {
namespace {

// |ln(prob (t - 1) / (1 - prob))|, rounded up.
double response_loss(double prob, std::size_t t) {
  if (prob == 1) return std::numeric_limits<double>::infinity();
  const Rational truth = exact_rational(prob);
  const Rational odds = truth * Rational(t - 1) / (1 - truth);
  return ln_up(to_double_up(odds < 1 ? Rational(1 / odds) : odds));
}

// The pair of answers to two different truths. An answer to an invalid category is uniform, and its
// delta against an answer to a category is smaller at every epsilon if prob >= 1 / t. The double
// below 1 / t is treated as on the other side.
LossMap response_loss_map(double prob, std::size_t t) {
  const Rational truth = exact_rational(prob);
  const Rational lie = (1 - truth) / Rational(t - 1);
  if (truth < lie) return nullptr;
  const LossPair pair = finite_loss_pair(
      {{truth, lie}, {lie, truth}, {lie * Rational(t - 2), lie * Rational(t - 2)}});
  return discrete_loss_map({pair});
}

// `categories` is sorted.
Value respond(const std::vector<Scalar>& categories, double prob, const Scalar& truth) {
  BitSource& bits = secure_bits();
  const auto found = std::lower_bound(categories.begin(), categories.end(), truth);
  const bool known = found != categories.end() && *found == truth;
  const auto at = static_cast<std::uint64_t>(found - categories.begin());
  std::uint64_t lie = uniform_below(categories.size() - (known ? 1 : 0), bits);
  if (known && lie >= at) ++lie;  // skips the truth
  const bool honest = bernoulli(prob, bits) && known;
  return categories[honest ? at : lie];
}

}  // namespace

Measurement make_randomized_response_bool(double prob, bool constant_time) {
  if (!(prob >= 0.5 && prob <= 1)) refuse_measurement("probability must be within [0.5, 1]");
  const ConstantTimeBernoulli steady(prob);
  return Measurement(non_nan_atom(AtomType::boolean),
                     discrete_distance(),
                     max_divergence(),
                     whole_function([=](const Value& arg) -> Value {
                       const bool truth = element_in<bool>(arg);
                       BitSource& bits = secure_bits();
                       const bool honest =
                           constant_time ? steady.draw(bits) : bernoulli(prob, bits);
                       return Scalar(truth == honest);
                     }),
                     discrete_map(response_loss(prob, 2)),
                     response_loss_map(prob, 2));
}

Measurement make_randomized_response(const std::vector<Scalar>& categories,
                                     AtomType type,
                                     double prob) {
  if (!is_hashable(type)) {
    throw Error(ErrorKind::type,
                std::string("No match for concrete type ") + name(type) +
                    ". Categories are integers, bool or String.");
  }
  std::vector<Scalar> distinct = categories;
  for (const Scalar& category : distinct) {
    if (!carries(category, type)) {
      throw Error(ErrorKind::failed_cast,
                  std::string("categories must have the carrier type ") + name(type) + ".");
    }
  }
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  if (distinct.size() < 2) refuse_measurement("length of categories must be at least two");
  if (!(prob >= 1 / static_cast<double>(distinct.size()) && prob <= 1)) {
    refuse_measurement("probability must be within [1/num_categories, 1]");
  }
  const double loss = response_loss(prob, distinct.size());
  LossMap laws = response_loss_map(prob, distinct.size());
  return Measurement(non_nan_atom(type),
                     discrete_distance(),
                     max_divergence(),
                     whole_function([categories = std::move(distinct), prob](const Value& arg) {
                       return respond(categories, prob, scalar_in(arg));
                     }),
                     discrete_map(loss),
                     std::move(laws));
}

}  // namespace dp
