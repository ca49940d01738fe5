#include "core/transformations/sums/sized_bounded_covariance.h"

#include <memory>
#include <utility>

#include "core/numeric/cast.h"
#include "core/numeric/directed.h"
#include "core/transformations/stability.h"
#include "core/transformations/sums/deviations.h"

namespace dp {
namespace {

// Products of the deviations of two columns, computed as they are read.
template <class T>
class DeviationProducts final : public Column {
 public:
  DeviationProducts(AtomType type, ColumnPtr x, T x_mean, ColumnPtr y, T y_mean)
      : type_(type), x_(std::move(x)), y_(std::move(y)), x_mean_(x_mean), y_mean_(y_mean) {}

  AtomType type() const override { return type_; }
  std::size_t size() const override { return x_->size(); }
  bool concurrent() const override { return x_->concurrent() && y_->concurrent(); }

  Batch read(std::size_t begin, std::size_t size, BatchBuffer& buffer) const override {
    BatchBuffer x_buffer;
    BatchBuffer y_buffer;
    const T* x = x_->read(begin, size, x_buffer).template as<T>();
    const T* y = y_->read(begin, size, y_buffer).template as<T>();
    T* out = buffer.cells<T>(size);
    for (std::size_t i = 0; i < size; ++i) out[i] = (x[i] - x_mean_) * (y[i] - y_mean_);
    return {out, nullptr, size};
  }

 private:
  AtomType type_;
  ColumnPtr x_;
  ColumnPtr y_;
  T x_mean_;
  T y_mean_;
};

template <class T>
Function covariance(Summation summation, T size, T divisor) {
  return whole_function(
      [sum = plain_float_sum(summation), summation, size, divisor](const Value& value) -> Value {
        const auto* columns = value.as<Value::Tuple>();
        if (columns == nullptr || columns->size() != 2) {
          throw Error(ErrorKind::failed_cast, "arg must hold two columns.");
        }
        const ColumnPtr& x = rows_in((*columns)[0]);
        const ColumnPtr& y = rows_in((*columns)[1]);
        if (x->size() != y->size()) {
          refuse_nonmember();
        }
        const T x_mean = element_in<T>(sum(x)) / size;
        const T y_mean = element_in<T>(sum(y)) / size;
        const ColumnPtr products =
            std::make_shared<DeviationProducts<T>>(summation.type, x, x_mean, y, y_mean);
        return Scalar(element_in<T>(sum(products)) / divisor);
      });
}

template <class T>
StabilityMap covariance_map(
    SumOrder order, std::uint64_t n, T divisor, const MovedBounds<T>& x, const MovedBounds<T>& y) {
  const T effect = div_up(replaced_row_effect(n, x, y), divisor);
  const T relaxation = product_relaxation(order, n, x, y);
  const T mean = div_up(mean_effect(n, x, y), divisor);
  return map_rows<T>([=](std::uint32_t d_in) {
    const T published = add_up(mul_up(cast_up<T>(d_in / 2), effect), relaxation);
    return add_up(published, mean);
  });
}

}  // namespace

Transformation make_sized_bounded_covariance(std::uint64_t size,
                                             const Bounds& bounds_0,
                                             const Bounds& bounds_1,
                                             std::uint64_t ddof,
                                             Summation summation) {
  if (size == 0) {
    throw Error(ErrorKind::make_transformation, "dataset size must be at least 1");
  }
  if (ddof >= size) {
    throw Error(ErrorKind::make_transformation, "ddof must be smaller than dataset size");
  }
  const PairDomain pair{closed_atom(summation.type, bounds_0.lower, bounds_0.upper),
                        closed_atom(summation.type, bounds_1.lower, bounds_1.upper)};
  return visit_float(summation.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const auto moved = [&](const Bounds& bounds) {
      return move_bounds(
          summation.order, size, std::get<T>(bounds.lower), std::get<T>(bounds.upper));
    };
    const T divisor = exact_cast<T>(size - ddof);
    StabilityMap map =
        covariance_map(summation.order, size, divisor, moved(bounds_0), moved(bounds_1));
    return Transformation(vector_of(pair, size),
                          symmetric_distance(),
                          non_nan_atom(summation.type),
                          absolute_distance(summation.type),
                          covariance(summation, exact_cast<T>(size), divisor),
                          std::move(map));
  });
}

}  // namespace dp
