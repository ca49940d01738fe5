#' Count the rows of each public category
#'
#' Gives one count per category, in their order, and one more for all other rows if
#' `null_category`.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of integers, `bool` or texts, without nulls. Public.
#' @param input_metric (`metric`) [symmetric_distance()]. Public.
#' @param categories (vector) In the type of the rows, each once. Public: they must not be read off
#'   the data. Those of a factor are its `levels()`.
#' @param null_category (`logical(1)`) Whether the last count is that of the rows in no category;
#'   otherwise these are not counted.
#' @param .MO (type descriptor) Output metric, `"L1Distance<Q>"` for Laplace or `"L2Distance<Q>"`
#'   for Gaussian noise. `Q` is usually the type of the counts.
#' @param .TOA (type descriptor) Type of the counts, any number type. One that has no room for a
#'   count holds its largest consecutive whole number.
#' @returns (`transformation`) From a vector to one count per category, in rows. The output domain
#'   has no size.
#' @section Stability: `d_out = d_in`, in the type `Q`: a row more or less moves one count by 1, so
#'   that `d_in` rows move the counts by at most `d_in` in L1 and in L2.
#' @section Errors: `dp_error_make_transformation` if a category comes twice;
#'   `dp_error_failed_cast` if one has another type than the rows, or if rows may be null;
#'   `dp_error_type` for rows of floats, for another metric, or if `.TOA` is not a number type. The
#'   map: `dp_error_failed_cast` if an integer `Q` has no room for `d_in`.
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
