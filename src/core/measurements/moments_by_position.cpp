#include "core/measurements/moments_by_position.h"

#include <numeric>

#include "core/data/frame.h"
#include "core/measurements/refuse.h"
#include "core/table/each_cell.h"
#include "core/transformations/rows/gather.h"

namespace dp {
namespace {

class MomentsByPosition final : public WholeStage {
 public:
  MomentsByPosition(const std::vector<ColumnSpec>& columns,
                    std::vector<Measurement> groups,
                    std::vector<std::uint64_t> sizes)
      : groups_(std::move(groups)), sizes_(std::move(sizes)) {
    for (const ColumnSpec& column : columns) names_.push_back(column.name);
  }

  Value run(const Value& value) const override {
    const std::vector<NamedColumn> all = columns_of(*frame_in(value));
    std::vector<double> released;
    std::size_t begin = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const Value moments = groups_[g].invoke(group_of(all, begin, sizes_[g]));
      each_cell<double>(*rows_in(moments), [&](double x, std::size_t) { released.push_back(x); });
      begin += sizes_[g];
    }
    return make_column(AtomType::f64, released);
  }

 private:
  std::vector<NamedColumn> columns_of(const Frame& frame) const {
    const std::size_t total = std::accumulate(sizes_.begin(), sizes_.end(), std::size_t{0});
    std::vector<NamedColumn> all;
    for (const std::string& name : names_) {
      ColumnPtr rows = frame.column(Scalar(name), AtomType::f64);
      if (rows->size() != total) refuse_nonmember();
      all.emplace_back(Scalar(name), std::move(rows));
    }
    return all;
  }

  // Rows before the group go behind all others, which gather() leaves out.
  static Value group_of(const std::vector<NamedColumn>& all, std::size_t begin, std::size_t size) {
    std::vector<NamedColumn> group;
    for (const NamedColumn& each : all) {
      const ColumnPtr rows = each.contents->as(AtomType::f64);
      std::vector<std::size_t> places = places_in_order(rows->size());
      for (std::size_t& place : places) {
        place = place < begin ? place + places.size() - begin : place - begin;
      }
      group.emplace_back(each.name, gather(*rows, places, size, std::nullopt));
    }
    return std::make_shared<const Frame>(AtomType::string, std::move(group));
  }

  std::vector<std::string> names_;
  std::vector<Measurement> groups_;
  std::vector<std::uint64_t> sizes_;
};

constexpr std::size_t kMostGroups = 1000;

}  // namespace

Measurement make_moments_by_position(const std::vector<ColumnSpec>& columns,
                                     const JointPlan& plan,
                                     const std::vector<std::uint64_t>& sizes) {
  if (sizes.empty() || sizes.size() > kMostGroups)
    refuse_measurement("there must be from 1 to 1000 groups.");
  std::vector<Measurement> groups;
  for (const std::uint64_t size : sizes) {
    JointPlan own = plan;
    own.n = size;
    groups.push_back(make_joint_moments(columns, own));
  }
  const Measurement first = groups.front();
  return Measurement(first.input_domain(),
                     hamming_distance(),
                     first.output_measure(),
                     stage_function<MomentsByPosition>(columns, std::move(groups), sizes),
                     first.privacy_map(),
                     first.loss_map());
}

}  // namespace dp
