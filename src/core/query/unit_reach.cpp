#include "core/query/unit_reach.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/error.h"

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
  UnitWalk(const Unit& unit, std::uint32_t d_in)
      : unit_(unit), people_(people_in_shards(unit, d_in)) {
    if (unit.kind == Unit::Kind::rows) known_.add(Descriptor{{}, d_in, {}});
    if (unit.kind == Unit::Kind::changes) {
      known_.add(Descriptor{{}, std::uint64_t{2} * d_in, {}});
      Promise size;
      size.lengths = true;
      known_.add(size);
    }
  }

  const Contributions& known() const { return known_; }

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
    for (const Field& field : step.table.fields) {
      if (is_public_key(step, field.name)) continue;
      keep_identifier(field.name);
      known_.forget_column(field.name);
    }
    using How = JoinPublic::How;
    if (step.how == How::left || step.how == How::inner) {
      std::vector<std::string> keys;
      for (const auto& names : step.by) keys.push_back(names.second);
      const std::uint64_t most = multiplicity(step.table, keys);
      known_.multiply(step.how == How::left ? std::max<std::uint64_t>(most, 1) : most);
      if (step.how == How::left && most <= 1) return;
    }
    known_.forget_invariants();
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

  static bool is_public_key(const JoinPublic& step, const std::string& name) {
    return std::any_of(
        step.by.begin(), step.by.end(), [&](const auto& names) { return names.second == name; });
  }

  const std::vector<std::string>& identifier() const {
    static const std::vector<std::string> kNone;
    return unit_.kind == Unit::Kind::id ? unit_.id : kNone;
  }

  // `name` is about to become another column.
  void keep_identifier(const std::string& name) const {
    const auto& names = identifier();
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      throw Error(ErrorKind::unsupported,
                  "`" + name + "` says whose rows are whose, so it cannot be changed or renamed.");
    }
  }

  void lose_identifier(const std::string& name) {
    if (!truncated_) {
      throw Error(ErrorKind::unsupported,
                  "`" + name + "` says whose rows are whose: keep it until dp_truncate().");
    }
    lost_ = true;
  }

  void need_identifier(const std::string& step) const {
    if (unit_.kind != Unit::Kind::id) {
      throw Error(ErrorKind::unsupported, step + " needs a unit with an `id`.");
    }
    if (lost_) {
      throw Error(ErrorKind::unsupported,
                  step + " needs " + in_ticks(unit_.id) + ", which an earlier step left out.");
    }
  }

  const Unit& unit_;
  std::uint64_t people_;
  Contributions known_;
  bool truncated_ = false;
  bool lost_ = false;
};

// Text by which equal literals are equal. Numbers of all types are compared as numbers.
std::string text_of_key(const Literal& literal) {
  if (const auto* flag = std::get_if<bool>(&literal.value)) return *flag ? "n1" : "n0";
  if (const auto* whole = std::get_if<std::int64_t>(&literal.value)) {
    return "n" + std::to_string(static_cast<double>(*whole));
  }
  if (const auto* real = std::get_if<double>(&literal.value)) return "n" + std::to_string(*real);
  return "t" + std::get<std::string>(literal.value);
}

const std::vector<Literal>& column_of(const PublicTable& table, const std::string& name) {
  for (std::size_t i = 0; i < table.fields.size(); ++i) {
    if (table.fields[i].name == name) return table.columns[i];
  }
  throw Error(ErrorKind::domain, "the public table has no column `" + name + "`.");
}

}  // namespace

std::uint64_t multiplicity(const PublicTable& table, const std::vector<std::string>& columns) {
  std::vector<const std::vector<Literal>*> parts;
  for (const std::string& name : columns) parts.push_back(&column_of(table, name));
  const std::size_t size = table.columns.empty() ? 0 : table.columns.front().size();
  std::map<std::vector<std::string>, std::uint64_t> seen;
  std::uint64_t most = 0;
  for (std::size_t row = 0; row < size; ++row) {
    std::vector<std::string> key;
    for (const auto* part : parts) {
      const Literal& literal = (*part)[row];
      if (!std::holds_alternative<std::monostate>(literal.value)) {
        key.push_back(text_of_key(literal));
      }
    }
    if (key.size() == parts.size()) most = std::max(most, ++seen[key]);
  }
  return most;
}

std::uint64_t people_in_shards(const Unit& unit, std::uint32_t d_in) {
  return std::uint64_t{d_in} * unit.shards;
}

Contributions contributions_after(const Source& source,
                                  const std::vector<Step>& steps,
                                  std::uint32_t d_in) {
  UnitWalk walk(source.unit, d_in);
  for (const Step& step : steps) std::visit(walk, step);
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

}  // namespace dp::query
