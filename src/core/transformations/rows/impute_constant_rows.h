// The row operator of make_impute_constant, named so that reducers can take it over.
#pragma once

#include <utility>

#include "core/engine/stage.h"
#include "core/transformations/rows/missing.h"

namespace dp {

// Nulls and NaN become `constant`.
template <class T>
class ImputeConstantRows final : public RowOperator {
 public:
  ImputeConstantRows(AtomType type, T constant) : type_(type), constant_(std::move(constant)) {}

  const T& constant() const { return constant_; }

  AtomType output_type() const override { return type_; }
  Batch run(const Batch& in, BatchBuffer& buffer) const override {
    const Element<T> constant = constant_;
    const Element<T>* from = in.as<T>();
    Element<T>* to = buffer.cells<T>(in.size);
    for (std::size_t i = 0; i < in.size; ++i) to[i] = is_missing<T>(in, i) ? constant : from[i];
    return {to, nullptr, in.size};
  }

 private:
  AtomType type_;
  T constant_;
};

}  // namespace dp
