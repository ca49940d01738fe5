// Steps on single rows, between two meetings of the rows of each person.
#pragma once

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/expressions/bound.h"
#include "core/expressions/row_batch.h"
#include "core/expressions/text_pool.h"
#include "core/query/join_table.h"
#include "core/query/quantise.h"
#include "core/query/statement.h"

namespace dp::query {

struct RowStep {
  enum class Kind : std::uint8_t { filter, mutate, select, join, quantise };
  Kind kind;
  BoundPtr expression;
  std::size_t place = 0;             // of mutate and quantise
  std::vector<std::size_t> sources;  // of select
  std::shared_ptr<const JoinTable> join = nullptr;
  Quantiser quantiser = {};
};

// Steps are appended, and run on batches whose columns match the first fields. A column that no
// later step needs can be empty.
class Segment {
 public:
  Segment(std::vector<Field> fields, TextPool& texts)
      : given_(fields), fields_(std::move(fields)), texts_(&texts) {}

  // Fields before all steps, and after them: a step can change the type of a column.
  const std::vector<Field>& given() const { return given_; }
  const std::vector<Field>& fields() const { return fields_; }
  const std::vector<RowStep>& steps() const { return steps_; }
  TextPool& texts() const { return *texts_; }

  // Adds a filter, mutate, select or join; a margin has no effect. Throws as fields_after_step()
  // does.
  void add(const Step& step);

  // Adds a column with the values of `of` on a lattice.
  void add_quantised(const std::string& name, const ExpressionPtr& of, const Quantiser& quantiser);

  // Drops steps whose results are not needed; `needed` are columns after all steps. Returns the
  // columns needed before them.
  std::set<std::size_t> prune(std::set<std::size_t> needed);

  void run(RowBatch& batch) const;

 private:
  std::vector<Field> given_, fields_;
  TextPool* texts_;
  std::vector<RowStep> steps_;
};

// Adds the positions of the columns that the expression reads.
void add_places(const Bound& expression, std::set<std::size_t>& places);

}  // namespace dp::query
