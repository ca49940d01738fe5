#include "core/sample_aggregate/joint_blocks.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/measurements/laplace.h"
#include "core/measurements/laplace_path_loss.h"
#include "core/measurements/refuse.h"
#include "core/numeric/directed.h"
#include "core/random/bit_source.h"
#include "core/random/discrete_laplace.h"

namespace dp {
namespace {

constexpr std::size_t kMostJointBlocks = std::size_t{1} << 40;

// A noisy sum: of all numbers that have the place `number`, or of the blocks that worked.
struct BlockMoment {
  enum class Kind { count, sum, square };

  Kind kind;
  std::size_t number;
  Rational scale;  // of the noise on the integers
  Rational unit;   // of one of these
};

std::vector<BlockMoment> block_moments(const std::vector<BlockOutput>& outputs,
                                       const JointBlocksPlan& plan) {
  using Kind = BlockMoment::Kind;
  const JointBlocksScales scales = joint_blocks_scales(outputs.size(), plan);
  std::vector<BlockMoment> moments;
  if (plan.drops) moments.push_back({Kind::count, 0, scales.count, Rational(1)});
  const auto add = [&](Kind kind, const Rational& scale, int power) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const LatticeRange& range = outputs[i].range;
      const Integer width = range.width();
      const Rational unit = power_of_two(power * (range.lattice.exponent - 1));
      const Rational steps(power == 1 ? width : Integer(width * width));
      moments.push_back({kind, i, scale * steps, unit});
    }
  };
  add(Kind::sum, scales.sum, 1);
  if (plan.squares) add(Kind::square, scales.square, 2);
  return moments;
}

class JointBlocks final : public WholeStage {
 public:
  JointBlocks(BlockResults results, std::vector<BlockOutput> outputs, const JointBlocksPlan& plan)
      : results_(std::move(results)),
        outputs_(std::move(outputs)),
        drops_(plan.drops),
        moments_(block_moments(outputs_, plan)) {}

  Value run(const Value& value) const override {
    BitSource& bits = secure_bits();
    const std::vector<double> results = results_.of(results_.prepare(value), bits);
    const std::vector<std::int64_t> worked = worked_in(results);
    std::vector<double> released;
    for (const BlockMoment& moment : moments_) {
      const Integer exact = sum_of(moment, results, worked);
      const Integer noisy = exact + DiscreteLaplace(moment.scale).draw(bits);
      released.push_back(product_to_double(noisy, moment.unit));
    }
    return make_column(AtomType::f64, released);
  }

 private:
  // rho of each block.
  std::vector<std::int64_t> worked_in(const std::vector<double>& results) const {
    const std::size_t k = results_.design().blocks();
    std::vector<std::int64_t> worked(k, 1);
    if (!drops_) return worked;
    for (std::size_t at = 0; at < results.size(); ++at) {
      if (std::isnan(results[at])) worked[at % k] = 0;
    }
    return worked;
  }

  Integer sum_of(const BlockMoment& moment,
                 const std::vector<double>& results,
                 const std::vector<std::int64_t>& worked) const {
    Integer sum = 0;
    for (std::size_t b = 0; b < worked.size(); ++b) {
      if (moment.kind == BlockMoment::Kind::count) {
        sum += worked[b];
        continue;
      }
      const double x = results[moment.number * worked.size() + b];
      const Integer v = std::isnan(x) ? 0 : from_middle(outputs_[moment.number], x);
      sum += (moment.kind == BlockMoment::Kind::sum ? v : Integer(v * v)) * worked[b];
    }
    return sum;
  }

  static std::int64_t from_middle(const BlockOutput& output, double x) {
    return 2 * output.steps(x) - output.range.lower - output.range.upper;
  }

  BlockResults results_;
  std::vector<BlockOutput> outputs_;
  bool drops_;
  std::vector<BlockMoment> moments_;
};

void check_joint_blocks(const BlockResults& results,
                        const std::vector<BlockOutput>& outputs,
                        const JointBlocksPlan& plan) {
  require_measurement(!outputs.empty() && outputs.size() == results.numbers(),
                      "there must be an output for each number of a block.");
  require_measurement(results.design().blocks() < kMostJointBlocks,
                      "there must be fewer than 2^40 blocks.");
  require_measurement(plan.scale > 0 && std::isfinite(plan.scale),
                      "scale must be positive and finite.");
  for (const BlockOutput& output : outputs) {
    require_measurement(output.range.width() > 0, "a range must have a width.");
  }
  for (const BlockMoment& moment : block_moments(outputs, plan)) {
    require_measurement(moment.scale * moment.unit <= power_of_two(960),
                        "noise must be well within the range of doubles.");
  }
}

// The largest step of a path from one block to another; see the header.
Rational largest_step_of(const std::vector<BlockOutput>& outputs, const JointBlocksPlan& plan) {
  Rational largest(0);
  for (const BlockMoment& moment : block_moments(outputs, plan)) {
    if (moment.kind == BlockMoment::Kind::count) continue;
    largest = std::max(largest, Rational(1 / moment.scale));
  }
  return largest;
}

}  // namespace

JointBlocksScales joint_blocks_scales(std::size_t numbers, const JointBlocksPlan& plan) {
  const Rational s = exact_rational(plan.scale);
  const Rational sum = Rational(2 * Integer(numbers)) * s;
  const Rational ratio(plan.drops ? 4 : 2);
  const Rational count = plan.squares ? Rational(2 * ratio / (ratio - 1) * s) : Rational(2 * s);
  return {count, sum, ratio * sum};
}

Measurement make_joint_blocks(BlockResults results,
                              std::vector<BlockOutput> outputs,
                              const JointBlocksPlan& plan) {
  check_joint_blocks(results, outputs, plan);
  const std::uint32_t overlap = results.design().overlap();
  const auto blocks_moved = [overlap](const Distance& d_in) {
    return Rational(Integer(mul_up(number_in<std::uint32_t>(d_in), overlap)));
  };
  const Rational scale = exact_rational(plan.scale);
  PrivacyMap map = [=](const Distance& d_in) -> Distance {
    return Scalar(laplace_loss(blocks_moved(d_in), scale));
  };
  LossMap laws = [=, step = largest_step_of(outputs, plan)](const Distance& d_in) {
    const Rational total = blocks_moved(d_in) / scale;
    return std::vector<LossPair>{laplace_path_pair(total, step)};
  };
  const Metric metric = results.metric();
  return Measurement(DataFrameDomain{AtomType::string},
                     metric,
                     max_divergence(),
                     stage_function<JointBlocks>(std::move(results), std::move(outputs), plan),
                     std::move(map),
                     std::move(laws));
}

}  // namespace dp
