#include "core/measurements/moments_by_position.h"

#include <memory>
#include <string>
#include <utility>

#include "core/data/frame.h"
#include "core/measurements/refuse.h"
#include "core/table/each_cell.h"
#include "core/transformations/rows/gather.h"

namespace dp {
namespace {

class MomentsByPosition final : public WholeStage {
 public:
  MomentsByPosition(std::string column,
                    std::vector<Measurement> groups,
                    std::vector<std::uint64_t> sizes)
      : column_(std::move(column)), groups_(std::move(groups)), sizes_(std::move(sizes)) {}

  Value run(const Value& value) const override {
    const ColumnPtr& rows = rows_in(value);
    std::vector<double> released;
    std::size_t begin = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const Value moments = groups_[g].invoke(group_of(*rows, begin, sizes_[g]));
      each_cell<double>(*rows_in(moments), [&](double x, std::size_t) { released.push_back(x); });
      begin += sizes_[g];
    }
    return make_column(AtomType::f64, released);
  }

 private:
  // Rows before the group move behind all others, where gather() drops them.
  Value group_of(const Column& rows, std::size_t begin, std::size_t size) const {
    std::vector<std::size_t> places = places_in_order(rows.size());
    for (std::size_t& place : places) {
      place = place < begin ? place + rows.size() - begin : place - begin;
    }
    std::vector<NamedColumn> group{{Scalar(column_), gather(rows, places, size, std::nullopt)}};
    return std::make_shared<const Frame>(AtomType::string, std::move(group));
  }

  std::string column_;
  std::vector<Measurement> groups_;
  std::vector<std::uint64_t> sizes_;
};

constexpr std::size_t kMostGroups = 1000;

}  // namespace

Measurement make_moments_by_position(const ColumnSpec& column,
                                     const JointPlan& plan,
                                     const std::vector<std::uint64_t>& sizes) {
  if (sizes.empty() || sizes.size() > kMostGroups)
    refuse_measurement("there must be from 1 to 1000 groups.");
  std::vector<Measurement> groups;
  std::uint64_t total = 0;
  for (const std::uint64_t size : sizes) {
    JointPlan own = plan;
    own.n = size;
    groups.push_back(make_joint_moments({column}, own));
    total += size;
  }
  const Measurement first = groups.front();
  return Measurement(
      VectorDomain{std::make_shared<const Domain>(default_atom(AtomType::f64)), total},
      hamming_distance(),
      first.output_measure(),
      stage_function<MomentsByPosition>(column.name, std::move(groups), sizes),
      first.privacy_map(),
      first.loss_map());
}

}  // namespace dp
