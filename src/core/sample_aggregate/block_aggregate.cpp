#include "core/sample_aggregate/block_aggregate.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/numeric/directed.h"
#include "core/random/bit_source.h"

namespace dp {
namespace {

// Whether it takes the numbers of the blocks that did not fail, however many these are.
bool drops_failures(const Measurement& measurement) {
  return measurement.input_metric() == symmetric_distance();
}

class BlockAggregate final : public WholeStage {
 public:
  BlockAggregate(BlockResults results,
                 std::vector<BlockOutput> outputs,
                 std::vector<Composable> measurements)
      : results_(std::move(results)),
        outputs_(std::move(outputs)),
        measurements_(std::move(measurements)) {}

  Value run(const Value& value) const override {
    BitSource& bits = secure_bits();
    const std::vector<double> results = results_.of(results_.prepare(value), bits);
    Value::Tuple releases;
    for (std::size_t j = 0; j < outputs_.size(); ++j) {
      const bool drops = drops_failures(*measurements_[j]);
      releases.push_back(measurements_[j]->invoke(drops ? number_of_working(results, j)
                                                        : number_of_blocks(results, j)));
    }
    return releases;
  }

 private:
  ColumnPtr number_of_blocks(const std::vector<double>& results, std::size_t j) const {
    const std::size_t k = results_.design().blocks();
    auto rows = std::make_shared<OwnedColumn<std::int64_t>>(AtomType::i64, k);
    for (std::size_t b = 0; b < k; ++b) rows->cells()[b] = outputs_[j].steps(results[j * k + b]);
    return rows;
  }

  // Number j of the blocks without a failed number.
  ColumnPtr number_of_working(const std::vector<double>& results, std::size_t j) const {
    const std::size_t k = results_.design().blocks();
    std::vector<std::int64_t> numbers;
    for (std::size_t b = 0; b < k; ++b) {
      bool worked = true;
      for (std::size_t i = b; i < results.size(); i += k)
        worked = worked && !std::isnan(results[i]);
      if (worked) numbers.push_back(outputs_[j].steps(results[j * k + b]));
    }
    return make_column(AtomType::i64, numbers);
  }

  BlockResults results_;
  std::vector<BlockOutput> outputs_;
  std::vector<Composable> measurements_;
};

void check_measurement(const Measurement& measurement,
                       const BlockOutput& output,
                       std::size_t blocks) {
  const AtomDomain number = closed_atom(AtomType::i64, output.range.lower, output.range.upper);
  const Domain numbers =
      drops_failures(measurement) ? vector_of(number) : vector_of(number, blocks);
  if (measurement.input_domain() != numbers) {
    throw Error(ErrorKind::domain_mismatch,
                "a measurement must take the numbers of all blocks, in steps of their range.");
  }
  if (measurement.input_metric() != change_one_distance() &&
      measurement.input_metric() != l1_distance(AtomType::i64) && !drops_failures(measurement)) {
    throw Error(
        ErrorKind::metric_mismatch,
        "a measurement must be under ChangeOneDistance, SymmetricDistance or L1Distance(i64).");
  }
  if (measurement.output_measure() != max_divergence() &&
      measurement.output_measure() != zero_concentrated_divergence()) {
    throw Error(ErrorKind::type,
                "a measurement must be under MaxDivergence or ZeroConcentratedDivergence.");
  }
}

// Distance between the numbers at `rows` rows.
Distance distance_of_numbers(const Metric& metric,
                             const BlockOutput& output,
                             std::uint32_t overlap,
                             std::uint32_t rows) {
  const std::uint32_t blocks = mul_up(rows, overlap);
  if (metric == change_one_distance()) return Scalar(blocks);
  if (metric == symmetric_distance()) return Scalar(mul_up<std::uint32_t>(blocks, 2));
  return Scalar(mul_up<std::int64_t>(blocks, output.sensitivity));
}

// The laws of all members, if each has some.
LossMap aggregate_laws(const std::vector<BlockOutput>& outputs,
                       const std::vector<Composable>& measurements,
                       std::uint32_t overlap) {
  const auto has_laws = [](const Composable& member) { return bool(member->loss_map()); };
  if (!std::all_of(measurements.begin(), measurements.end(), has_laws)) return nullptr;
  return [=](const Distance& d_in) {
    const auto rows = number_in<std::uint32_t>(d_in);
    std::vector<LossPair> pairs;
    for (std::size_t j = 0; j < outputs.size(); ++j) {
      const Distance apart =
          distance_of_numbers(measurements[j]->input_metric(), outputs[j], overlap, rows);
      for (LossPair& pair : measurements[j]->loss_map()(apart)) pairs.push_back(std::move(pair));
    }
    return pairs;
  };
}

}  // namespace

Measurement make_block_aggregate(BlockResults results,
                                 std::vector<BlockOutput> outputs,
                                 std::vector<Composable> measurements) {
  if (outputs.empty() || outputs.size() != measurements.size() ||
      outputs.size() != results.numbers()) {
    throw Error(ErrorKind::make_measurement,
                "there must be a measurement for each number of a block.");
  }
  const Measure measure = measurements[0]->output_measure();
  for (std::size_t j = 0; j < outputs.size(); ++j) {
    check_measurement(*measurements[j], outputs[j], results.design().blocks());
    if (measurements[j]->output_measure() != measure) {
      throw Error(ErrorKind::measure_mismatch, "all measurements must be under one measure.");
    }
  }
  PrivacyMap map = [outputs, measurements, overlap = results.design().overlap()](
                       const Distance& d_in) -> Distance {
    const auto rows = number_in<std::uint32_t>(d_in);
    double loss = 0;
    for (std::size_t j = 0; j < outputs.size(); ++j) {
      const Distance apart =
          distance_of_numbers(measurements[j]->input_metric(), outputs[j], overlap, rows);
      loss = add_up(loss, number_in<double>(measurements[j]->map(apart)));
    }
    return Scalar(loss);
  };
  const Metric metric = results.metric();
  LossMap laws = aggregate_laws(outputs, measurements, results.design().overlap());
  return Measurement(DataFrameDomain{AtomType::string},
                     metric,
                     measure,
                     stage_function<BlockAggregate>(
                         std::move(results), std::move(outputs), std::move(measurements)),
                     std::move(map),
                     std::move(laws));
}

}  // namespace dp
