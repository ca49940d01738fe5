#include "core/measures/measure.h"

#include <utility>

namespace dp {
namespace {

Measure plain(MeasureKind kind) { return {kind, nullptr, "", nullptr, nullptr}; }

constexpr MeasureKind kPlain[] = {MeasureKind::max_divergence,
                                  MeasureKind::zero_concentrated_divergence,
                                  MeasureKind::renyi_divergence,
                                  MeasureKind::smoothed_max_divergence};

std::string nested(const Measure& measure, const char* open, const char* close) {
  switch (measure.kind) {
    case MeasureKind::max_divergence:
      return "MaxDivergence";
    case MeasureKind::zero_concentrated_divergence:
      return "ZeroConcentratedDivergence";
    case MeasureKind::renyi_divergence:
      return "RenyiDivergence";
    case MeasureKind::smoothed_max_divergence:
      return "SmoothedMaxDivergence";
    case MeasureKind::approximate:
      return "Approximate" + (open + nested(*measure.inner, open, close)) + close;
    case MeasureKind::user:
      return measure.identifier;
  }
  throw Error(ErrorKind::type, "unknown measure.");
}

}  // namespace

Measure max_divergence() { return plain(MeasureKind::max_divergence); }
Measure zero_concentrated_divergence() { return plain(MeasureKind::zero_concentrated_divergence); }
Measure renyi_divergence() { return plain(MeasureKind::renyi_divergence); }
Measure smoothed_max_divergence() { return plain(MeasureKind::smoothed_max_divergence); }

Measure approximate(Measure inner) {
  if (inner.kind == MeasureKind::renyi_divergence || inner.kind == MeasureKind::approximate) {
    throw Error(ErrorKind::type, "No match for concrete type " + type_name(inner) + ".");
  }
  Measure measure = plain(MeasureKind::approximate);
  measure.inner = std::make_shared<const Measure>(std::move(inner));
  return measure;
}

bool operator==(const Measure& a, const Measure& b) {
  if (a.kind != b.kind) return false;
  if (a.kind == MeasureKind::approximate) return *a.inner == *b.inner;
  return a.kind != MeasureKind::user || a.same_descriptor(a.descriptor, b.descriptor);
}

std::string debug(const Measure& measure) { return nested(measure, "(", ")"); }

std::string type_name(const Measure& measure) {
  return measure.kind == MeasureKind::user ? "ExtrinsicDivergence" : nested(measure, "<", ">");
}

std::string distance_type_name(const Measure& measure) {
  switch (measure.kind) {
    case MeasureKind::renyi_divergence:
      return "Function<f64, f64>";
    case MeasureKind::smoothed_max_divergence:
      return "PrivacyProfile";
    case MeasureKind::approximate:
      return "(" + distance_type_name(*measure.inner) + ", f64)";
    case MeasureKind::user:
      return "ExtrinsicObject";
    default:
      return "f64";
  }
}

Measure parse_measure(const std::string& text) {
  for (MeasureKind kind : kPlain) {
    if (text == debug(plain(kind))) return plain(kind);
  }
  const std::string prefix = "Approximate<";
  if (text.size() > prefix.size() && text.compare(0, prefix.size(), prefix) == 0 &&
      text.back() == '>') {
    return approximate(parse_measure(text.substr(prefix.size(), text.size() - prefix.size() - 1)));
  }
  throw Error(ErrorKind::type_parse, "failed to parse type: " + text);
}

}  // namespace dp
