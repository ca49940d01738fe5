#include "boundary.h"

#include <stdexcept>

namespace dp::r {

void raise_in_r(const Error& error) {
  if (error.kind() == ErrorKind::interrupted) throw Rcpp::internal::InterruptedException();
  const Rcpp::Function stop_core = Rcpp::Environment::namespace_env("PSIlence")["stop_core"];
  stop_core(name(error.kind()), variant(error.kind()), error.what());
  throw std::logic_error("stop_core() returned");
}

std::shared_ptr<void> keep_alive(SEXP object) {
  R_PreserveObject(object);
  return {static_cast<void*>(object), [](void* kept) { R_ReleaseObject(static_cast<SEXP>(kept)); }};
}

}  // namespace dp::r
