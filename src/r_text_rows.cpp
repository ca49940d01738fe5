#include "r_text_rows.h"

#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "boundary.h"
#include "core/engine/coded_text.h"
#include "core/engine/fetch.h"
#include "core/engine/one_thread.h"
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

// The text from `bytes` to its zero, with no owner, if all of it is ASCII. R keeps text in words of
// eight bytes, so that all of the last word may be read.
std::optional<std::string_view> ascii_text(const char* bytes) {
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kHigh = 0x8080808080808080;
  for (std::size_t size = 0;; size += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes + size, sizeof word);
    // The lowest bit marks the first zero byte, as bytes before it borrow from none.
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

// R's own functions are for R's own thread. But the bytes of a string begin at one distance from
// its address, which that thread measures, and end with a zero; ASCII is UTF-8, whatever encoding R
// believes it to have. So any thread can read text that is ASCII, and tell when it is not.
class TextRows final : public Rows, public CodedText, public TryableRows {
 public:
  TextRows(SEXP vector, bool option)
      : vector_(vector),
        alive_(keep_alive(vector)),
        data_(static_cast<const SEXP*>(DATAPTR_OR_NULL(vector))),
        missing_(NA_STRING),
        bytes_at_(CHAR(missing_) - reinterpret_cast<const char*>(missing_)),
        size_(static_cast<std::size_t>(Rf_xlength(vector))),
        option_(option) {}

  AtomType type() const override { return AtomType::string; }
  std::size_t size() const override { return size_; }
  bool concurrent() const override { return false; }
  bool worth_trying() const override { return data_ != nullptr; }

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
      if (i + kAhead < codes.size()) fetch(bytes_of(string(i + kAhead)));
      if (string(i) == missing_) refuse_nonmember();
      texts.views[i] = view(string(i), buffer);
      texts.distinct = texts.distinct && texts.views[i].data() == bytes_of(string(i));
    }
    return texts;
  }

  Block read(std::size_t begin, std::size_t size, BlockBuffer& buffer) const override {
    std::string_view* to = buffer.cells<std::string>(size);
    std::uint8_t* valid = option_ ? buffer.valid(size) : nullptr;
    for (std::size_t i = 0; i < size; ++i) {
      if (data_ != nullptr && i + kAhead < size) fetch(bytes_of(data_[begin + i + kAhead]));
      const SEXP text = data_ == nullptr ? STRING_ELT(vector_, static_cast<R_xlen_t>(begin + i))
                                         : data_[begin + i];
      const bool missing = text == missing_;
      if (missing && valid == nullptr) refuse_nonmember();
      if (valid != nullptr) valid[i] = missing ? 0 : 1;
      to[i] = missing ? std::string_view() : view(text, buffer);
    }
    return {to, valid, size};
  }

 private:
  const char* bytes_of(SEXP text) const { return reinterpret_cast<const char*>(text) + bytes_at_; }

  std::string_view view(SEXP text, BlockBuffer& buffer) const {
    const char* const bytes = bytes_of(text);
    if (const auto ascii = ascii_text(bytes)) return *ascii;
    if (std::this_thread::get_id() != thread_) throw OneThreadOnly();
    if (is_utf8(text)) return bytes;
    // R would refuse them itself, by a jump across this code.
    if (Rf_getCharCE(text) == CE_BYTES) refuse_nonmember();
    const void* memory = vmaxget();
    std::string translated = Rf_translateCharUTF8(text);
    vmaxset(memory);
    return buffer.keep(std::move(translated));
  }

  SEXP vector_;
  Opaque alive_;
  const SEXP* data_;
  SEXP missing_;
  std::ptrdiff_t bytes_at_;
  std::size_t size_;
  bool option_;
  std::thread::id thread_ = std::this_thread::get_id();
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
      if (code - 1 >= levels_.size()) refuse_nonmember();
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
      if (missing && valid == nullptr) refuse_nonmember();
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
