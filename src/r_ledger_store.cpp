#include "r_ledger_store.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/ledger/folder_store.h"
#include "core/ledger/ledger_lines.h"
#include "core/plan/sha256.h"
#include "core/platform.h"
#include "r_jumps.h"
#include "r_scalars.h"

namespace dp::r {
namespace {

constexpr double kLinesAtOnce = 5000;

class TableStore : public LedgerStore {
 public:
  explicit TableStore(Rcpp::List functions) : functions_(std::move(functions)) {}

  std::string name() const override { return Rcpp::as<std::string>(functions_["name"]); }

  std::unique_ptr<Access> access(int patience) override {
    return std::make_unique<TableAccess>(*this, function("begin")(patience));
  }

  std::unique_ptr<Lease> lease(std::uint64_t charge, int patience) override {
    Rcpp::RObject session = function("lease")(static_cast<double>(charge), patience);
    if (session.isNULL()) return nullptr;
    return std::make_unique<TableLease>(function("unlease"), std::move(session));
  }

  void check_vacant() override { function("vacant")(); }

  void create(const std::string& lines) override {
    std::vector<std::string> all;
    for (std::size_t at = 0; at < lines.size();) {
      const std::size_t end = lines.find('\n', at);
      all.push_back(lines.substr(at, end - at));
      at = end + 1;
    }
    function("create")(all);
  }

 private:
  // A forked process does not end the lease of its parent.
  class TableLease : public Lease {
   public:
    TableLease(Rcpp::Function end, Rcpp::RObject session)
        : end_(std::move(end)), session_(std::move(session)), process_(process_id()) {}
    ~TableLease() override {
      if (process_ != process_id()) return;
      const Undisturbed undisturbed;
      try {
        end_(session_);
      } catch (...) {  // NOLINT: destructors do not throw
      }
    }
    TableLease(const TableLease&) = delete;
    TableLease& operator=(const TableLease&) = delete;

   private:
    Rcpp::Function end_;
    Rcpp::RObject session_;
    long process_;
  };

  class TableAccess : public Access {
   public:
    TableAccess(TableStore& store, Rcpp::RObject session)
        : store_(store), session_(std::move(session)) {}

    // The access ends even if R is interrupted meanwhile.
    ~TableAccess() override {
      const Undisturbed undisturbed;
      try {
        store_.function("end")(session_);
      } catch (...) {  // NOLINT: destructors do not throw
      }
    }
    TableAccess(const TableAccess&) = delete;
    TableAccess& operator=(const TableAccess&) = delete;

    // A replaced table does not continue the chain of the old one, and the ledger detects that.
    bool is_replaced() override { return false; }
    void settle() override {}

    std::string line(const LedgerPosition& start, const LedgerPosition&) override {
      const Rcpp::CharacterVector found = lines(static_cast<double>(start.lines), 1);
      return found.size() == 1 ? std::string(line_in(found[0])) : "";
    }

    std::string each_line(const LedgerPosition& from,
                          const std::function<void(std::string_view line)>& see) override {
      auto next = static_cast<double>(from.lines);
      for (R_xlen_t count = 1; count > 0;) {
        const Rcpp::CharacterVector found = lines(next, kLinesAtOnce);
        count = found.size();
        next += static_cast<double>(count);
        for (R_xlen_t i = 0; i < count; ++i) see(line_in(found[i]));
      }
      return "";
    }

    std::optional<std::string> stored_hash(const std::string& name) override {
      const Rcpp::RObject text = store_.function("stored")(session_, name);
      if (text.isNULL()) return std::nullopt;
      return hexadecimal(sha256(string_from_r(text, "what is stored")));
    }

    void cut_off(const LedgerPosition&) override {}

    void append(const LedgerPosition& end, const std::string& line) override {
      store_.function("append")(session_, static_cast<double>(end.lines), line);
    }

   private:
    Rcpp::CharacterVector lines(double from, double most) {
      const Rcpp::RObject found = store_.function("lines")(session_, from, most);
      if (TYPEOF(found) != STRSXP) {
        throw Error(ErrorKind::storage, store_.name() + " gives no text.");
      }
      return Rcpp::CharacterVector(found);
    }

    static std::string_view line_in(SEXP element) {
      const auto size = static_cast<std::size_t>(Rf_xlength(element));
      check_line_length(size);
      return {CHAR(element), size};
    }

    TableStore& store_;
    Rcpp::RObject session_;
  };

  Rcpp::Function function(const char* name) const { return functions_[name]; }

  Rcpp::List functions_;
};

}  // namespace

std::shared_ptr<LedgerStore> ledger_store_from_r(SEXP store, bool only_reads) {
  if (TYPEOF(store) == VECSXP) return std::make_shared<TableStore>(Rcpp::List(store));
  const std::string folder = string_from_r(store, "`where`");
  return only_reads ? folder_to_read(folder) : folder_store(folder);
}

}  // namespace dp::r
