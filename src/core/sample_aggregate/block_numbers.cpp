#include "core/sample_aggregate/block_numbers.h"

#include <algorithm>

#include "core/error.h"
#include "core/measurements/checked_column.h"

namespace dp {

BlockNumbers::BlockNumbers(const Domain& input_domain, const Metric& input_metric) {
  const RowDomain rows = row_domain(input_domain);
  if (rows.atom.type != AtomType::i64 || rows.option) {
    throw Error(ErrorKind::failed_cast, "input_domain must be a vector of i64.");
  }
  if (!rows.size || !rows.atom.bounds) {
    throw Error(ErrorKind::make_measurement, "input_domain must have bounds and a size.");
  }
  if (!is_bounded(input_metric)) {
    refuse_metric(input_metric, "input_metric must be ChangeOneDistance or HammingDistance");
  }
  size = static_cast<std::size_t>(*rows.size);
  lower = std::get<std::int64_t>(rows.atom.bounds->lower);
  upper = std::get<std::int64_t>(rows.atom.bounds->upper);
}

std::vector<std::int64_t> BlockNumbers::read(const Value& value) const {
  const Column& rows = *rows_in(value);
  check_member_column<std::int64_t>(rows, size);
  std::vector<std::int64_t> numbers(size);
  each_cell<std::int64_t>(
      rows, [&](std::int64_t cell, std::size_t i) { numbers[i] = std::clamp(cell, lower, upper); });
  return numbers;
}

}  // namespace dp
