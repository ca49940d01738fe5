// Domains: which values a dataset, a row or a result may take. Public, immutable, compared by
// structure.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/domains/atom_type.h"
#include "core/domains/scalar.h"
#include "core/one_of.h"

namespace dp {

class Domain;

// A value of the calling language that the core carries but never reads.
using Opaque = std::shared_ptr<void>;

struct Bounds {  // closed on both sides
  Scalar lower;
  Scalar upper;
};

struct AtomDomain {
  AtomType type;
  std::optional<Bounds> bounds;
  bool nan = false;  // whether NaN is a member; floats only
};

struct OptionDomain {  // a null, or a member of `element`
  AtomDomain element;
};

struct PairDomain {  // two elements: a row of two columns
  AtomDomain first;
  AtomDomain second;
};

struct VectorDomain {
  std::shared_ptr<const Domain> element;
  std::optional<std::uint64_t> size;
};

struct MapDomain {
  std::shared_ptr<const Domain> key;
  std::shared_ptr<const Domain> value;
};

struct DataFrameDomain {  // column name -> vector of one type; every frame is a member
  AtomType key;
};

struct BitVectorDomain {
  std::optional<std::uint32_t> max_weight;           // how many bits are set at most
  std::optional<std::uint64_t> size = std::nullopt;  // how many bits there are, in whole bytes
};

struct UserDomain {
  std::string identifier;
  Opaque member;      // the user's membership test
  Opaque descriptor;  // whatever else the user attached
};

class Domain {
 public:
  using Form = OneOf<AtomDomain,
                     OptionDomain,
                     PairDomain,
                     VectorDomain,
                     MapDomain,
                     DataFrameDomain,
                     BitVectorDomain,
                     UserDomain>;

  template <class T>
  Domain(T form) : form_(std::move(form)) {}  // NOLINT: every form is a domain

  const Form& form() const { return form_; }

  template <class T>
  const T* as() const {
    return std::get_if<T>(&form_);
  }

 private:
  Form form_;
};

// Three builders of atom domains for constructors; they differ in `nan`.
AtomDomain default_atom(AtomType type);  // no bounds; NaN allowed for floats
AtomDomain non_nan_atom(AtomType type);  // no bounds, no NaN
// [lower, upper] without NaN. Throws make_domain if lower > upper, failed_function if a bound is
// NaN. Equal and infinite bounds are allowed.
AtomDomain closed_atom(AtomType type, const Scalar& lower, const Scalar& upper);

// Builds atom_domain() of the R interface. `nan` defaults to true for floats without bounds and to
// false otherwise. A bounded domain with NaN is useless, and with the reference's default of true,
// sums and noise reject the most natural domain.
AtomDomain make_atom_domain(AtomType type, std::optional<Bounds> bounds, std::optional<bool> nan);

// Builds bitvector_domain() of the R interface. Throws make_domain unless `size` is a multiple of
// 8: otherwise the last byte would have undeclared bits.
BitVectorDomain make_bitvector_domain(std::optional<std::uint32_t> max_weight,
                                      std::optional<std::uint64_t> size);

Domain vector_of(Domain element, std::optional<std::uint64_t> size = std::nullopt);

// Structural: same form, same carrier, equal bounds by value (-0 equals +0), equal flags and sizes.
bool operator==(const Domain& a, const Domain& b);
inline bool operator!=(const Domain& a, const Domain& b) { return !(a == b); }

std::string debug(const Domain& domain);         // "VectorDomain(AtomDomain(T=i32), size=12)"
std::string type_name(const Domain& domain);     // "VectorDomain<AtomDomain<i32>>"
std::string carrier_name(const Domain& domain);  // "Vec<i32>"

// Throws failed_function with one message for every private value outside of its domain, whatever
// the reason. Carrier types are public, and have separate messages.
[[noreturn]] void refuse_nonmember();

// The element domain and size of a vector of atoms or options. Throws failed_cast, naming
// `input_domain`, if `domain` is of another form.
struct RowDomain {
  AtomDomain atom;
  bool option;
  std::optional<std::uint64_t> size;
};
RowDomain row_domain(const Domain& domain);

// Throws failed_cast unless `domain` is an AtomDomain.
const AtomDomain& atom_domain(const Domain& domain);

}  // namespace dp
