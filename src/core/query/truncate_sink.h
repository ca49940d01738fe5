// truncate(): caps each person's groups, rows per group, and total rows.
//
// Keeps the groups of least rank, then in each of them the rows of least rank, then overall the
// rows of least rank: bottom-k, in this order. The cap on all rows applies last and only once,
// except if it is the only cap: a group dropped later would leave too few rows.
//
// Ranks come from ranks.h. They are computed only for people who exceed a cap, and most do not.
// Rows without a key are dropped. `first` and `last` sort by an order before these ranks. The order
// of a row is the order of its value, reversed for `last`; missing values come last. The order of a
// group is the least order of the person's rows in it. Groups of equal order are sorted by rank,
// and groups of equal rank by their keys.
//
// Stability: the kept rows of a person are a function of that person's rows and of the salt. Other
// people's rows have no effect. So people who are in only one table remain so, and each of them
// keeps at most the caps (unit_reach.h). This holds for any function of one person's rows, and
// therefore also for groups sorted by their order.
//
// A record can carry the number of rows of its person that were dropped before. Each compaction
// adds these numbers up, so the total does not depend on the order of rows. In the end all records
// of a person have the total.
//
// Rows arrive in any order. Any set of them can first be reduced to the rows of least rank in each
// group: a row that is not among the k least of a subset is not among the k least of the whole. The
// row that determines a group's order stays, because it is the least of its group. Ranks of groups
// depend only on the keys, so any set can also be reduced to its groups of least rank. Orders of
// groups do not: a subset can lack the first row. So groups are dropped by order only when all rows
// are there.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "core/expressions/bound.h"
#include "core/query/ranks.h"
#include "core/query/stage_sink.h"
#include "core/query/statement.h"

namespace dp::query {

class TruncateSink final : public StageSink {
 public:
  // Columns that a record carries, by their positions in `fields`. `by` are the keys of caps on
  // groups, empty for only a cap on all rows. `keys` are the other keys; a row without one is
  // dropped.
  struct Carried {
    std::vector<std::size_t> by, keys, values;
  };

  TruncateSink(const Truncate& caps,
               const Carried& carried,
               BoundPtr order,
               const std::vector<Field>& fields,
               const TextPool& texts,
               Ranks ranks,
               std::size_t id_width,
               bool counts_dropped = false);

  bool counts_dropped() const { return counts_dropped_; }
  Carried carried() const;
  const BoundPtr& order() const { return order_; }

  std::size_t width() const override { return width_; }
  void append(const RowBatch& batch, std::vector<Words>& parts) const override;
  Words compact(const Records& records, bool last) const override;
  void rows(const Words& records,
            std::size_t begin,
            std::size_t end,
            RowBatch& batch) const override;

 private:
  // A record of a person, with the first word of the rank of its group or its row.
  struct Ranked {
    std::uint64_t rank;
    Record record;
  };
  using Rank = std::array<std::uint64_t, Ranks::kWords>;
  // Order of a person's group, and the number of groups of less rank. The least groups stay.
  using GroupPlace = std::pair<std::uint64_t, std::size_t>;

  Rank rank_of_group(Record record) const;
  Rank rank_of_row(Record record) const;
  int compare_cells(const std::vector<Field>& fields, Record a, Record b, std::size_t at) const;
  bool same_group(Record a, Record b) const;
  bool group_before(const Ranked& a, const Ranked& b) const;
  bool row_before(const Ranked& a, const Ranked& b) const;
  std::size_t keep_rows(Ranked* rows, std::size_t size, std::size_t most) const;
  Ranked* end_of_group(Ranked* rows, const Ranked* end) const;
  std::uint64_t order_of_group(const Ranked* rows, const Ranked* end) const;
  GroupPlace last_to_stay(Ranked* rows, const Ranked* end, std::size_t most) const;
  std::size_t keep_groups(Ranked* rows, std::size_t size, std::size_t most) const;
  std::size_t keep(Record first,
                   std::size_t size,
                   std::uint64_t* ranks,
                   bool last,
                   std::vector<Ranked>& room) const;

  Truncate caps_;
  bool has_cells_;
  std::size_t most_groups_, most_rows_;  // of a group
  std::vector<std::size_t> places_;      // of by, keys and values
  std::vector<Field> by_, keys_, values_, carried_;
  BoundPtr order_;
  const TextPool* texts_;
  Ranks ranks_;
  bool counts_dropped_;
  std::size_t id_width_, by_at_, order_at_, carried_at_, dropped_at_, width_;
};

}  // namespace dp::query
