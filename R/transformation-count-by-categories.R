#' Count the rows of each public category
#'
#' Counts the rows in each category, in the order of the categories. With `null_category`, one more
#' count covers all other rows.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of integers, `bool` or strings, without nulls. Public.
#' @param input_metric (`metric`) [symmetric_distance()]. Public.
#' @param categories (vector) Distinct categories, in the type of the rows. Public: do not take them
#'   from the data. For a factor, use its `levels()`.
#' @param null_category (`logical(1)`) Whether to count the rows in no category as the last count.
#'   If `FALSE`, they are not counted.
#' @param .MO (type descriptor) Output metric, `"L1Distance<Q>"` for Laplace or `"L2Distance<Q>"`
#'   for Gaussian noise. `Q` is usually the type of the counts.
#' @param .TOA (type descriptor) Number type of the counts. If a count does not fit, it stops at the
#'   largest consecutive whole number of the type.
#' @returns (`transformation`) From a vector to one count per category, in rows. The output domain
#'   has no size.
#' @section Stability: `d_out = d_in`, in the type `Q`: an added or removed row changes one count by
#'   1, so `d_in` rows move the counts by at most `d_in` in L1 and in L2.
#' @section Errors: Raises `dp_error_make_transformation` if a category is repeated. Raises
#'   `dp_error_failed_cast` if a category has a different type than the rows, or if rows can be
#'   null. Raises `dp_error_type` for rows of floats, for a different metric, or if `.TOA` is not a
#'   number type. The map raises `dp_error_failed_cast` if `d_in` does not fit in an integer `Q`.
#' @template ref-dwork-mcsherry-nissim-smith-2006
#' @examples
#' enable_features("contrib")
#' histogram <- c(vector_domain(atom_domain(.T = "String")), symmetric_distance()) |>
#'   then_count_by_categories(c("yes", "no"))
#' histogram(arg = c("no", "yes", "no", "?"))
#' noisy <- histogram |> then_laplace(scale = 2)
#' noisy(d_in = 1L)
#' @export
make_count_by_categories <- function(input_domain, input_metric, categories,
                                     null_category = TRUE, .MO = "L1Distance<int>",
                                     .TOA = "int") {
  build(
    "make_count_by_categories", input_domain, input_metric, categories, null_category, .MO, .TOA
  )
}

#' @rdname make_count_by_categories
#' @export
then_count_by_categories <- to_then(make_count_by_categories)
