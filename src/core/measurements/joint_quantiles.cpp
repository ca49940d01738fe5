#include "core/measurements/joint_quantiles.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "core/measurements/joint_choice.h"
#include "core/measurements/refuse.h"
#include "core/measurements/selection.h"
#include "core/measurements/selection_loss.h"
#include "core/measures/finite_loss_law.h"
#include "core/numeric/limits.h"
#include "core/numeric/rational.h"
#include "core/random/bit_source.h"
#include "core/table/each_cell.h"
#include "core/transformations/rows/find_bin.h"
#include "core/transformations/rows/public_elements.h"
#include "core/transformations/rows/row_types.h"

namespace dp {
namespace {

constexpr std::uint64_t kParts = 10000;  // of 1, in which alphas are counted
constexpr std::size_t kMostPairs = std::size_t{1} << 24;
constexpr std::size_t kWantedSubCells = 64;
constexpr std::size_t kPairsOfSubCells = std::size_t{1} << 22;
constexpr double kLeastScale = 0x1p-15;

// Differences between consecutive alphas, in parts, with 0 and 1 at the ends.
std::vector<std::uint64_t> steps_of(const std::vector<double>& alphas) {
  require_measurement(!alphas.empty(), "alphas must be non-empty");
  std::vector<std::uint64_t> steps;
  double last = -1;
  std::uint64_t parts = 0;
  for (const double alpha : alphas) {
    require_measurement(alpha > last && 0 <= alpha && alpha <= 1,
                        "alphas must be increasing, and within [0, 1]");
    const auto next =
        static_cast<std::uint64_t>(round_half_up(exact_rational(alpha) * Integer(kParts)));
    steps.push_back(next - parts);
    parts = next;
    last = alpha;
  }
  steps.push_back(kParts - parts);
  return steps;
}

class JointQuantiles {
 public:
  JointQuantiles(std::size_t candidates, std::vector<std::uint64_t> steps, double scale)
      : candidates_(candidates), steps_(std::move(steps)), scale_(exact_rational(scale)) {
    const std::size_t pairs = candidates * (steps_.size() - 1);
    sub_cells_ = std::clamp<std::size_t>(kPairsOfSubCells / pairs, 1, kWantedSubCells);
    choice_ = std::make_shared<const JointChoice>(1 / (scale_ * Integer(unit())));
  }

  // The indices of the drawn candidates.
  std::vector<std::size_t> draw(const Column& rows) const {
    std::vector<std::uint64_t> counts(candidates_ + 1);
    each_cell<std::uint64_t>(rows, [&](std::uint64_t place, std::size_t) {
      ++counts[std::min<std::uint64_t>(place, candidates_)];
    });
    counts.pop_back();  // of missing values
    std::vector<std::size_t> places = choice_->draw(ranked(counts), secure_bits());
    const Wiper wiper(places.data(), places.size() * sizeof(places[0]));
    std::vector<std::size_t> drawn;
    for (const std::size_t place : places) drawn.push_back(place / sub_cells_);
    return drawn;
  }

  // 2 s / scale.
  Rational loss(std::uint32_t d_in, bool bounded, bool sized) const {
    const Integer rows(d_in);
    const Rational replaced = bounded ? Rational(2 * rows) : Rational(2 * Integer(d_in / 2));
    const std::uint64_t least = *std::min_element(steps_.begin(), steps_.end());
    const Rational edited = Rational(2 * rows * Integer(kParts - least), Integer(kParts));
    return 2 * (bounded || sized ? replaced : edited) / scale_;
  }

 private:
  // Ranks are in units of 1 / (2 k kParts) of a row.
  std::uint64_t unit() const { return 2 * sub_cells_ * kParts; }

  RankedPlaces ranked(const std::vector<std::uint64_t>& counts) const {
    RankedPlaces places;
    places.ranks.reserve(candidates_ * sub_cells_);
    std::uint64_t below = 0;
    for (const std::uint64_t count : counts) {
      for (std::size_t part = 0; part < sub_cells_; ++part) {
        places.ranks.push_back(below * unit() + (2 * part + 1) * count * kParts);
      }
      below += count;
    }
    places.total = below * unit();
    for (const std::uint64_t step : steps_) places.steps.push_back(below * 2 * sub_cells_ * step);
    return places;
  }

  std::size_t candidates_;
  std::vector<std::uint64_t> steps_;
  Rational scale_;
  std::size_t sub_cells_;
  std::shared_ptr<const JointChoice> choice_;
};

// Candidates have the type T of `tag`. `cells_of` converts them to an index of each row's
// candidate.
template <class T, class CellsOf>
Measurement joint_quantiles(AtomTag<T>,
                            AtomType type,
                            const Domain& input_domain,
                            const Metric& input_metric,
                            const Measure& output_measure,
                            const std::vector<Scalar>& candidates,
                            const std::vector<double>& alphas,
                            double scale,
                            CellsOf cells_of) {
  check_dataset_metric(input_metric);
  if (!(scale >= kLeastScale) || !std::isfinite(scale)) {
    refuse_measurement("scale (" + debug(Scalar(scale)) + ") must be finite, and at least 2^-15");
  }
  const bool pure = selection_rule(output_measure) == SelectionRule::permute_and_flip;
  const std::vector<std::uint64_t> steps = steps_of(alphas);
  std::vector<T> points = candidates_as<T>(candidates);
  if (points.size() > kMostPairs / alphas.size()) {
    throw Error(ErrorKind::make_transformation, "candidates must be fewer for so many alphas");
  }
  const Function cells = cells_of(points);
  const JointQuantiles law(points.size(), steps, scale);
  const bool bounded = is_bounded(input_metric);
  const bool sized = row_domain(input_domain).size.has_value();
  const Function draw = whole_function([law, type, points = std::move(points)](const Value& arg) {
    std::vector<T> drawn;
    for (const std::size_t place : law.draw(*rows_in(arg))) drawn.push_back(points[place]);
    return Value(make_column<T>(type, std::move(drawn)));
  });
  const auto loss = [law, bounded, sized](const Distance& d_in) {
    return law.loss(number_in<std::uint32_t>(d_in), bounded, sized);
  };
  return Measurement(
      input_domain,
      input_metric,
      output_measure,
      cells.then(draw),
      [loss, pure](const Distance& d_in) -> Distance {
        const Rational epsilon = loss(d_in);
        return Scalar(to_double_up(pure ? epsilon : Rational(epsilon * epsilon / 8)));
      },
      [loss](const Distance& d_in) -> std::vector<LossPair> {
        const Rational epsilon = loss(d_in);
        if (epsilon == 0) return {};
        return {exponential_mechanism_pair(epsilon)};
      });
}

// Boundaries between nearest candidates: public, so rounding does not matter.
template <class T>
std::vector<Scalar> middles(const std::vector<T>& points) {
  std::vector<Scalar> edges;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const T low = points[i - 1];
    const T high = points[i];
    if constexpr (kIsFloat<T>) {
      const T middle = low / 2 + high / 2;
      edges.emplace_back(middle > low ? middle : high);
    } else {
      const auto from = static_cast<std::uint64_t>(low);
      const std::uint64_t apart = static_cast<std::uint64_t>(high) - from;
      edges.emplace_back(static_cast<T>(from + apart / 2 + apart % 2));
    }
  }
  return edges;
}

}  // namespace

Measurement make_joint_quantiles(const Domain& input_domain,
                                 const Metric& input_metric,
                                 const Measure& output_measure,
                                 const std::vector<Scalar>& candidates,
                                 const std::vector<double>& alphas,
                                 double scale) {
  const AtomType type = atom_row_type(input_domain);
  return visit_number(type, [&](auto tag) -> Measurement {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_same_v<T, int128_t>) {
      detail::refuse_type(type, "numbers of at most 64 bits");
    } else {
      if (row_domain(input_domain).atom.nan) {
        throw Error(ErrorKind::make_transformation, "input_domain members must be non-nan");
      }
      const auto cells_of = [&](const std::vector<T>& points) {
        return make_find_bin(input_domain, input_metric, middles(points)).function();
      };
      return joint_quantiles(tag,
                             type,
                             input_domain,
                             input_metric,
                             output_measure,
                             candidates,
                             alphas,
                             scale,
                             cells_of);
    }
  });
}

Measurement make_joint_quantiles_of_cells(const Domain& input_domain,
                                          const Metric& input_metric,
                                          const Measure& output_measure,
                                          const std::vector<Scalar>& candidates,
                                          const std::vector<double>& alphas,
                                          double scale) {
  const AtomType type = atom_row_type(input_domain);
  if (type != AtomType::usize) detail::refuse_type(type, "usize");
  const auto cells_of = [](const std::vector<double>&) { return Function(); };
  return joint_quantiles(AtomTag<double>{},
                         AtomType::f64,
                         input_domain,
                         input_metric,
                         output_measure,
                         candidates,
                         alphas,
                         scale,
                         cells_of);
}

}  // namespace dp
