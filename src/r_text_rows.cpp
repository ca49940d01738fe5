#include "r_text_rows.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "boundary.h"
#include "r_rows.h"
#include "r_scalars.h"

namespace dp::r {
namespace {

class TextRows final : public Rows {
 public:
  TextRows(SEXP vector, bool option)
      : vector_(vector),
        alive_(keep_alive(vector)),
        size_(static_cast<std::size_t>(Rf_xlength(vector))),
        option_(option) {}

  AtomType type() const override { return AtomType::string; }
  std::size_t size() const override { return size_; }
  bool concurrent() const override { return false; }

  Block read(std::size_t begin, std::size_t size, BlockBuffer& buffer) const override {
    std::string_view* to = buffer.cells<std::string>(size);
    std::uint8_t* valid = option_ ? buffer.valid(size) : nullptr;
    for (std::size_t i = 0; i < size; ++i) {
      const SEXP text = STRING_ELT(vector_, static_cast<R_xlen_t>(begin + i));
      const bool missing = text == NA_STRING;
      if (missing && valid == nullptr) refuse_missing();
      if (valid != nullptr) valid[i] = missing ? 0 : 1;
      to[i] = missing ? std::string_view() : view(text, buffer);
    }
    return {to, valid, size};
  }

 private:
  static std::string_view view(SEXP text, BlockBuffer& buffer) {
    if (is_utf8(text)) return {CHAR(text), static_cast<std::size_t>(LENGTH(text))};
    // R would refuse them itself, by a jump across this code.
    if (Rf_getCharCE(text) == CE_BYTES)
      throw Error(ErrorKind::failed_cast, "arg must hold text, not bytes.");
    const void* memory = vmaxget();
    std::string translated = Rf_translateCharUTF8(text);
    vmaxset(memory);
    return buffer.keep(std::move(translated));
  }

  SEXP vector_;
  Opaque alive_;
  std::size_t size_;
  bool option_;
};

class LabelRows final : public Rows {
 public:
  LabelRows(SEXP factor, std::vector<std::string> levels, bool option)
      : alive_(keep_alive(factor)),
        codes_(INTEGER_RO(factor)),
        size_(static_cast<std::size_t>(Rf_xlength(factor))),
        levels_(std::move(levels)),
        option_(option) {}

  AtomType type() const override { return AtomType::string; }
  std::size_t size() const override { return size_; }

  Block read(std::size_t begin, std::size_t size, BlockBuffer& buffer) const override {
    std::string_view* to = buffer.cells<std::string>(size);
    std::uint8_t* valid = option_ ? buffer.valid(size) : nullptr;
    for (std::size_t i = 0; i < size; ++i) {
      // A code beyond the levels stands for nothing either.
      const std::size_t place = static_cast<std::size_t>(codes_[begin + i]) - 1;
      const bool missing = place >= levels_.size();
      if (missing && valid == nullptr) refuse_missing();
      if (valid != nullptr) valid[i] = missing ? 0 : 1;
      to[i] = missing ? std::string_view() : std::string_view(levels_[place]);
    }
    return {to, valid, size};
  }

 private:
  Opaque alive_;
  const int* codes_;
  std::size_t size_;
  std::vector<std::string> levels_;
  bool option_;
};

}  // namespace

RowsPtr text_rows(SEXP vector, bool option) { return std::make_shared<TextRows>(vector, option); }

RowsPtr label_rows(SEXP factor, bool option) {
  const Rcpp::Shield<SEXP> levels(Rf_getAttrib(factor, R_LevelsSymbol));
  return std::make_shared<LabelRows>(factor, strings_from_r(levels, "the levels of arg"), option);
}

}  // namespace dp::r
