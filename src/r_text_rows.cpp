#include "r_text_rows.h"

#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "boundary.h"
#include "core/data/coded_text.h"
#include "core/runtime/one_thread.h"
#include "core/runtime/prefetch.h"
#include "r_rows.h"
#include "r_scalars.h"

namespace dp::r {
namespace {

// Reads the elements of a character vector as addresses of strings; R stores each string once.
// Reading an address neither touches the string nor calls R, so any thread can do it.
class AddressRows final : public Column {
 public:
  AddressRows(const SEXP* strings, std::size_t size) : strings_(strings), size_(size) {}

  AtomType type() const override { return AtomType::usize; }
  std::size_t size() const override { return size_; }
  Batch read(std::size_t begin, std::size_t size, BatchBuffer& buffer) const override {
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

// Prefetch distance in strings, because each string is at an unrelated address.
constexpr std::size_t kAhead = 16;

// Returns a view of the text from `bytes` to its zero, if all of it is ASCII. R allocates text in
// words of eight bytes, so reading the whole last word is safe.
std::optional<std::string_view> ascii_text(const char* bytes) {
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kHigh = 0x8080808080808080;
  for (std::size_t size = 0;; size += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes + size, sizeof word);
    // The lowest bit marks the first zero byte, because the bytes before it do not borrow.
    const std::uint64_t zeros = (word - kOnes) & ~word & kHigh;
    const std::uint64_t before = zeros == 0 ? ~std::uint64_t{0} : (zeros & -zeros) - 1;
    if ((word & before & kHigh) != 0) return std::nullopt;
    if (zeros != 0) {
      return std::string_view(bytes, size + static_cast<std::size_t>(__builtin_ctzll(zeros)) / 8);
    }
  }
#else
  const std::string_view text = bytes;
  if (!is_ascii(text)) return std::nullopt;
  return text;
#endif
}

// Reads text without R's functions, which only R's own thread can call. The bytes of a string begin
// at a fixed distance from its address, which R's thread measures, and end with a zero. ASCII is
// UTF-8 in every encoding that R can assume. So any thread can read ASCII text, and detect other
// text.
class TextRows final : public Column, public CodedText, public TryableRows {
 public:
  TextRows(SEXP vector, bool option)
      : alive_(keep_alive(vector)),
        data_(STRING_PTR_RO(vector)),
        missing_(NA_STRING),
        bytes_at_(CHAR(missing_) - reinterpret_cast<const char*>(missing_)),
        size_(static_cast<std::size_t>(Rf_xlength(vector))),
        option_(option) {}

  AtomType type() const override { return AtomType::string; }
  std::size_t size() const override { return size_; }
  bool concurrent() const override { return false; }
  bool worth_trying() const override { return true; }

  const CodedText* coded() const override { return option_ ? nullptr : this; }

  ColumnPtr codes() const override { return std::make_shared<AddressRows>(data_, size_); }

  // R stores each text once if it is marked as UTF-8 or is ASCII. A text with a different mark, or
  // none, can equal one of these or each other.
  Texts texts(const std::vector<std::uint64_t>& codes, BatchBuffer& buffer) const override {
    const auto string = [&](std::size_t i) {
      return reinterpret_cast<SEXP>(static_cast<std::uintptr_t>(codes[i]));
    };
    Texts texts{std::vector<std::string_view>(codes.size()), true};
    for (std::size_t i = 0; i < codes.size(); ++i) {
      if (i + kAhead < codes.size()) fetch(bytes_of(string(i + kAhead)));
      const std::optional<std::string_view> text = view(string(i), buffer);
      if (!text) refuse_nonmember();
      texts.views[i] = *text;
      texts.distinct = texts.distinct && (Rf_getCharCE(string(i)) == CE_UTF8 || is_ascii(*text));
    }
    return texts;
  }

  Batch read(std::size_t begin, std::size_t size, BatchBuffer& buffer) const override {
    std::string_view* to = buffer.cells<std::string>(size);
    std::uint8_t* valid = option_ ? buffer.valid(size) : nullptr;
    for (std::size_t i = 0; i < size; ++i) {
      if (i + kAhead < size) fetch(bytes_of(data_[begin + i + kAhead]));
      const std::optional<std::string_view> text = view(data_[begin + i], buffer);
      if (!text && valid == nullptr) refuse_nonmember();
      if (valid != nullptr) valid[i] = text ? 1 : 0;
      to[i] = text.value_or(std::string_view());
    }
    return {to, valid, size};
  }

 private:
  const char* bytes_of(SEXP text) const { return reinterpret_cast<const char*>(text) + bytes_at_; }

  std::optional<std::string_view> view(SEXP text, BatchBuffer& buffer) const {
    if (text == missing_) return std::nullopt;
    if (const auto ascii = ascii_text(bytes_of(text))) return ascii;
    if (std::this_thread::get_id() != thread_) throw OneThreadOnly();
    std::string translated;
    const std::optional<std::string_view> view = text_of(text, translated);
    if (!view || view->data() == bytes_of(text)) return view;
    return buffer.keep(std::move(translated));
  }

  Opaque alive_;
  const SEXP* data_;
  SEXP missing_;
  std::ptrdiff_t bytes_at_;
  std::size_t size_;
  bool option_;
  std::thread::id thread_ = std::this_thread::get_id();
};

// The codes of a factor as R stores them: from 1, or any other integer.
class Codes {
 public:
  explicit Codes(SEXP factor)
      : size_(static_cast<std::size_t>(Rf_xlength(factor))), codes_(INTEGER_RO(factor)) {}

  std::size_t size() const { return size_; }

  // Level index from 0. A code without a level gives an index beyond all levels.
  std::uint64_t place(std::size_t row) const {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(codes_[row]) - 1);
  }

 private:
  std::size_t size_;
  const int* codes_;
};

// Level indices of labels; there are `count` labels.
class PlaceRows final : public Column {
 public:
  PlaceRows(SEXP factor, std::uint64_t count, bool option)
      : alive_(keep_alive(factor)), codes_(factor), count_(count), option_(option) {}

  AtomType type() const override { return AtomType::usize; }
  std::size_t size() const override { return codes_.size(); }
  Batch read(std::size_t begin, std::size_t size, BatchBuffer& buffer) const override {
    std::uint64_t* to = buffer.cells<std::uint64_t>(size);
    std::uint8_t* valid = option_ ? buffer.valid(size) : nullptr;
    for (std::size_t i = 0; i < size; ++i) {
      to[i] = codes_.place(begin + i);
      const bool missing = to[i] >= count_;
      if (missing && valid == nullptr) refuse_nonmember();
      if (valid != nullptr) valid[i] = missing ? 0 : 1;
    }
    return {to, valid, size};
  }

 private:
  Opaque alive_;
  Codes codes_;
  std::uint64_t count_;
  bool option_;
};

using Labels = std::vector<std::optional<std::string>>;

class LabelRows final : public Column, public CodedText {
 public:
  LabelRows(SEXP factor, Labels labels, bool option)
      : factor_(keep_alive(factor)), codes_(factor), labels_(std::move(labels)), option_(option) {}

  AtomType type() const override { return AtomType::string; }
  std::size_t size() const override { return codes_.size(); }

  const CodedText* coded() const override { return option_ ? nullptr : this; }

  ColumnPtr codes() const override {
    return std::make_shared<PlaceRows>(kept(factor_), labels_.size(), false);
  }

  // Users can make a factor with two equal labels.
  Texts texts(const std::vector<std::uint64_t>& codes, BatchBuffer&) const override {
    Texts texts{{}, false};
    for (const std::uint64_t place : codes) {
      const std::string* label = label_at(place);
      if (label == nullptr) refuse_nonmember();
      texts.views.push_back(*label);
    }
    return texts;
  }

  Batch read(std::size_t begin, std::size_t size, BatchBuffer& buffer) const override {
    std::string_view* to = buffer.cells<std::string>(size);
    std::uint8_t* valid = option_ ? buffer.valid(size) : nullptr;
    for (std::size_t i = 0; i < size; ++i) {
      const std::string* label = label_at(codes_.place(begin + i));
      if (label == nullptr && valid == nullptr) refuse_nonmember();
      if (valid != nullptr) valid[i] = label == nullptr ? 0 : 1;
      to[i] = label == nullptr ? std::string_view() : std::string_view(*label);
    }
    return {to, valid, size};
  }

 private:
  // Null if `place` is not the index of a label.
  const std::string* label_at(std::uint64_t place) const {
    if (place >= labels_.size()) return nullptr;
    const std::optional<std::string>& label = labels_[static_cast<std::size_t>(place)];
    return label ? &*label : nullptr;
  }

  Opaque factor_;
  Codes codes_;
  Labels labels_;
  bool option_;
};

// Never calls an R method: levels can have a class, whose methods would see private codes.
SEXP levels_of(SEXP factor) {
  const SEXP levels = Rf_getAttrib(factor, R_LevelsSymbol);
  if (TYPEOF(levels) != STRSXP) {
    throw Error(ErrorKind::failed_cast, "the levels of arg must be a character vector.");
  }
  return levels;
}

}  // namespace

ColumnPtr text_rows(SEXP vector, bool option) { return std::make_shared<TextRows>(vector, option); }

ColumnPtr label_rows(SEXP factor, bool option) {
  const Rcpp::Shield<SEXP> levels(levels_of(factor));
  Labels labels;
  for (R_xlen_t i = 0; i < Rf_xlength(levels); ++i) {
    std::string room;
    const std::optional<std::string_view> label = text_of(STRING_ELT(levels, i), room);
    labels.push_back(label ? std::optional<std::string>(*label) : std::nullopt);
  }
  return std::make_shared<LabelRows>(factor, std::move(labels), option);
}

ColumnPtr place_rows(SEXP factor, bool option) {
  const Rcpp::Shield<SEXP> levels(levels_of(factor));
  return std::make_shared<PlaceRows>(
      factor, static_cast<std::uint64_t>(Rf_xlength(levels)), option);
}

}  // namespace dp::r
