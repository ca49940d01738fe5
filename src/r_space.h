// Constructors of transformations that take a space, alone or with one carrier type.
#pragma once

#include <Rcpp.h>

#include <string>

#include "boundary.h"
#include "core/domains/domain.h"
#include "core/metrics/metric.h"
#include "core/transformations/transformation.h"

namespace dp::r {

inline SEXP on_space(Transformation (*make)(const Domain&, const Metric&),
                     SEXP domain,
                     SEXP metric) {
  return guarded(
      [&] { return to_handle(make(from_handle<Domain>(domain), from_handle<Metric>(metric))); });
}

inline SEXP on_space_to(Transformation (*make)(const Domain&, const Metric&, AtomType),
                        SEXP domain,
                        SEXP metric,
                        const std::string& type) {
  return guarded([&] {
    return to_handle(
        make(from_handle<Domain>(domain), from_handle<Metric>(metric), parse_atom_type(type)));
  });
}

}  // namespace dp::r
