#include "core/query/per_unit_sink.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/expressions/evaluate.h"
#include "core/expressions/promote.h"
#include "core/expressions/typing.h"
#include "core/numeric/int128.h"
#include "core/query/segment.h"

namespace dp::query {
namespace {

using TotalKind = PerUnitValue::Kind;

void put_sum(int128_t sum, std::uint64_t* to) {
  to[0] = static_cast<std::uint64_t>(static_cast<uint128_t>(sum));
  to[1] = static_cast<std::uint64_t>(static_cast<uint128_t>(sum) >> 64);
}

int128_t sum_at(const std::uint64_t* from) {
  return static_cast<int128_t>(static_cast<uint128_t>(from[1]) << 64 | from[0]);
}

// The smaller or greater word; a missing value is never chosen over a present one.
std::uint64_t extreme_word(std::uint64_t a, std::uint64_t b, bool real, bool least) {
  const auto missing = [&](std::uint64_t word) {
    return real ? !(real_in_word(word) == real_in_word(word)) : whole_in_word(word) == kNone;
  };
  if (missing(a) || missing(b)) return missing(a) ? b : a;
  const bool less = real ? real_in_word(a) < real_in_word(b) : whole_in_word(a) < whole_in_word(b);
  return less == least ? a : b;
}

}  // namespace

PerUnitSink::PerUnitSink(const PerUnit& step,
                         const std::vector<Field>& fields,
                         std::vector<Field> made,
                         TextPool& texts,
                         std::size_t id_width)
    : made_(std::move(made)), id_width_(id_width), by_at_(1 + id_width) {
  for (const std::string& name : step.by) by_.push_back(place_of(name, fields));
  width_ = by_at_ + by_.size();
  for (const PerUnitValue& value : step.values) {
    Total total{value.kind, nullptr, Lattice{0}, width_};
    if (value.kind != TotalKind::rows) {
      total.of = bind_expression(*value.of, fields, texts);
      const Field& type = total.of->type;
      if (type.type == FieldType::levels) total.of = wholes_of_levels(total.of);
      if (value.kind == TotalKind::sum && in_reals(type)) {
        total.lattice = lattice_for(type.reals->first, type.reals->second);
      }
    }
    totals_.push_back(std::move(total));
    width_ += value.kind == TotalKind::sum ? 2 : 1;
  }
}

std::vector<std::size_t> PerUnitSink::places() const {
  std::set<std::size_t> read(by_.begin(), by_.end());
  for (const Total& total : totals_) {
    if (total.of) add_places(*total.of, read);
  }
  return {read.begin(), read.end()};
}

void PerUnitSink::begin_total(const Total& total,
                              const Cells* cells,
                              std::size_t row,
                              std::uint64_t* record) const {
  std::uint64_t* to = record + total.at;
  if (total.kind == TotalKind::rows) {
    *to = 1;
    return;
  }
  const bool real = in_reals(total.of->type);
  const bool missing =
      real ? !(cells->reals[row] == cells->reals[row]) : cells->wholes[row] == kNone;
  switch (total.kind) {
    case TotalKind::sum:
      put_sum(missing ? 0 : real ? total.lattice.index(cells->reals[row]) : cells->wholes[row], to);
      return;
    case TotalKind::any:
      *to = !missing && cells->wholes[row] != 0;
      return;
    case TotalKind::all:
      *to = missing || cells->wholes[row] != 0;
      return;
    default:
      *to = real ? word_of(cells->reals[row]) : word_of(cells->wholes[row]);
  }
}

void PerUnitSink::join_total(const Total& total,
                             const std::uint64_t* from,
                             std::uint64_t* to) const {
  from += total.at;
  to += total.at;
  switch (total.kind) {
    case TotalKind::rows:
      *to += *from;
      return;
    case TotalKind::sum:
      put_sum(sum_at(to) + sum_at(from), to);
      return;
    case TotalKind::any:
      *to |= *from;
      return;
    case TotalKind::all:
      *to &= *from;
      return;
    default:
      *to = extreme_word(*to, *from, in_reals(total.of->type), total.kind == TotalKind::least);
  }
}

void PerUnitSink::append(const RowBatch& batch, std::vector<Words>& parts) const {
  std::vector<Cells> rooms(totals_.size());
  std::vector<const Cells*> cells(totals_.size(), nullptr);
  for (std::size_t t = 0; t < totals_.size(); ++t) {
    if (totals_[t].of) cells[t] = &evaluate(*totals_[t].of, batch, rooms[t]);
  }
  NewRecords records(batch, rows_with(batch, by_), width_, parts);
  for (std::size_t k = 0; k < by_.size(); ++k) {
    const std::vector<std::int64_t>& keys = batch.columns[by_[k]].wholes;
    records.put(by_at_ + k, [&](std::uint32_t row) { return word_of(keys[row]); });
  }
  records.each([&](std::uint32_t row, std::uint64_t* record) {
    for (std::size_t t = 0; t < totals_.size(); ++t) begin_total(totals_[t], cells[t], row, record);
  });
}

Words PerUnitSink::compact(const Records& records, bool) const {
  const std::size_t keys_end = by_at_ + by_.size();
  const auto key_before = [&](Record a, Record b) {
    return std::lexicographical_compare(a + by_at_, a + keys_end, b + by_at_, b + keys_end);
  };
  const RecordsOfPeople people = records_of_people(records, width_, by_at_);
  Words left;
  std::vector<Record> rows;
  for (std::size_t p = 0; p < people.people(); ++p) {
    rows.clear();
    for (std::size_t i = people.begins[p]; i < people.begins[p + 1]; ++i) {
      rows.push_back(people.record(i));
    }
    std::sort(rows.begin(), rows.end(), key_before);
    for (auto at = rows.begin(); at != rows.end(); ++at) {
      if (at == rows.begin() || key_before(at[-1], *at)) {
        left.insert(left.end(), *at, *at + width_);
      } else {
        std::uint64_t* to = left.data() + (left.size() - width_);
        for (const Total& total : totals_) join_total(total, *at, to);
      }
    }
  }
  return left;
}

void PerUnitSink::put_result(const Total& total,
                             const Field& field,
                             const std::uint64_t* record,
                             Cells& to) const {
  const std::uint64_t* at = record + total.at;
  if (in_reals(field)) {
    if (total.kind != TotalKind::sum) {
      to.reals.push_back(real_in_word(*at));
      return;
    }
    const double sum = total.lattice.value(sum_at(at));
    to.reals.push_back(std::min(std::max(sum, field.reals->first), field.reals->second));
    return;
  }
  const int128_t whole = total.kind == TotalKind::sum ? sum_at(at) : int128_t{whole_in_word(*at)};
  const bool bounded = total.kind == TotalKind::sum || total.kind == TotalKind::rows;
  const auto [lower, upper] = field.wholes.value_or(std::pair{kNone, kNone});
  to.wholes.push_back(static_cast<std::int64_t>(
      bounded ? std::min<int128_t>(std::max<int128_t>(whole, lower), upper) : whole));
}

void PerUnitSink::rows(const Words& records,
                       std::size_t begin,
                       std::size_t end,
                       RowBatch& batch) const {
  put_ids(records, width_, begin, end, id_width_, batch);
  batch.columns.assign(made_.size(), {});
  for (std::size_t i = begin; i < end; ++i) {
    const std::uint64_t* record = records.data() + i * width_;
    for (std::size_t k = 0; k < by_.size(); ++k) {
      batch.columns[k].wholes.push_back(whole_in_word(record[by_at_ + k]));
    }
    for (std::size_t t = 0; t < totals_.size(); ++t) {
      const std::size_t place = by_.size() + t;
      put_result(totals_[t], made_[place], record, batch.columns[place]);
    }
  }
}

}  // namespace dp::query
