#include "core/query/unit_reach.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/query/join_table.h"
#include "core/query/schema.h"

namespace dp::query {
namespace {

std::string in_ticks(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 < names.size() ? ", " : " and ";
    text += "`" + names[i] + "`";
  }
  return text;
}

// One walk over the steps.
class UnitWalk {
 public:
  UnitWalk(const Source& source, std::uint32_t d_in)
      : unit_(source.unit),
        people_(people_in_shards(source.unit, d_in)),
        fields_(declared_fields(source)) {
    if (unit_.kind == Unit::Kind::rows) known_.add(Descriptor{{}, d_in, {}});
    if (unit_.kind == Unit::Kind::changes) {
      known_.add(Descriptor{{}, std::uint64_t{2} * d_in, {}});
      Promise size;
      size.lengths = true;
      known_.add(size);
    }
  }

  const Contributions& known() const { return known_; }

  void take(const Step& step) {
    std::vector<Field> after = fields_after_step(fields_, step);
    std::visit(*this, step);
    fields_ = std::move(after);
  }

  void operator()(const Filter&) { known_.forget_invariants(); }

  void operator()(const Mutate& step) {
    keep_identifier(step.name);
    known_.forget_column(step.name);
  }

  void operator()(const Select& step) {
    std::vector<std::pair<std::string, std::string>> old_to_new;
    std::set<std::string> untouched;
    for (const auto& [name, old] : step.columns) {
      old_to_new.emplace_back(old, name);
      if (name == old) untouched.insert(name);
      if (name != old) keep_identifier(name);
      if (name != old) keep_identifier(old);
    }
    for (const std::string& name : identifier()) {
      if (untouched.count(name) == 0) lose_identifier(name);
    }
    known_.rename_columns(old_to_new);
  }

  void operator()(const JoinPublic& step) {
    for (const std::size_t place : joined_columns(step)) {
      const std::string& name = step.table.fields[place].name;
      keep_identifier(name);
      known_.forget_column(name);
    }
    TextPool texts;
    const std::uint64_t rows_of_one = join_table(step, fields_, texts).most_rows_of_one();
    known_.multiply(rows_of_one);
    const bool keeps_rows = step.how == JoinPublic::How::left && rows_of_one == 1;
    if (!keeps_rows) known_.forget_invariants();
  }

  void operator()(const PerUnit& step) {
    need_identifier("per_unit()");
    known_.forget_invariants();
    std::vector<std::pair<std::string, std::string>> kept;
    for (const std::string& name : step.by) kept.emplace_back(name, name);
    for (const std::string& name : identifier()) kept.emplace_back(name, name);
    for (const PerUnitValue& value : step.values) keep_identifier(value.name);
    known_.rename_columns(kept);
    known_.add(Descriptor{{step.by.begin(), step.by.end()}, people_, {}});
    truncated_ = true;
  }

  void operator()(const Truncate& step) {
    need_identifier("dp_truncate()");
    known_.forget_invariants();
    const Columns by(step.by.begin(), step.by.end());
    const Amount in_groups = product(as_amount(step.groups), as_amount(step.rows_per_group));
    known_.add(Descriptor{{}, people_times(least(as_amount(step.rows), in_groups)), {}});
    known_.add(Descriptor{
        by, people_times(as_amount(step.rows_per_group)), people_times(as_amount(step.groups))});
    truncated_ = true;
  }

  void operator()(const Margin& step) {
    Promise promise;
    promise.by = Columns(step.by.begin(), step.by.end());
    promise.keys = step.keys_are_public;
    promise.lengths = step.lengths_are_public;
    promise.most_groups = as_amount(step.most_groups);
    promise.most_rows = as_amount(step.most_rows);
    known_.add(std::move(promise));
  }

 private:
  static Amount as_amount(const std::optional<std::uint32_t>& number) {
    if (!number) return {};
    return *number;
  }

  Amount people_times(const Amount& cap) const { return product(cap, people_); }

  const std::vector<std::string>& identifier() const {
    static const std::vector<std::string> kNone;
    return unit_.kind == Unit::Kind::id ? unit_.id : kNone;
  }

  // `name` is about to become a different column.
  void keep_identifier(const std::string& name) const {
    const auto& names = identifier();
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      throw Error(ErrorKind::unsupported,
                  "`" + name + "` identifies people, so you cannot change or rename it.");
    }
  }

  void lose_identifier(const std::string& name) {
    if (!truncated_) {
      throw Error(ErrorKind::unsupported,
                  "`" + name + "` identifies people. Keep it until `dp_truncate()`.");
    }
    lost_ = true;
  }

  void need_identifier(const std::string& step) const {
    if (unit_.kind != Unit::Kind::id) {
      throw Error(ErrorKind::unsupported, step + " needs a unit with an `id`.");
    }
    if (lost_) {
      throw Error(
          ErrorKind::unsupported,
          step + " needs " + in_ticks(unit_.id) + ", but an earlier step drops it. Keep it.");
    }
  }

  const Unit& unit_;
  std::uint64_t people_;
  std::vector<Field> fields_;  // before the step
  Contributions known_;
  bool truncated_ = false;
  bool lost_ = false;
};

}  // namespace

std::uint64_t people_in_shards(const Unit& unit, std::uint32_t d_in) {
  return std::uint64_t{d_in} * unit.shards;
}

bool has_replacements(const Unit& unit) {
  return unit.kind == Unit::Kind::changes || unit.count > 1;
}

Contributions contributions_after(const Source& source,
                                  const std::vector<Step>& steps,
                                  std::uint32_t d_in) {
  UnitWalk walk(source, d_in);
  for (const Step& step : steps) walk.take(step);
  return walk.known();
}

void refuse_unbounded(const Statement& statement, Cap missing) {
  const std::string who = in_ticks(statement.source.unit.id);
  if (missing == Cap::groups) {
    throw Error(ErrorKind::unbounded,
                "One " + who + " may be in any number of " + in_ticks(statement.by) +
                    " groups; only the rows in each are limited.");
  }
  throw Error(ErrorKind::unbounded, "The rows of one " + who + " are not limited.");
}

void refuse_unprotected(const Unit& unit, const std::string& column) {
  const bool people = unit.kind == Unit::Kind::id;
  throw Error(ErrorKind::unsupported,
              std::string("With public lengths of groups, one ") + (people ? "person" : "row") +
                  " cannot come or go, so `" + column +
                  "` would be released without noise that hides anyone. Protect " +
                  (people ? "a replaced person with `dp_unit(n = 2)`"
                          : "replaced rows with `dp_unit(changes = 1)`") +
                  ", or leave `lengths` out of `dp_margin()`.");
}

}  // namespace dp::query
