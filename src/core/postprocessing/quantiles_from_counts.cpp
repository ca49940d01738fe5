#include "core/postprocessing/quantiles_from_counts.h"

#include <algorithm>
#include <cmath>

#include "core/numeric/cast.h"
#include "core/numeric/directed.h"
#include "core/postprocessing/numbers.h"
#include "core/transformations/rows/public_elements.h"

namespace dp {
namespace {

// The distribution function at the upper edges of the bins.
template <class T, class F>
std::vector<F> distribution(const std::vector<T>& counts) {
  std::vector<F> cdf;
  cdf.reserve(counts.size());
  T sum{0};
  for (const T count : counts) {
    if constexpr (kIsFloat<T>) {
      sum += count;
    } else {
      sum = saturating_add(sum, count);
    }
    cdf.push_back(static_cast<F>(sum));
  }
  const F total = cdf.back();
  for (F& value : cdf) value /= total;
  return cdf;
}

template <class T, class F>
class Quantiles {
 public:
  Quantiles(std::vector<T> edges, std::vector<F> alphas, Interpolation interpolation)
      : edges_(std::move(edges)), alphas_(std::move(alphas)), interpolation_(interpolation) {}

  std::vector<T> operator()(std::vector<T> counts) const {
    drop_outer(counts);
    if (counts.empty()) return std::vector<T>(alphas_.size(), edges_.front());
    const std::vector<F> cdf = distribution<T, F>(counts);
    std::vector<T> out;
    out.reserve(alphas_.size());
    for (const F alpha : alphas_) out.push_back(at(alpha, cdf));
    return out;
  }

 private:
  // Leaves one count fewer than edges.
  void drop_outer(std::vector<T>& counts) const {
    if (counts.size() == edges_.size() + 1 && counts.size() > 2) {
      counts.pop_back();
      counts.erase(counts.begin());
    }
    if (counts.size() + 1 != edges_.size()) {
      throw Error(ErrorKind::failed_function,
                  "the number of counts must be one more or one less than that of bin edges.");
    }
  }

  T at(F alpha, const std::vector<F>& cdf) const {
    const auto found = std::lower_bound(cdf.begin(), cdf.end(), alpha);
    // Past the end only if the function is not one that ends at 1.
    const std::size_t bin = std::min(static_cast<std::size_t>(found - cdf.begin()), cdf.size() - 1);
    const F left = bin == 0 ? F{0} : cdf[bin - 1];
    const F right = cdf[bin];
    if (interpolation_ == Interpolation::nearest) {
      return edges_[alpha - left > right - alpha ? bin + 1 : bin];
    }
    const F t = left == right ? F{0} : (alpha - left) / (right - left);
    const auto lower = static_cast<F>(edges_[bin]);
    const auto upper = static_cast<F>(edges_[bin + 1]);
    const std::optional<T> point = round_cast<T>((1 - t) * lower + t * upper);
    if (!point) {
      throw Error(ErrorKind::failed_cast, "a quantile is not a number of the edges' type.");
    }
    return *point;
  }

  std::vector<T> edges_;
  std::vector<F> alphas_;
  Interpolation interpolation_;
};

[[noreturn]] void refuse_quantiles(const std::string& sentence) {
  throw Error(ErrorKind::make_transformation, sentence);
}

template <class T>
std::vector<T> checked_edges(const std::vector<Scalar>& bin_edges) {
  std::vector<T> edges = elements_as<T>(bin_edges, "bin_edges");
  if (edges.empty()) refuse_quantiles("bin_edges must be non-empty");
  if (!strictly_increasing(edges)) refuse_quantiles("bin_edges must be strictly increasing");
  return edges;
}

template <class F>
std::vector<F> checked_alphas(const std::vector<Scalar>& scalars) {
  std::vector<F> alphas = elements_as<F>(scalars, "alphas");
  if (!strictly_increasing(alphas)) refuse_quantiles("alphas must be strictly increasing");
  if (!alphas.empty() && (alphas.front() < 0 || alphas.back() > 1)) {
    refuse_quantiles("alphas must be within [0, 1]");
  }
  return alphas;
}

}  // namespace

Interpolation parse_interpolation(const std::string& text) {
  if (text == "linear") return Interpolation::linear;
  if (text == "nearest") return Interpolation::nearest;
  throw Error(ErrorKind::ffi, "interpolation must be `linear` or `nearest`");
}

Function make_quantiles_from_counts(const std::vector<Scalar>& bin_edges,
                                    const std::vector<Scalar>& alphas,
                                    Interpolation interpolation,
                                    AtomType type,
                                    AtomType float_type) {
  return visit_number(type, [&](auto tag) -> Function {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_same_v<T, int128_t>) {
      detail::refuse_type(type, "numbers of at most 64 bits");
    } else {
      return visit_float(float_type, [&](auto float_tag) {
        using F = typename decltype(float_tag)::type;
        return whole_function(
            [type,
             quantiles = Quantiles<T, F>(checked_edges<T>(bin_edges),
                                         checked_alphas<F>(alphas),
                                         interpolation)](const Value& arg) -> Value {
              return make_column(type, quantiles(numbers_in<T>(arg, type)));
            });
      });
    }
  });
}

}  // namespace dp
