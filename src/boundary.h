// The boundary between R and the core: passes errors out and handles in and out. Every binding
// includes it; it makes no decisions.
#pragma once

#include <Rcpp.h>

#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "core/error.h"
#include "core/numeric/environment.h"

namespace dp {

class Account;
class BlockDesign;
class Domain;
class Function;
class Ledger;
class Measurement;
class Odometer;
class PrivacyProfile;
class Queryable;
class Transformation;
struct Measure;
struct Metric;

namespace r {

// Turns `error` into an R condition of class dp_error_<kind>. Rcpp carries R's jump out as a C++
// exception, so destructors still run.
[[noreturn]] void raise_in_r(const Error& error);

// Runs a binding's body and raises any core error in R. This includes failed allocations, whose
// size depends only on public sizes and the size of the data. Refuses to run in a floating-point
// mode without proven results.
template <class F>
SEXP guarded(F&& body) {
  constexpr const char* kNoMemory = "there is not enough memory for this.";
  try {
    check_float_environment();
    return body();
  } catch (const Error& error) {
    raise_in_r(error);
  } catch (const std::bad_alloc&) {
    raise_in_r(Error(ErrorKind::memory, kNoMemory));
  } catch (const std::length_error&) {  // more elements than a container can ever hold
    raise_in_r(Error(ErrorKind::memory, kNoMemory));
  }
}

// Tag of a handle's external pointer, which tells the kinds of handle apart.
template <class T>
const char* handle_tag();
template <>
inline const char* handle_tag<BlockDesign>() {
  return "dp_block_design";
}
template <>
inline const char* handle_tag<Domain>() {
  return "dp_domain";
}
template <>
inline const char* handle_tag<Metric>() {
  return "dp_metric";
}
template <>
inline const char* handle_tag<Measure>() {
  return "dp_measure";
}
template <>
inline const char* handle_tag<Transformation>() {
  return "dp_transformation";
}
template <>
inline const char* handle_tag<Measurement>() {
  return "dp_measurement";
}
template <>
inline const char* handle_tag<Function>() {
  return "dp_function";
}
template <>
inline const char* handle_tag<PrivacyProfile>() {
  return "dp_privacy_profile";
}

template <>
inline const char* handle_tag<Ledger>() {
  return "dp_ledger";
}
template <>
inline const char* handle_tag<Odometer>() {
  return "dp_odometer";
}
template <>
inline const char* handle_tag<Queryable>() {
  return "dp_queryable";
}

template <>
inline const char* handle_tag<Account>() {
  return "dp_account";
}

// An object in a handle never changes, except queryables, which remember their queries, and
// counters of losses.
template <class T>
struct HandleOwner {
  using type = std::shared_ptr<const T>;
};
template <>
struct HandleOwner<Queryable> {
  using type = std::shared_ptr<Queryable>;
};
template <>
struct HandleOwner<Account> {
  using type = std::shared_ptr<Account>;
};

template <>
struct HandleOwner<Ledger> {
  using type = std::shared_ptr<Ledger>;
};

// Makes `handle` own `object`, for R.
template <class T>
void give_to_handle(SEXP handle, typename HandleOwner<T>::type object) {
  using Owner = typename HandleOwner<T>::type;
  R_SetExternalPtrAddr(handle, new Owner(std::move(object)));
  R_RegisterCFinalizerEx(
      handle,
      [](SEXP pointer) {
        delete static_cast<Owner*>(R_ExternalPtrAddr(pointer));
        R_ClearExternalPtr(pointer);
      },
      TRUE);
}

// Makes an external pointer that owns `object` for R.
template <class T>
SEXP to_handle(std::shared_ptr<T> object) {
  using Held = std::remove_const_t<T>;
  const Rcpp::Shield<SEXP> handle(
      R_MakeExternalPtr(nullptr, Rf_install(handle_tag<Held>()), R_NilValue));
  give_to_handle<Held>(handle, std::move(object));
  return handle;
}

template <class T>
SEXP to_handle(T object) {
  return to_handle(std::make_shared<const T>(std::move(object)));
}

// Builds a new handle from the plan of `handle`, see R/plan.R. Throws stale_object if it has none.
SEXP rebuild(SEXP handle);

// The object in `handle`. A handle becomes null when it is loaded from a file or sent to another
// process; the object is then rebuilt first. Throws stale_object if it cannot be rebuilt, and
// failed_cast if this is not a handle of this kind.
template <class T>
const typename HandleOwner<T>::type& shared_from_handle(SEXP handle) {
  if (TYPEOF(handle) != EXTPTRSXP || R_ExternalPtrTag(handle) != Rf_install(handle_tag<T>())) {
    throw Error(ErrorKind::failed_cast,
                std::string("expected a handle of ") + handle_tag<T>() + ".");
  }
  if (R_ExternalPtrAddr(handle) == nullptr) {
    const Rcpp::Shield<SEXP> successor(rebuild(handle));
    give_to_handle<T>(handle, shared_from_handle<T>(successor));
  }
  return *static_cast<const typename HandleOwner<T>::type*>(R_ExternalPtrAddr(handle));
}

template <class T>
auto& from_handle(SEXP handle) {
  return *shared_from_handle<T>(handle);
}

// Protects an R object for as long as the core holds it. Create, use and drop it on R's thread.
std::shared_ptr<void> keep_alive(SEXP object);
inline SEXP kept(const std::shared_ptr<void>& object) { return static_cast<SEXP>(object.get()); }

}  // namespace r
}  // namespace dp
