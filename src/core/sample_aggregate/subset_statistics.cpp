#include "core/sample_aggregate/subset_statistics.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/numeric/directed.h"
#include "core/numeric/rational.h"
#include "core/runtime/parallel.h"
#include "core/runtime/scratch.h"
#include "core/sample_aggregate/whole_statistic.h"
#include "core/shuffle/random_partition.h"
#include "core/transformations/sums/lattice_kernels.h"

namespace dp {
namespace {

BlockShape shape_of(const Domain& input_domain, std::uint64_t blocks) {
  const RowDomain rows = row_domain(input_domain);
  if (!rows.size) throw Error(ErrorKind::make_transformation, "input_domain must have a size.");
  if (blocks == 0 || blocks > *rows.size) {
    throw Error(ErrorKind::make_transformation,
                "the number of blocks must be at least 1 and at most the number of rows.");
  }
  return {static_cast<std::size_t>(*rows.size), static_cast<std::size_t>(blocks)};
}

const AtomDomain& atom_of(const RowDomain& rows) {
  if (rows.option) throw Error(ErrorKind::failed_cast, "input_domain must not admit nulls.");
  return rows.atom;
}

// Writes the rows of a block of the data as steps of their lattice, clamped to its range.
using RowReader = std::function<void(const Batch&, std::int64_t*)>;

RowReader lattice_reader(const AtomDomain& atom, const LatticeRange& range) {
  if (atom.type == AtomType::i64) {
    return [range](const Batch& batch, std::int64_t* out) {
      const auto* rows = batch.as<std::int64_t>();
      for (std::size_t i = 0; i < batch.size; ++i) {
        out[i] = std::min(std::max(rows[i], range.lower), range.upper);
      }
    };
  }
  const LatticeRule rule{std::get<double>(atom.bounds->lower),
                         std::get<double>(atom.bounds->upper),
                         range.lattice.reciprocal()};
  return [rule](const Batch& batch, std::int64_t* out) {
    lattice_kernels().index(batch.as<double>(), batch.size, rule, out);
  };
}

void check_size(const Column& rows, const BlockShape& shape) {
  if (rows.size() != shape.rows) {
    refuse_nonmember();
  }
}

class SubsetStatistics final : public WholeStage {
 public:
  SubsetStatistics(BlockShape shape, BlockStatistic statistic, std::int64_t lower, RowReader reader)
      : shape_(shape), statistic_(statistic), lower_(lower), reader_(std::move(reader)) {}

  bool streams() const override { return true; }

  Value run(const Value& value) const override {
    const Column& rows = *rows_in(value);
    check_size(rows, shape_);
    const std::size_t threads = rows.concurrent() ? threads_for_rows(shape_.rows) : 1;
    auto results = std::make_shared<OwnedColumn<std::int64_t>>(AtomType::i64, shape_.blocks);
    if (statistic_.function() == BlockFunction::median || !can_sum_blocks(shape_)) {
      of_blocks(rows, threads, results->cells());
    } else if (statistic_.function() == BlockFunction::mean) {
      of_sums<BlockSum>(rows, threads, results->cells());
    } else {
      of_sums<BlockSquares>(rows, threads, results->cells());
    }
    return ColumnPtr(std::move(results));
  }

 private:
  // Keeps every block in memory.
  void of_blocks(const Column& rows, std::size_t threads, std::int64_t* results) const {
    const auto dealt = make_scratch<std::int64_t>(shape_.rows);
    const ElementRuns<std::int64_t> steps =
        [&](std::size_t begin, std::size_t end, const auto& take) {
          each_run(rows, begin, end, [&](std::int64_t* run, std::size_t size) { take(run, size); });
        };
    deal(steps,
         shape_,
         BlockOrder::arbitrary,
         bins_for(shape_, BlockOrder::arbitrary),
         threads,
         secure_bits,
         dealt.get());
    parallel_for(shape_.blocks, threads, [&](std::size_t block) {
      results[block] = statistic_(dealt.get() + shape_.begin(block), shape_.size(block));
    });
  }

  template <class Sums>
  void of_sums(const Column& rows, std::size_t threads, std::int64_t* results) const {
    const ElementRuns<std::uint64_t> above =
        [&](std::size_t begin, std::size_t end, const auto& take) {
          std::uint64_t run_above[kBatchRows];
          each_run(rows, begin, end, [&](const std::int64_t* run, std::size_t size) {
            for (std::size_t i = 0; i < size; ++i) {
              run_above[i] = static_cast<std::uint64_t>(run[i] - lower_);
            }
            take(run_above, size);
          });
        };
    const std::vector<Sums> sums = block_sums<Sums>(above, shape_, threads, secure_bits);
    std::transform(sums.begin(), sums.end(), results, statistic_);
  }

  template <class F>
  void each_run(const Column& rows, std::size_t begin, std::size_t end, F&& take) const {
    BatchBuffer buffer;
    std::int64_t run[kBatchRows];
    for (; begin < end; begin += kBatchRows) {
      const std::size_t size = std::min(kBatchRows, end - begin);
      reader_(rows.read(begin, size, buffer), run);
      take(run, size);
    }
  }

  BlockShape shape_;
  BlockStatistic statistic_;
  std::int64_t lower_;  // of the rows
  RowReader reader_;
};

// c of the header.
std::function<std::uint32_t(std::uint32_t)> replaced_rows(const Metric& input_metric) {
  switch (input_metric.kind) {
    case MetricKind::change_one:
      return [](std::uint32_t d_in) { return d_in; };
    case MetricKind::symmetric:
      return [](std::uint32_t d_in) { return d_in / 2; };
    default:
      throw Error(ErrorKind::type, "input_metric must be ChangeOneDistance or SymmetricDistance.");
  }
}

Transformation make_subsets(const Domain& input_domain,
                            const Metric& input_metric,
                            const BlockShape& shape,
                            const LatticeRange& range,
                            std::int64_t sensitivity,
                            const Metric& output_metric,
                            Function function) {
  const bool l1 = output_metric == l1_distance(AtomType::i64);
  if (!l1 && output_metric != hamming_distance()) {
    throw Error(ErrorKind::type, "output_metric must be L1Distance(i64) or HammingDistance.");
  }
  return Transformation(
      input_domain,
      input_metric,
      vector_of(closed_atom(AtomType::i64, range.lower, range.upper), shape.blocks),
      output_metric,
      std::move(function),
      [replaced = replaced_rows(input_metric), sensitivity, l1](const Distance& d_in) -> Distance {
        const std::uint32_t rows = replaced(number_in<std::uint32_t>(d_in));
        if (!l1) return Scalar(rows);
        return Scalar(mul_up<std::int64_t>(rows, sensitivity));
      });
}

}  // namespace

BlockStatistic block_statistic_of(const Domain& input_domain,
                                  BlockFunction function,
                                  std::uint64_t blocks) {
  return BlockStatistic(
      function, range_of_rows(atom_of(row_domain(input_domain))), shape_of(input_domain, blocks));
}

Transformation make_subset_statistics(const Domain& input_domain,
                                      const Metric& input_metric,
                                      BlockFunction function,
                                      std::uint64_t blocks,
                                      const Metric& output_metric) {
  const BlockStatistic statistic = block_statistic_of(input_domain, function, blocks);
  const AtomDomain atom = atom_of(row_domain(input_domain));
  const BlockShape shape = shape_of(input_domain, blocks);
  const LatticeRange range = range_of_rows(atom);
  return make_subsets(input_domain,
                      input_metric,
                      shape,
                      statistic.range(),
                      statistic.sensitivity(),
                      output_metric,
                      blocks == 1 && function != BlockFunction::median
                          ? whole_statistic(atom, statistic, shape.rows)
                          : stage_function<SubsetStatistics>(
                                shape, statistic, range.lower, lattice_reader(atom, range)));
}

}  // namespace dp
