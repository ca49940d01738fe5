// Test support: builds a chain, with steps in the order of the data flow.
#pragma once

#include <utility>

#include "core/combinators/chain.h"
#include "core/transformations/transformation.h"

namespace dp::test {

// Consecutive steps. Each is built for the output space of the previous one.
class ChainOf {
 public:
  ChainOf(Transformation first) : all_(std::move(first)) {}  // NOLINT: reads as a conversion

  template <class Make, class... Args>
  ChainOf then(Make make, Args&&... args) const {
    const Domain& domain = all_.output_domain();
    return ChainOf(
        make_chain_tt(make(domain, all_.output_metric(), std::forward<Args>(args)...), all_));
  }
  const Transformation& get() const { return all_; }

 private:
  Transformation all_;
};

template <class Make, class... Args>
ChainOf from_rows(AtomType type, Make make, Args&&... args) {
  return ChainOf(
      make(vector_of(default_atom(type)), symmetric_distance(), std::forward<Args>(args)...));
}

}  // namespace dp::test
