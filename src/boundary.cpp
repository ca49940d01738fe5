#include "boundary.h"

#include <stdexcept>

#include "r_plan.h"

namespace dp::r {

void raise_in_r(const Error& error) {
  if (error.kind() == ErrorKind::interrupted) throw Rcpp::internal::InterruptedException();
  const Rcpp::Function stop_core = Rcpp::Environment::namespace_env("PSIlence")["stop_core"];
  stop_core(name(error.kind()), variant(error.kind()), error.what());
  throw std::logic_error("stop_core() returned");
}

SEXP rebuild(SEXP handle) {
  const SEXP node = node_of(handle);
  if (node == R_NilValue) {
    throw Error(ErrorKind::stale_object,
                "stale object: it was saved, loaded or sent to another process. Build it again.");
  }
  const Rcpp::Function rebuild_from = Rcpp::Environment::namespace_env("PSIlence")["rebuild"];
  return rebuild_from(node);
}

std::shared_ptr<void> keep_alive(SEXP object) {
  R_PreserveObject(object);
  return {static_cast<void*>(object), [](void* kept) { R_ReleaseObject(static_cast<SEXP>(kept)); }};
}

}  // namespace dp::r
