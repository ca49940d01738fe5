// The steps a function is made of.
//
// A function is a list of stages. The executor runs any number of row operators and the reducer
// that follows them in one pass over the rows, batch by batch, on several threads, without a vector
// in between. A whole-data stage sees everything at once and interrupts the pass.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/data/batch.h"
#include "core/data/coded_text.h"
#include "core/data/value.h"
#include "core/one_of.h"

namespace dp {

// Maps each row on its own. Total: it throws only for rows outside the input domain, and then one
// fixed sentence.
class RowOperator {
 public:
  virtual ~RowOperator() = default;
  virtual AtomType output_type() const = 0;
  virtual bool output_nulls() const { return false; }  // whether rows that come out may be null
  // Writes into `buffer`, which does not hold `in`, and returns the result.
  virtual Batch run(const Batch& in, BatchBuffer& buffer) const = 0;
};

// Partial result of a reducer for one range of rows.
class Partial {
 public:
  virtual ~Partial() = default;
  virtual void update(const Batch& batch) = 0;
  // Adds what `later` knows of the range that follows. Only reducers whose finish() joins the parts
  // in another way may leave it out; then it throws.
  virtual void merge(Partial&& later);
};

// Turns rows into one value. Its ranges of rows follow only from the number of rows, never from
// threads or batch sizes, and ranges are merged in order: every reduction has one result.
class Reducer {
 public:
  virtual ~Reducer() = default;

  // Where ranges end, in increasing order, the last at `size`. Empty for no rows, and for a
  // reducer that needs only their number.
  virtual std::vector<std::size_t> cuts(std::size_t size) const;

  virtual std::unique_ptr<Partial> start(std::size_t range_size) const = 0;

  // `parts` holds one partial per range, in order; `size` is the number of rows.
  virtual Value finish(std::vector<std::unique_ptr<Partial>> parts, std::size_t size) const = 0;

  // A reducer that does the work of `before` and then its own, or null if there is none that is
  // faster than the two one after the other.
  virtual std::shared_ptr<const Reducer> fuse(const RowOperator& before) const;

  // A variant that reads only the codes of `text`, which outlives it; null if there is none.
  virtual std::shared_ptr<const Reducer> over_codes(const CodedText& text) const;

  // A variant that may emit keys in any order; null if the result has no keys.
  virtual std::shared_ptr<const Reducer> in_any_order() const;

  // A fresh instance for one pass, for reducers whose partials share state; null: reuse this one.
  virtual std::shared_ptr<const Reducer> for_pass() const;

 protected:
  // All parts merged into the first; a fresh partial if there are none.
  std::unique_ptr<Partial> merged(std::vector<std::unique_ptr<Partial>> parts) const;
};

// Sees all the data at once: shuffle, resize, noise, user functions, arithmetic on one element.
class WholeStage {
 public:
  virtual ~WholeStage() = default;
  virtual Value run(const Value& value) const = 0;
  // Whether run() would return `size` rows as they are; then the pass goes on without it.
  virtual bool passes(std::size_t size) const;
  // Whether run() reads each row once, in batches of at most kBatchRows: then the operators before
  // it run as it reads, and no vector lies in between.
  virtual bool streams() const;
  // Whether run() takes maps whose keys are in any order and whose text ends with the rows that
  // were counted.
  virtual bool takes_any_order() const;
};

using Stage = OneOf<std::shared_ptr<const RowOperator>,
                    std::shared_ptr<const Reducer>,
                    std::shared_ptr<const WholeStage>>;

}  // namespace dp
