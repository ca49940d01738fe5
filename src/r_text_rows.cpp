#include "r_text_rows.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "boundary.h"
#include "core/engine/coded_text.h"
#include "core/engine/fetch.h"
#include "r_rows.h"
#include "r_scalars.h"

namespace dp::r {
namespace {

// What R keeps in the elements of a character vector: addresses of strings, of which it has each
// once. Reading an address touches no string and calls nothing, so any thread may do it.
class AddressRows final : public Rows {
 public:
  AddressRows(const SEXP* strings, std::size_t size) : strings_(strings), size_(size) {}

  AtomType type() const override { return AtomType::usize; }
  std::size_t size() const override { return size_; }
  Block read(std::size_t begin, std::size_t size, BlockBuffer& buffer) const override {
    std::uint64_t* to = buffer.cells<std::uint64_t>(size);
    for (std::size_t i = 0; i < size; ++i) {
      to[i] = reinterpret_cast<std::uintptr_t>(strings_[begin + i]);
    }
    return {to, nullptr, size};
  }

 private:
  const SEXP* strings_;
  std::size_t size_;
};

// How many strings ahead the next one is asked for: each lies somewhere else in memory.
constexpr std::size_t kAhead = 16;

class TextRows final : public Rows, public CodedText {
 public:
  TextRows(SEXP vector, bool option)
      : vector_(vector),
        alive_(keep_alive(vector)),
        data_(static_cast<const SEXP*>(DATAPTR_OR_NULL(vector))),
        size_(static_cast<std::size_t>(Rf_xlength(vector))),
        option_(option) {}

  AtomType type() const override { return AtomType::string; }
  std::size_t size() const override { return size_; }
  bool concurrent() const override { return false; }

  // Not of a vector that R makes up as it goes (ALTREP), whose strings may end between two reads.
  const CodedText* coded() const override { return data_ == nullptr || option_ ? nullptr : this; }

  RowsPtr codes() const override { return std::make_shared<AddressRows>(data_, size_); }

  // R has each UTF-8 text once; what had to be translated may equal one of these, or each other.
  Texts texts(const std::vector<std::uint64_t>& codes, BlockBuffer& buffer) const override {
    const auto string = [&](std::size_t i) {
      return reinterpret_cast<SEXP>(static_cast<std::uintptr_t>(codes[i]));
    };
    Texts texts{std::vector<std::string_view>(codes.size()), true};
    for (std::size_t i = 0; i < codes.size(); ++i) {
      if (i + kAhead < codes.size()) fetch(string(i + kAhead));
      if (string(i) == NA_STRING) refuse_missing();
      texts.views[i] = view(string(i), buffer);
      texts.distinct = texts.distinct && texts.views[i].data() == CHAR(string(i));
    }
    return texts;
  }

  Block read(std::size_t begin, std::size_t size, BlockBuffer& buffer) const override {
    std::string_view* to = buffer.cells<std::string>(size);
    std::uint8_t* valid = option_ ? buffer.valid(size) : nullptr;
    for (std::size_t i = 0; i < size; ++i) {
      if (data_ != nullptr && i + kAhead < size) fetch(data_[begin + i + kAhead]);
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
  const SEXP* data_;
  std::size_t size_;
  bool option_;
};

// Places in the list of labels, as codes.
class PlaceRows final : public Rows {
 public:
  PlaceRows(const int* codes, std::size_t size) : codes_(codes), size_(size) {}

  AtomType type() const override { return AtomType::usize; }
  std::size_t size() const override { return size_; }
  Block read(std::size_t begin, std::size_t size, BlockBuffer& buffer) const override {
    std::uint64_t* to = buffer.cells<std::uint64_t>(size);
    for (std::size_t i = 0; i < size; ++i) to[i] = static_cast<std::uint64_t>(codes_[begin + i]);
    return {to, nullptr, size};
  }

 private:
  const int* codes_;
  std::size_t size_;
};

class LabelRows final : public Rows, public CodedText {
 public:
  LabelRows(SEXP factor, std::vector<std::string> levels, bool option)
      : alive_(keep_alive(factor)),
        codes_(INTEGER_RO(factor)),
        size_(static_cast<std::size_t>(Rf_xlength(factor))),
        levels_(std::move(levels)),
        option_(option) {}

  AtomType type() const override { return AtomType::string; }
  std::size_t size() const override { return size_; }

  const CodedText* coded() const override { return option_ ? nullptr : this; }

  RowsPtr codes() const override { return std::make_shared<PlaceRows>(codes_, size_); }

  // Anybody can make a factor two of whose labels are equal.
  Texts texts(const std::vector<std::uint64_t>& codes, BlockBuffer&) const override {
    Texts texts{{}, false};
    for (const std::uint64_t code : codes) {
      if (code - 1 >= levels_.size()) refuse_missing();
      texts.views.push_back(levels_[static_cast<std::size_t>(code - 1)]);
    }
    return texts;
  }

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
