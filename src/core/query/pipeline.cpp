#include "core/query/pipeline.h"

#include <algorithm>
#include <cassert>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/expressions/promote.h"
#include "core/expressions/typing.h"
#include "core/query/per_unit_sink.h"
#include "core/query/same_expression.h"
#include "core/query/schema.h"
#include "core/query/truncate_sink.h"

namespace dp::query {
namespace {

const QueryColumn& column_of(const QueryRows& rows, const std::string& name) {
  const QueryColumn* column = rows.find(name);
  if (column == nullptr) {
    throw Error(ErrorKind::source, "the data have no column `" + name + "`.");
  }
  return *column;
}

bool is_meeting(const Step& step) {
  return std::holds_alternative<Truncate>(step) || std::holds_alternative<PerUnit>(step);
}

// Finds the last truncate() if all later steps can run before it: new columns that change neither
// its keys nor its order. Its rows then carry only the counted columns.
std::size_t last_meeting_if_movable(const std::vector<Step>& steps) {
  std::set<std::string> made;
  for (std::size_t i = steps.size(); i-- > 0;) {
    if (const auto* truncate = std::get_if<Truncate>(&steps[i])) {
      std::set<std::string> used(truncate->by.begin(), truncate->by.end());
      if (truncate->order) {
        for (const std::string& name : columns_of(*truncate->order)) used.insert(name);
      }
      const auto is_made = [&](const std::string& name) { return made.count(name) > 0; };
      return std::none_of(used.begin(), used.end(), is_made) ? i : steps.size();
    }
    if (const auto* mutate = std::get_if<Mutate>(&steps[i])) {
      made.insert(mutate->name);
    } else if (!std::holds_alternative<Margin>(steps[i])) {
      break;
    }
  }
  return steps.size();
}

bool is_lattice_kind(ExactAggregate::Kind kind) {
  return kind == ExactAggregate::Kind::sum || kind == ExactAggregate::Kind::squares ||
         kind == ExactAggregate::Kind::bins || kind == ExactAggregate::Kind::points;
}

// Whether a tally counts only the presence of values.
bool is_presence_kind(ExactAggregate::Kind kind) {
  return kind == ExactAggregate::Kind::missing || kind == ExactAggregate::Kind::present;
}

bool has_points(const Quantiser& quantiser) {
  return quantiser.least < quantiser.most || quantiser.lower < quantiser.upper;
}

bool is_numeric(const Field& field) { return is_number(field) || field.type == FieldType::date; }

// Whether sums of products fit 128 bits, and each product 64 bits.
bool has_good_weights(const ExactAggregate& tally) {
  if (!is_weighted(tally)) return true;
  constexpr std::int64_t kMostFactor = std::int64_t{1} << 31;
  const Quantiser& w = tally.weights.points;
  const bool good = w.least >= 0 && w.least <= w.most && w.most <= kMostFactor &&
                    (!w.fill || (*w.fill >= w.least && *w.fill <= w.most));
  const Quantiser& q = tally.quantiser;
  switch (tally.kind) {
    case ExactAggregate::Kind::sum:
      return good && q.least >= -kMostFactor && q.most <= kMostFactor;
    case ExactAggregate::Kind::rows:
    case ExactAggregate::Kind::present:
    case ExactAggregate::Kind::bins:
      return good;
    default:
      return false;
  }
}

// Sums of squares must fit 128 bits, too.
void check_tally(const ExactAggregate& tally) {
  constexpr std::int64_t kRoot = std::int64_t{1} << 32;
  constexpr std::int64_t kMost = std::int64_t{1} << 62;
  const bool counts = tally.kind == ExactAggregate::Kind::rows || counts_people(tally.kind);
  bool good = (counts || tally.of != nullptr) && has_good_weights(tally);
  if (is_lattice_kind(tally.kind)) {
    const std::int64_t limit = tally.kind == ExactAggregate::Kind::squares ? kRoot : kMost;
    const Quantiser& q = tally.quantiser;
    good = good && q.least <= q.most && q.least >= -limit && q.most <= limit;
    good = good && q.lower <= q.upper && std::abs(q.offset) <= kMost;
    good = good && (!q.fill || (*q.fill >= q.least && *q.fill <= q.most));
  }
  good = good && std::is_sorted(tally.grid.begin(), tally.grid.end());
  if (!good) throw Error(ErrorKind::unsupported, "a tally needs a column, and points in order.");
}

}  // namespace

Pipeline::Pipeline(const Statement& statement,
                   const std::vector<ExactAggregate>& tallies,
                   const QueryRows& rows,
                   const Salt& salt,
                   int hash_bits,
                   bool more)
    : rules_(statement.source.rules), texts_(sip_key(salt.bytes)), lasting_(!more) {
  const auto any_tally = [&](auto&& which) {
    return std::any_of(tallies.begin(), tallies.end(), which);
  };
  const std::size_t counting = add_steps(
      statement, any_tally([](const ExactAggregate& tally) { return counts_people(tally.kind); }));
  counts_dropped_ = any_tally(
      [](const ExactAggregate& tally) { return tally.kind == ExactAggregate::Kind::dropped; });
  if (counts_dropped_ && !std::holds_alternative<Truncate>(meetings_.back())) {
    throw Error(ErrorKind::unsupported,
                "dropped rows are counted only if `dp_truncate()` is the last step.");
  }
  read_ids(statement, rows, stages_.size() > 1);
  ranks_ = std::make_unique<Ranks>(salt, id_kinds(), texts_, 0, hash_bits);
  Segment& segment = stages_[counting].segment;
  // The privacy map walks the same steps independently, so both must find the same columns.
  assert(same_fields(segment.fields(), fields_after(statement.source, statement.steps)));
  add_tallies(tallies, segment);
  add_keys(statement.by, segment);
  const bool moved = counting + 1 < stages_.size();
  if (moved) stages_.back().segment = Segment(segment.fields(), texts_);
  std::set<std::size_t> needed(plan_.by.begin(), plan_.by.end());
  for (const Operand& operand : operands_) needed.insert(operand.place);
  for (std::size_t s = stages_.size(); s-- > 0;) {
    needed = stages_[s].segment.prune(std::move(needed));
    if (s == 0) break;
    const Ranks ranks(salt, id_kinds(), texts_, s, hash_bits);
    needed = make_sink(s - 1, needed, ranks, moved && s + 1 == stages_.size());
  }
  const std::vector<Field> source = declared_fields(statement.source);
  for (const std::size_t place : needed) {
    const Field& field = source[place];
    readers_.emplace_back(
        place, FieldReader(field, column_of(rows, data_column(field)), texts_, lasting_));
  }
  find_ranges(plan_, texts_, lasting_);
}

void Pipeline::take(const QueryRows& rows) {
  for (auto& [place, reader] : readers_) reader.take(column_of(rows, reader.name()), texts_);
  for (IdReader& id : ids_) id.take(column_of(rows, id.name()), texts_);
}

std::vector<std::size_t> Pipeline::columns_read() const {
  std::vector<std::size_t> places;
  for (const auto& reader : readers_) places.push_back(reader.first);
  return places;
}

void Pipeline::read_ids(const Statement& statement, const QueryRows& rows, bool needs_people) {
  const Unit& unit = statement.source.unit;
  if (unit.kind == Unit::Kind::id) {
    for (const std::string& name : unit.id)
      ids_.emplace_back(column_of(rows, name), texts_, lasting_);
  }
  if (needs_people && ids_.empty()) {
    throw Error(ErrorKind::unsupported,
                "only a unit with an `id` can cap and count people: `dp_unit(id = )`.");
  }
}

std::vector<IdKind> Pipeline::id_kinds() const {
  std::vector<IdKind> kinds;
  for (const IdReader& id : ids_) kinds.push_back(id.kind());
  return kinds;
}

// Returns the stage whose steps make the tallies' columns.
std::size_t Pipeline::add_steps(const Statement& statement, bool counts_people) {
  std::vector<Step> steps = statement.steps;
  if (counts_people && std::none_of(steps.begin(), steps.end(), is_meeting)) {
    steps.emplace_back(Truncate{});  // drops no rows, but groups them by person
  }
  const std::size_t movable = last_meeting_if_movable(steps);
  stages_.push_back({Segment(declared_fields(statement.source), texts_), nullptr});
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!is_meeting(steps[i])) {
      stages_[i > movable ? stages_.size() - 2 : stages_.size() - 1].segment.add(steps[i]);
      continue;
    }
    meetings_.push_back(steps[i]);
    const std::vector<Field> after = fields_after_step(stages_.back().segment.fields(), steps[i]);
    stages_.push_back({Segment(after, texts_), nullptr});
  }
  return movable < steps.size() ? stages_.size() - 2 : stages_.size() - 1;
}

void Pipeline::add_keys(const std::vector<std::string>& by, const Segment& segment) {
  for (const std::string& name : by) {
    const std::size_t place = place_of(name, segment.fields());
    if (!is_key(segment.fields()[place])) {
      throw Error(
          ErrorKind::unsupported,
          "`" + name + "` holds real numbers, so it cannot form groups. Use `cut()` or `floor()`.");
    }
    plan_.by.push_back(place);
    plan_.by_fields.push_back(segment.fields()[place]);
  }
}

// Tallies of presence come last, so they can reuse the columns of other tallies.
void Pipeline::add_tallies(const std::vector<ExactAggregate>& tallies, Segment& segment) {
  for (const ExactAggregate& tally : tallies) {
    check_tally(tally);
    plan_.tallies.push_back({tally.kind, 0, false, tally.grid});
    plan_.tallies.back().up_to = tally.up_to;
    divide_grid(plan_.tallies.back());
  }
  for (std::size_t t = 0; t < tallies.size(); ++t) {
    if (!is_weighted(tallies[t])) continue;
    const RowWeights& weights = tallies[t].weights;
    const ExactAggregate summed{ExactAggregate::Kind::sum, weights.of, weights.points, {}};
    plan_.tallies[t].weights = place_of_operand(summed, segment);
  }
  for (const bool presence : {false, true}) {
    for (std::size_t t = 0; t < tallies.size(); ++t) {
      if (tallies[t].of == nullptr || is_presence_kind(tallies[t].kind) != presence) continue;
      CountingLayout::One& one = plan_.tallies[t];
      const auto place = presence ? &Pipeline::place_of_presence : &Pipeline::place_of_operand;
      one.place = (this->*place)(tallies[t], segment);
      one.real = in_reals(segment.fields()[one.place]);
    }
  }
}

// Missingness does not depend on the fill value, and presence after the fill does not either. A
// number is present if its lattice point is, on any lattice. For a real number without another
// lattice, a lattice of one point is enough. So ranks never hash reals, whose text differs between
// engines.
std::size_t Pipeline::place_of_presence(const ExactAggregate& tally, Segment& segment) {
  ExactAggregate operand{tally.kind, tally.of, {}, {}};
  if (tally.kind == ExactAggregate::Kind::present && tally.quantiser.fill)
    operand.quantiser.fill = 0;
  for (const Operand& other : operands_) {
    const bool same_fill = other.quantiser.fill.has_value() == operand.quantiser.fill.has_value();
    if (other.on_lattice && other.of == tally.of && same_fill) return other.place;
  }
  return place_of_operand(operand, segment);
}

// Tallies of one column on one lattice share an operand column.
std::size_t Pipeline::place_of_operand(const ExactAggregate& tally, Segment& segment) {
  const Field type = type_of(*tally.of, segment.fields());
  const bool pointed = tally.quantiser.fill || has_points(tally.quantiser);
  const bool on_lattice = is_lattice_kind(tally.kind) || (is_numeric(type) && pointed) ||
                          (in_reals(type) && is_presence_kind(tally.kind));
  for (const Operand& other : operands_) {
    const bool same_form = other.on_lattice == on_lattice;
    if (same_form && other.of == tally.of && same_lattice(other.quantiser, tally.quantiser)) {
      return other.place;
    }
  }
  // No column of a table has a zero byte in its name.
  const std::string name = std::string(1, '\0') + std::to_string(operands_.size());
  if (on_lattice) {
    segment.add_quantised(name, tally.of, tally.quantiser);
  } else {
    Mutate operand{name, tally.of};
    operand.narrows = rules_ >= Rules::second;
    segment.add(operand);
  }
  operands_.push_back({tally.of, tally.quantiser, on_lattice, segment.fields().size() - 1});
  return operands_.back().place;
}

// Returns the columns that are needed before the meeting.
std::set<std::size_t> Pipeline::make_sink(std::size_t stage,
                                          const std::set<std::size_t>& needed,
                                          const Ranks& ranks,
                                          bool moved) {
  const std::vector<Field>& fields = stages_[stage].segment.fields();
  if (const auto* unit = std::get_if<PerUnit>(&meetings_[stage])) {
    auto sink = std::make_unique<PerUnitSink>(
        *unit, fields, stages_[stage + 1].segment.given(), texts_, ids_.size());
    const std::vector<std::size_t> read = sink->places();
    stages_[stage].sink = std::move(sink);
    return {read.begin(), read.end()};
  }
  const auto& truncate = std::get<Truncate>(meetings_[stage]);
  TruncateSink::Carried carried;
  if (truncate.groups || truncate.rows_per_group) {
    for (const std::string& name : truncate.by) carried.by.push_back(place_of(name, fields));
  }
  std::set<std::size_t> before(needed);
  before.insert(carried.by.begin(), carried.by.end());
  std::set<std::size_t> left(needed);
  for (const std::size_t place : carried.by) left.erase(place);
  for (const std::size_t place : plan_.by) {
    if (moved && left.erase(place) > 0) carried.keys.push_back(place);
  }
  carried.values.assign(left.begin(), left.end());
  BoundPtr order;
  if (truncate.keep != Truncate::Keep::random) {
    order = bind_expression(*truncate.order, fields, texts_);
    add_places(*order, before);
  }
  const bool counts_dropped = counts_dropped_ && stage + 1 == meetings_.size();
  stages_[stage].sink = std::make_unique<TruncateSink>(
      truncate, carried, std::move(order), fields, texts_, ranks, ids_.size(), counts_dropped);
  return before;
}

void Pipeline::read(std::size_t begin, std::size_t end, RowBatch& batch) const {
  batch.size = end - begin;
  for (Cells& cells : batch.columns) {  // whose memory is used again
    cells.wholes.clear();
    cells.reals.clear();
  }
  for (const auto& [place, reader] : readers_) {
    if (batch.columns.size() <= place) batch.columns.resize(place + 1);
    reader.read(begin, batch.size, batch.columns[place]);
  }
  batch.id_width = ids_.size();
  batch.id_hashes.clear();
  if (ids_.empty()) return;
  std::vector<std::uint8_t> there(batch.size, 1);
  batch.ids.resize(batch.size * ids_.size());
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    ids_[i].read(begin, batch.size, batch.ids.data() + i, ids_.size(), there.data());
  }
  std::vector<std::uint32_t> rows;
  for (std::uint32_t i = 0; i < batch.size; ++i) {
    if (there[i] != 0) rows.push_back(i);
  }
  if (rows.size() < batch.size) take_rows(batch, rows);
  batch.id_hashes.resize(batch.size);
  ranks_->id_hashes(batch.ids.data(), batch.size, batch.id_hashes.data());
}

}  // namespace dp::query
