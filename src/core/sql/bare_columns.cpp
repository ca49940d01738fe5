#include "core/sql/bare_columns.h"

#include <optional>

#include "core/query/per_unit_sink.h"
#include "core/query/segment.h"
#include "core/query/truncate_sink.h"
#include "core/sql/expression.h"

namespace dp::sql {
namespace {

using query::Field;
using query::FieldType;
using query::Quantiser;
using query::RowStep;

bool lies_within(double lower, double upper, const Quantiser& quantiser) {
  const bool point = quantiser.lower == quantiser.upper && quantiser.least == quantiser.most;
  return point || (quantiser.lower >= lower && quantiser.upper <= upper);
}

// Whether clamping to the declaration before the lattice changes nothing. Whole numbers must not
// become doubles, because no double marks the least integer as missing. Numbers of any size must
// not be subtracted from, because engines can evaluate an expression despite its condition.
bool needs_no_clamp(const Field& field, const Quantiser& quantiser) {
  if (field.type == FieldType::real && field.reals) {
    return lies_within(field.reals->first, field.reals->second, quantiser);
  }
  const bool compared = stays_whole(quantiser) && quantiser.offset == 0;
  if (field.type != FieldType::integer || !compared) return false;
  if (!field.wholes) return true;
  return lies_within(static_cast<double>(field.wholes->first),
                     static_cast<double>(field.wholes->second),
                     quantiser);
}

// Follows the declared columns through the steps before rows of people meet.
class Readings {
 public:
  explicit Readings(const std::vector<Field>& fields) : fields_(fields) {
    for (std::size_t place = 0; place < fields.size(); ++place) {
      declared_at_.emplace_back(place);
      only_.insert(place);
    }
  }

  const std::set<std::size_t>& only() const { return only_; }

  void add(const RowStep& step) {
    switch (step.kind) {
      case RowStep::Kind::select:
        return select(step.sources);
      case RowStep::Kind::join:
        for (const query::BoundPtr& key : step.join->own_keys) read(*key);
        for (std::size_t c = 0; c < step.join->columns.size(); ++c) put(step.place + c);
        return;
      case RowStep::Kind::quantise:
        if (!is_bare(step)) read(*step.expression);
        return put(step.place);
      case RowStep::Kind::mutate:
        read(*step.expression);
        return put(step.place);
      case RowStep::Kind::filter:
        read(*step.expression);
    }
  }

  void read(std::size_t place) {
    if (place < declared_at_.size() && declared_at_[place]) only_.erase(*declared_at_[place]);
  }

  void read(const query::Bound& expression) {
    std::set<std::size_t> places;
    query::add_places(expression, places);
    for (const std::size_t place : places) read(place);
  }

 private:
  bool is_bare(const RowStep& step) const {
    if (step.expression->op != query::Operator::column) return false;
    const std::size_t place = step.expression->column;
    if (place >= declared_at_.size() || !declared_at_[place]) return false;
    return needs_no_clamp(fields_[*declared_at_[place]], step.quantiser);
  }

  // A computed column is not a declared column.
  void put(std::size_t place) {
    if (declared_at_.size() <= place) declared_at_.resize(place + 1);
    declared_at_[place] = std::nullopt;
  }

  void select(const std::vector<std::size_t>& sources) {
    std::vector<std::optional<std::size_t>> chosen;
    for (const std::size_t source : sources) {
      chosen.push_back(source < declared_at_.size() ? declared_at_[source] : std::nullopt);
    }
    declared_at_ = std::move(chosen);
  }

  const std::vector<Field>& fields_;
  std::vector<std::optional<std::size_t>> declared_at_;  // of each place now
  std::set<std::size_t> only_;
};

void read_at_meeting(const query::Pipeline::Stage& stage,
                     const query::Step& meeting,
                     Readings& readings) {
  if (!std::holds_alternative<query::Truncate>(meeting)) {
    const auto& sink = static_cast<const query::PerUnitSink&>(*stage.sink);
    for (const std::size_t place : sink.places()) readings.read(place);
    return;
  }
  const auto& sink = static_cast<const query::TruncateSink&>(*stage.sink);
  const query::TruncateSink::Carried carried = sink.carried();
  for (const auto* places : {&carried.by, &carried.keys, &carried.values}) {
    for (const std::size_t place : *places) readings.read(place);
  }
  if (sink.order()) readings.read(*sink.order());
}

}  // namespace

std::set<std::size_t> only_on_lattices(const query::Pipeline& pipeline,
                                       const std::vector<Field>& fields) {
  Readings readings(fields);
  const query::Pipeline::Stage& first = pipeline.stages()[0];
  for (const RowStep& step : first.segment.steps()) readings.add(step);
  if (pipeline.meetings().empty()) {
    for (const std::size_t place : pipeline.plan().by) readings.read(place);
    for (const auto& tally : pipeline.plan().tallies) {
      if (tally.kind != query::ExactAggregate::Kind::rows) readings.read(tally.place);
      if (tally.weights) readings.read(*tally.weights);
    }
  } else {
    read_at_meeting(first, pipeline.meetings()[0], readings);
  }
  return readings.only();
}

}  // namespace dp::sql
