#include "core/combinators/select_private_candidate.h"

#include <cmath>
#include <utility>

#include "core/combinators/cast_measure.h"
#include "core/measurements/composable.h"
#include "core/numeric/cast.h"
#include "core/numeric/directed.h"
#include "core/numeric/limits.h"
#include "core/random/bernoulli.h"
#include "core/runtime/parallel.h"

namespace dp {
namespace {

// NaN and minus infinity count as the lowest finite number, so a threshold of that number accepts
// every score that is a number.
bool reaches(std::optional<double> score, double threshold) {
  return score && (*score >= threshold || threshold == kMin<double>);
}

Value first_good(const Composable& measurement,
                 double stop_probability,
                 double threshold,
                 const ScoreOf& score_of,
                 const Value& data) {
  for (;;) {
    check_interrupt();
    Value release = measurement->invoke(data);
    const std::optional<double> score = score_of(release);
    if (reaches(score, threshold)) return release;
    if (bernoulli(stop_probability, secure_bits())) return Value::Null{};
  }
}

}  // namespace

std::optional<double> score_of_pair(const Value& release) {
  const auto* pair = release.as<Value::Tuple>();
  if (pair == nullptr || pair->size() != 2) return std::nullopt;
  const auto* score = pair->front().as<Scalar>();
  if (score == nullptr) return std::nullopt;
  return std::visit(
      [](const auto& value) -> std::optional<double> {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::string>) {
          return std::nullopt;
        } else {
          return round_cast<double>(value);
        }
      },
      *score);
}

Measurement make_select_private_candidate(const Measurement& measurement,
                                          double stop_probability,
                                          double threshold,
                                          ScoreOf score_of) {
  const Measure& measure = measurement.output_measure();
  if (measure.kind != MeasureKind::max_divergence) refuse_measure(measure, "MaxDivergence");
  if (!(stop_probability >= 0 && stop_probability < 1)) {
    throw Error(ErrorKind::make_measurement, "stop_probability must be in [0, 1)");
  }
  if (!std::isfinite(threshold)) {
    throw Error(ErrorKind::make_measurement, "threshold must be finite");
  }
  const Composable repeated(measurement);
  return Measurement(measurement.input_domain(),
                     measurement.input_metric(),
                     measure,
                     whole_function([=, score_of = std::move(score_of)](const Value& data) {
                       return first_good(repeated, stop_probability, threshold, score_of, data);
                     }),
                     [repeated](const Distance& d_in) -> Distance {
                       return Scalar(mul_up(number_in<double>(repeated->map(d_in)), 2.0));
                     });
}

}  // namespace dp
