// Transformations that map each row on its own.
//
// Stability: a row function changes a row only where the row changed, and neither adds, drops nor
// moves rows, so the distance between datasets does not grow: d_out = d_in, under every dataset
// metric.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "core/runtime/prefetch.h"
#include "core/transformations/transformation.h"

namespace dp {

// From `input_domain`, a vector of atoms or options, to vectors of `output_element` of the same
// size. Throws `type` unless `input_metric` is a distance between datasets.
Transformation make_row_wise(const Domain& input_domain,
                             const Metric& input_metric,
                             Domain output_element,
                             Function function);

namespace detail {

// Asks for the text of the row that comes some rows later: views lie together, texts anywhere.
template <class I>
void fetch_text([[maybe_unused]] const Element<I>* rows,
                [[maybe_unused]] std::size_t i,
                [[maybe_unused]] std::size_t size) {
  if constexpr (std::is_same_v<I, std::string>) {
    constexpr std::size_t kAhead = 8;
    if (i + kAhead < size) fetch(rows[i + kAhead].data());
  }
}

template <class O, class V>
Element<O> cell(BatchBuffer& buffer, V&& value) {
  if constexpr (std::is_same_v<O, std::string>) {
    if constexpr (std::is_same_v<std::decay_t<V>, std::string>) {
      return buffer.keep(std::forward<V>(value));
    } else {
      return value;
    }
  } else {
    return value;
  }
}

}  // namespace detail

// Rows that are all present to rows that are all present: `g` takes a Cell<I>, gives an O (strings:
// a std::string, or a view of text that outlives the batch).
template <class I, class O, class G>
class RowMap final : public RowOperator {
 public:
  RowMap(AtomType output_type, G g) : type_(output_type), g_(std::move(g)) {}
  AtomType output_type() const override { return type_; }
  Batch run(const Batch& in, BatchBuffer& buffer) const override {
    const Element<I>* from = in.as<I>();
    Element<O>* to = buffer.cells<O>(in.size);
    std::size_t i = 0;
    if constexpr (std::is_arithmetic_v<I> && std::is_arithmetic_v<O>)
      i = run_lanes(from, to, in.size);
    for (; i < in.size; ++i) {
      detail::fetch_text<I>(from, i, in.size);
      to[i] = detail::cell<O>(buffer, g_(from[i]));
    }
    return {to, nullptr, in.size};
  }

 private:
  // A loop of known length over memory that does not overlap is one that compilers vectorise at
  // -O2.
  std::size_t run_lanes(const I* __restrict from, O* __restrict to, std::size_t size) const {
    constexpr std::size_t kLanes = 8;
    std::size_t i = 0;
    for (; i + kLanes <= size; i += kLanes) {
      for (std::size_t j = 0; j < kLanes; ++j) to[i + j] = g_(from[i + j]);
    }
    return i;
  }

  AtomType type_;
  G g_;
};

// Present rows to rows that may be null: `g` gives a std::optional<O>.
template <class I, class O, class G>
class RowMapToOption final : public RowOperator {
 public:
  RowMapToOption(AtomType output_type, G g) : type_(output_type), g_(std::move(g)) {}
  AtomType output_type() const override { return type_; }
  bool output_nulls() const override { return true; }
  Batch run(const Batch& in, BatchBuffer& buffer) const override {
    const Element<I>* from = in.as<I>();
    Element<O>* to = buffer.cells<O>(in.size);
    std::uint8_t* valid = buffer.valid(in.size);
    for (std::size_t i = 0; i < in.size; ++i) {
      detail::fetch_text<I>(from, i, in.size);
      std::optional<O> out = g_(from[i]);
      valid[i] = out ? 1 : 0;
      to[i] = out ? detail::cell<O>(buffer, std::move(*out)) : Element<O>();
    }
    return {to, valid, in.size};
  }

 private:
  AtomType type_;
  G g_;
};

// Rows that may be null to present rows: `g` takes a pointer to a Cell<I>, null for a null row.
template <class I, class O, class G>
class RowMapFromOption final : public RowOperator {
 public:
  RowMapFromOption(AtomType output_type, G g) : type_(output_type), g_(std::move(g)) {}
  AtomType output_type() const override { return type_; }
  Batch run(const Batch& in, BatchBuffer& buffer) const override {
    const Element<I>* from = in.as<I>();
    Element<O>* to = buffer.cells<O>(in.size);
    for (std::size_t i = 0; i < in.size; ++i) {
      const bool present = in.valid == nullptr || in.valid[i] != 0;
      to[i] = detail::cell<O>(buffer, g_(present ? &from[i] : nullptr));
    }
    return {to, nullptr, in.size};
  }

 private:
  AtomType type_;
  G g_;
};

template <class I, class O, class G>
Function row_map(AtomType output_type, G g) {
  return one_stage(
      std::unique_ptr<const RowOperator>(new RowMap<I, O, G>(output_type, std::move(g))));
}
template <class I, class O, class G>
Function row_map_to_option(AtomType output_type, G g) {
  return one_stage(
      std::unique_ptr<const RowOperator>(new RowMapToOption<I, O, G>(output_type, std::move(g))));
}
template <class I, class O, class G>
Function row_map_from_option(AtomType output_type, G g) {
  return one_stage(
      std::unique_ptr<const RowOperator>(new RowMapFromOption<I, O, G>(output_type, std::move(g))));
}

}  // namespace dp
