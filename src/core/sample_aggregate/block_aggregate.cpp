#include "core/sample_aggregate/block_aggregate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "core/numeric/directed.h"
#include "core/numeric/rational.h"

namespace dp {
namespace {

LatticeRange range_between(double lower, double upper) {
  const Lattice lattice = lattice_for(lower, upper);
  return {lattice, lattice.index(lower), lattice.index(upper)};
}

// Two numbers d steps apart may round, ties to even, to floor(d) + 1 steps apart: 0.5 and 1.5 to 0
// and 2.
std::int64_t steps_of(const std::optional<double>& sensitivity, const LatticeRange& range) {
  if (!sensitivity) return range.width();
  if (!(*sensitivity >= 0)) {
    throw Error(ErrorKind::make_transformation, "sensitivity must not be negative.");
  }
  if (std::isinf(*sensitivity)) return range.width();
  const Integer steps =
      floor(exact_rational(*sensitivity) / power_of_two(range.lattice.exponent)) + 1;
  return steps < range.width() ? static_cast<std::int64_t>(steps) : range.width();
}

class BlockAggregate final : public WholeStage {
 public:
  BlockAggregate(std::vector<BlockColumn> columns,
                 BlockDesign design,
                 BlocksFunction function,
                 std::vector<BlockOutput> outputs,
                 std::vector<Measurement> measurements)
      : columns_(std::move(columns)),
        design_(std::move(design)),
        function_(std::move(function)),
        outputs_(std::move(outputs)),
        measurements_(std::move(measurements)) {}

  Value run(const Value& value) const override {
    const std::vector<double> results = results_of(*frame_in(value));
    Value::Tuple releases;
    for (std::size_t j = 0; j < outputs_.size(); ++j) {
      releases.push_back(measurements_[j].invoke(number_of_blocks(results, j)));
    }
    return releases;
  }

 private:
  std::vector<double> results_of(const Frame& frame) const {
    BitSource& bits = secure_bits();
    const auto columns = block_columns(frame, columns_, design_.rows(), bits);
    std::vector<double> results = function_(columns, design_.places(columns.front().size(), bits));
    const std::size_t wanted = design_.blocks() * outputs_.size();
    if (results.size() != wanted) {
      results.assign(wanted, std::numeric_limits<double>::quiet_NaN());
    }
    return results;
  }

  RowsPtr number_of_blocks(const std::vector<double>& results, std::size_t j) const {
    const std::size_t k = design_.blocks();
    auto rows = std::make_shared<OwnedRows<std::int64_t>>(AtomType::i64, k);
    for (std::size_t b = 0; b < k; ++b) rows->cells()[b] = outputs_[j].steps(results[j * k + b]);
    return rows;
  }

  std::vector<BlockColumn> columns_;
  BlockDesign design_;
  BlocksFunction function_;
  std::vector<BlockOutput> outputs_;
  std::vector<Measurement> measurements_;
};

void check_measurement(const Measurement& measurement,
                       const BlockOutput& output,
                       std::size_t blocks) {
  const Domain numbers =
      vector_of(closed_atom(AtomType::i64, output.range.lower, output.range.upper), blocks);
  if (measurement.input_domain() != numbers) {
    throw Error(ErrorKind::domain_mismatch,
                "a measurement must take the numbers of all blocks, in steps of their range.");
  }
  if (measurement.input_metric() != change_one_distance() &&
      measurement.input_metric() != l1_distance(AtomType::i64)) {
    throw Error(ErrorKind::metric_mismatch,
                "a measurement must be under ChangeOneDistance or L1Distance(i64).");
  }
  if (measurement.output_measure() != max_divergence()) {
    throw Error(ErrorKind::type, "a measurement must be under MaxDivergence.");
  }
}

// How far the numbers are apart at `rows` rows.
Distance distance_of_numbers(const Metric& metric,
                             const BlockOutput& output,
                             std::uint32_t overlap,
                             std::uint32_t rows) {
  const std::uint32_t blocks = mul_up(rows, overlap);
  if (metric == change_one_distance()) return Scalar(blocks);
  return Scalar(mul_up<std::int64_t>(blocks, output.sensitivity));
}

}  // namespace

BlockOutput::BlockOutput(double lower, double upper, std::optional<double> promised)
    : range(range_between(lower, upper)),
      sensitivity(steps_of(promised, range)),
      lower_(lower),
      upper_(upper) {}

std::int64_t BlockOutput::steps(double x) const {
  if (std::isnan(x)) return range.lower + range.width() / 2;
  return range.lattice.index(std::min(std::max(x, lower_), upper_));
}

Measurement make_block_aggregate(std::vector<BlockColumn> columns,
                                 BlockDesign design,
                                 BlocksFunction function,
                                 std::vector<BlockOutput> outputs,
                                 std::vector<Measurement> measurements) {
  check_block_columns(columns);
  if (outputs.empty() || outputs.size() != measurements.size()) {
    throw Error(ErrorKind::make_measurement,
                "there must be a measurement for each number of a block.");
  }
  for (std::size_t j = 0; j < outputs.size(); ++j) {
    check_measurement(measurements[j], outputs[j], design.blocks());
  }
  PrivacyMap map =
      [outputs, measurements, overlap = design.overlap()](const Distance& d_in) -> Distance {
    const auto rows = number_in<std::uint32_t>(d_in);
    double loss = 0;
    for (std::size_t j = 0; j < outputs.size(); ++j) {
      const Distance apart =
          distance_of_numbers(measurements[j].input_metric(), outputs[j], overlap, rows);
      loss = add_up(loss, number_in<double>(measurements[j].map(apart)));
    }
    return Scalar(loss);
  };
  const Metric metric = design.rows() ? change_one_distance() : symmetric_distance();
  return Measurement(DataFrameDomain{AtomType::string},
                     metric,
                     max_divergence(),
                     stage_function<BlockAggregate>(std::move(columns),
                                                    std::move(design),
                                                    std::move(function),
                                                    std::move(outputs),
                                                    std::move(measurements)),
                     std::move(map));
}

}  // namespace dp
