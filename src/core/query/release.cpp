#include "core/query/release.h"

#include <cmath>
#include <limits>
#include <utility>

#include "core/data/column.h"
#include "core/query/estimates.h"
#include "core/query/measure.h"
#include "core/runtime/parallel.h"

namespace dp::query {
namespace {

// Selects the groups at `kept`, in their order.
Groups groups_at(const Groups& groups, const std::vector<std::size_t>& kept) {
  Groups result;
  for (const std::size_t i : kept) {
    result.keys.push_back(groups.keys[i]);
    result.places.push_back(groups.places[i]);
  }
  return result;
}

class QueryRelease {
 public:
  QueryRelease(const QueryPlan& plan, const ExactAggregates& tallied, BitSource& bits)
      : plan_(plan), tallied_(tallied), bits_(bits), measured_(plan.parts().parts.size()) {}

  Value make() {
    groups_ = candidate_groups(plan_.keys(), tallied_);
    if (plan_.threshold()) apply_threshold();
    if (plan_.selection()) apply_selection();
    for (std::size_t i = 0; i < measured_.size(); ++i) {
      if (plan_.threshold() && i == *plan_.parts().threshold) continue;
      measured_[i] = measured(i);
    }
    return packed();
  }

 private:
  Measured measured(std::size_t part) {
    const NoisyComponent& its = plan_.parts().parts[part];
    if (its.kind == NoisyComponent::Kind::model) {
      return measure_model(plan_.parts(), its, *plan_.laws()[part], tallied_, bits_);
    }
    return measure(
        plan_.parts(), its, plan_.laws()[part], plan_.kind(), tallied_, groups_.places, bits_);
  }

  void apply_threshold() {
    const std::size_t part = *plan_.parts().threshold;
    const Measured all = measured(part);
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < all.numbers.size(); ++i) {
      if (all.numbers[i] < *plan_.threshold()) continue;
      kept.push_back(i);
      measured_[part].numbers.push_back(all.numbers[i]);
    }
    groups_ = groups_at(groups_, kept);
  }

  void apply_selection() {
    const std::vector<int128_t>& counts = tallied_.values[*plan_.parts().selection];
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < groups_.places.size(); ++i) {
      check_interrupt();
      if (plan_.selection()->selects(counts[groups_.places[i]], bits_)) kept.push_back(i);
    }
    groups_ = groups_at(groups_, kept);
  }

  // Results.

  Value packed() const {
    const Statement& statement = plan_.statement();
    const NoisyComponents noisy{
        statement, plan_.parts(), plan_.laws(), plan_.kind(), measured_, groups_.keys.size()};
    Value::Tuple values, deviations, lower, upper, marks;
    for (const Output& output : statement.outputs) {
      const Estimates result = output_of(noisy, output, plan_.alpha());
      values.push_back(column_of(result, result.values));
      deviations.push_back(column_of(result, result.deviations));
      lower.push_back(column_of(result, result.lower));
      upper.push_back(column_of(result, result.upper));
      marks.push_back(column_of(result, numbers_of_marks(result.marks)));
    }
    return Value::Tuple{key_columns(), values, deviations, lower, upper, marks};
  }

  static std::vector<double> numbers_of_marks(const std::vector<Mark>& marks) {
    std::vector<double> numbers;
    for (const Mark mark : marks) numbers.push_back(static_cast<double>(mark));
    return numbers;
  }

  static ColumnPtr numbers_column(const double* from, std::size_t size) {
    auto column = std::make_shared<OwnedColumn<double>>(AtomType::f64, size);
    for (std::size_t i = 0; i < size; ++i) {
      column->cells()[i] = from[i];
      if (std::isnan(from[i])) column->valid()[i] = 0;
    }
    return column;
  }

  static Value column_of(const Estimates& estimates, const std::vector<double>& numbers) {
    if (!estimates.is_list) return numbers_column(numbers.data(), numbers.size());
    Value::Tuple groups;
    for (std::size_t begin = 0; begin < numbers.size(); begin += estimates.width) {
      groups.push_back(numbers_column(numbers.data() + begin, estimates.width));
    }
    return groups;
  }

  Value key_columns() const {
    Value::Tuple columns;
    for (std::size_t i = 0; i < plan_.keys().fields.size(); ++i) columns.push_back(key_column(i));
    return columns;
  }

  ColumnPtr key_column(std::size_t at) const {
    const Field& field = plan_.keys().fields[at];
    const bool is_text =
        field.type == FieldType::text || (field.type == FieldType::levels && !field.whole_levels);
    if (field.type == FieldType::logical) {
      return filled<bool>(
          AtomType::boolean, at, [](const KeyPart& part) { return part.whole != 0; });
    }
    if (is_text) {
      return filled<std::string>(
          AtomType::string, at, [&](const KeyPart& part) { return text_of_part(part, field); });
    }
    const auto whole = [&](const KeyPart& part) {
      return field.type == FieldType::levels ? std::stoll(text_of_part(part, field)) : part.whole;
    };
    return filled<std::int64_t>(AtomType::i64, at, whole);
  }

  static std::string text_of_part(const KeyPart& part, const Field& field) {
    return part.is_text ? part.text : field.levels[static_cast<std::size_t>(part.whole)];
  }

  template <class T, class Of>
  ColumnPtr filled(AtomType type, std::size_t at, Of of) const {
    auto column = std::make_shared<OwnedColumn<T>>(type, groups_.keys.size());
    for (std::size_t i = 0; i < groups_.keys.size(); ++i) {
      const KeyPart& part = groups_.keys[i][at];
      if (part.missing) {
        column->valid()[i] = 0;
      } else if constexpr (std::is_same_v<T, std::string>) {
        column->cells()[i] = column->keep(of(part));
      } else {
        column->cells()[i] = of(part);
      }
    }
    return column;
  }

  const QueryPlan& plan_;
  const ExactAggregates& tallied_;
  BitSource& bits_;
  std::vector<Measured> measured_;
  Groups groups_;
};

}  // namespace

Value release_of(const QueryPlan& plan, const ExactAggregates& tallied, BitSource& bits) {
  return QueryRelease(plan, tallied, bits).make();
}

}  // namespace dp::query
