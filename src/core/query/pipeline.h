// Compiles a statement for the kernel: stretches of steps on single rows, separated by meetings,
// the steps that combine the rows of each person.
#pragma once

#include <cstddef>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "core/query/coerce.h"
#include "core/query/counters.h"
#include "core/query/exact_aggregate.h"
#include "core/query/ranks.h"
#include "core/query/rows.h"
#include "core/query/segment.h"
#include "core/query/stage_sink.h"
#include "core/query/statement.h"

namespace dp::query {

class Pipeline {
 public:
  struct Stage {
    Segment segment;
    std::unique_ptr<StageSink> sink;  // none after the last stretch, whose rows are counted
  };

  // Reads no private cells, only text labels. With `more`, rows can come in chunks and `rows` is
  // the first. Throws source, naming the column, if a column is absent or differs from its
  // declaration. Throws unsupported if the tallies need people but the statement has no id. Also
  // throws as fields_after() does.
  Pipeline(const Statement& statement,
           const std::vector<ExactAggregate>& tallies,
           const QueryRows& rows,
           const Salt& salt,
           int hash_bits,
           bool more = false);

  // Not copyable: stages and plan point into the texts stored here.
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  const std::vector<Stage>& stages() const { return stages_; }
  // The sink step of each stage but the last: truncate() or per_unit().
  const std::vector<Step>& meetings() const { return meetings_; }
  // Positions of the declared columns that are read.
  std::vector<std::size_t> columns_read() const;
  const CountingLayout& plan() const { return plan_; }
  const TextPool& texts() const { return texts_; }
  std::size_t id_width() const { return ids_.size(); }

  // Replaces the rows to read; no thread can be reading meanwhile. Throws source if a column is
  // stored in a different way than in the first chunk.
  void take(const QueryRows& rows);

  // Reads rows begin, ..., end - 1 as declared, and drops rows without an id.
  void read(std::size_t begin, std::size_t end, RowBatch& batch) const;

 private:
  // A column that tallies count: values, or points of a lattice.
  struct Operand {
    ExpressionPtr of;
    Quantiser quantiser;
    bool on_lattice;
    std::size_t place;
  };

  void read_ids(const Statement& statement, const QueryRows& rows, bool needs_people);
  std::size_t add_steps(const Statement& statement, bool counts_people);
  void add_keys(const std::vector<std::string>& by, const Segment& segment);
  void add_tallies(const std::vector<ExactAggregate>& tallies, Segment& segment);
  std::size_t place_of_presence(const ExactAggregate& tally, Segment& segment);
  std::size_t place_of_operand(const ExactAggregate& tally, Segment& segment);
  std::set<std::size_t> make_sink(std::size_t stage,
                                  const std::set<std::size_t>& needed,
                                  const Ranks& ranks,
                                  bool moved);
  std::vector<IdKind> id_kinds() const;

  Rules rules_;
  TextPool texts_;
  bool counts_dropped_ = false;
  bool lasting_;  // texts outlive the pipeline
  std::vector<IdReader> ids_;
  std::unique_ptr<const Ranks> ranks_;
  std::vector<std::pair<std::size_t, FieldReader>> readers_;
  std::vector<Stage> stages_;
  std::vector<Step> meetings_;  // truncate or per_unit: one for each stage but the last
  std::vector<Operand> operands_;
  CountingLayout plan_;
};

}  // namespace dp::query
