# Each kind of release behaves alike in each place that keeps a budget.

skip_if_not_installed("RPostgres")
options(opendp_features = c("contrib", "honest-but-curious"))

# Numbers of a release, without what says how it came about.
numbers_of <- function(value) {
  if (is_of_statistic(value)) value <- value$release
  unlist(lapply(as.list(value), function(part) unname(unlist(part))), use.names = FALSE)
}

server <- local_postgres(env = teardown_env())
places <- places_of_releases(server, teardown_env())

for (kind in names(kinds_of_releases)) {
  for (place in names(places)) {
    test_that(paste("a", kind, "on a", place, "follows the rules of every release"), {
      releasable <- kinds_of_releases[[kind]]
      on <- places[[place]](releasable$unit)
      is_ledger <- inherits(on, "dp_ledger")

      first <- releasable$release(on)
      expect_identical(spent_in(on), 0.25)

      again <- quietly_reused(releasable$release(on, reuse = TRUE))
      expect_identical(numbers_of(again$value), numbers_of(first$value))
      expect_identical(spent_in(on), 0.25)

      history <- dp_history(on)
      expect_identical(history$what, releasable$what)
      expect_identical(history$plan, releasable$plan(0.25))
      expect_identical(history$epsilon, 0.25)
      expect_identical(history$unit, format(releasable$unit))

      if (is_ledger) {
        checks <- verify_release(dp_receipt(again$of), on, value = again$value)
        expect_identical(
          unique(checks$result[!checks$check %in% c("signature", "unit")]), "passed"
        )
        expect_identical(checks$result[checks$check == "unit"], "passed")
      } else {
        expect_error(dp_receipt(again$of), class = "dp_error_invalid_argument")
      }

      # Without reuse the budget is charged again, with new noise.
      anew <- releasable$release(on, reuse = FALSE)
      expect_identical(spent_in(on), 0.5)

      expect_error(releasable$release(on, epsilon = 0.75), class = "dp_error_budget")
      expect_error(releasable$release(on, version = "2099"), class = "dp_error")
      expect_identical(spent_in(on), 0.5)

      other <- places[[place]](dp_unit(id = id))
      if (!is_ledger) release(query_of_people(other), epsilon = 0.25)
      before <- dp_spent(other)
      expect_error(releasable$release(other), class = "dp_error_unit")
      expect_identical(dp_spent(other), before)
    })
  }
}
