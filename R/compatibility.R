#' Compatibility: files of other versions, and scripts for OpenDP
#'
#' @description
#' You can keep plans, ledgers and receipts for years. The first section says which promises later
#' versions keep. The others compare this package with OpenDP's R bindings.
#'
#' @section Files of other versions: Later versions keep these promises. A test reads files that
#'   earlier versions wrote (`tests/testthat/fixtures/stored_*.json`).
#'
#' | file | later versions |
#' |---|---|
#' | plan of a measurement or statistic | build it with the same map and [plan_hash()] |
#' | plan of a query | ask for the same numbers at the same loss. The hash stays |
#' | ledger | open it, verify it, and charge it with the same sums |
#' | stored release | return it free to the same plan, table and version of the data |
#' | receipt | read it and verify its signature. No check changes from passed to failed |
#' | head ([dp_ledger_head()]) | find its record |
#'
#' Three limits hold. First, if a version had a fault, its plans may be refused, and
#' [verify_release()] names the advisory ([dp_advisories()]). Second, arguments that you leave out
#' take the defaults of the version that runs. A script can therefore build another plan under a
#' newer version, which costs again. Keep the text of the plan to keep the plan. Third, equal plans
#' draw new noise: no version promises the same random numbers.
#'
#' Older versions do not open a ledger of a new format, or one whose records have kinds or fields
#' that are new to them. Objects in RDS files are not meant to last: they need the version that
#' wrote them. Save plans with [to_json()].
#'
#' @section Scripts written for OpenDP's R bindings:
#' A script written for version 0.15 of those bindings runs here after its `library()` line is
#' changed. All 290 names that they export are there. A test compares their arguments and defaults.
#' The differences:
#'
#' | there | here | why |
#' |---|---|---|
#' | `print.*`, `toString.*` | methods, no exports | R finds them |
#' | `rt_parse`, `rt_infer`, `assert_features` | internal | they are not exported there either |
#' | `_member`, `_domain_equal` and others with `_` | `domain(member = x)` | glue to its library |
#' | `privacy_profile_delta` | `profile(epsilon = )` | it is not exported there either |
#' | `privacy_profile_epsilon` | `profile(delta = )` | it is not exported there either |
#' | `i128`, `u128` | names without data | R has no such integers. `i128` holds sums |
#' | `is_internal` of a transition | always `FALSE` | locks never call a function of the caller |
#' | domains and functions of Polars | none | not in those bindings either |
#' | deprecated functions of data frames | not deprecated | what replaces them there is Polars |
#' | `make_pureDP_to_fixed_approxDP` (early releases) | [make_approximate()] | renamed |
#' | `make_split_records()` cuts fields in quotes | argument `quote` keeps them whole | CSV files |
#' | no argument `header` | `header` leaves out the first line, if `TRUE` | it is no row |
#' | `bitvector_domain(max_weight)` | also `size` | a release shows how many bits there are |
#' | data outside of the domain | `dp_error_failed_function` | maps hold for members only |
#' | counts of a tree wrap around | they saturate | a wrapped sum moves further than its map |
#'
#' Splitting a CSV file: `make_split_dataframe()` has the same arguments `quote` and `header`.
#' `quote = NULL` cuts fields in quotes, as there. [make_randomized_response_bitvec()] needs `size`.
#' Data are outside of a domain if, for example, they have 0 rows where `size` is 5.
#'
#' More is accepted than there:
#' * whole doubles for whole numbers (`d_in = 1`), and integers for floats (`scale = 1L`),
#' * a list of pairs as `d_mids` of [make_adaptive_composition()],
#' * a measurement, or an odometer, on the left of `then_*` forms whose constructor takes one:
#'   `m |> then_approximate()`, `o |> then_privacy_filter(d_in = 1L, d_out = 1)`,
#' * `$` on every object: `measurement$map(1L)`, `measurement$input_domain`,
#' * `-0` for 0 as a loss, a distance, a scale or a threshold, and sizes of exactly 2^53,
#' * an epsilon above 709 in [make_canonical_noise()],
#' * 8-bit and 16-bit integers as carriers. 64-bit counts return as doubles, exact up to 2^53.
#'
#' @section Deliberate differences from OpenDP:
#' Version 0.16.0 of OpenDP is the reference of these rows. The article *Where published privacy
#' bounds are too small*, on the site of the package, explains the unsound ones.
#'
#' | function | here | there |
#' |---|---|---|
#' | [atom_domain()] | float bounds exclude NaN unless `nan = TRUE` | bounds do not exclude NaN |
#' | [make_metric_bounded()] to Hamming distance | `size` from `d_in = 2` on | half of `d_in` |
#' | [make_resize()] | keeps a public order of rows | shuffles them |
#' | [make_impute_constant()] | replaces a NaN in a nullable row | keeps it |
#' | [make_b_ary_tree()] | covers the L2 distance of many leaves | multiplies by the layers |
#' | [make_variance()] and its kind | cover the rounding of the mean | do not |
#' | [make_laplace()], [make_gaussian()] | refuse NaN, null, other sizes | release a number |
#' | [make_laplace_threshold()] | counts noise at the threshold | `delta` is too small |
#' | [make_geometric()] with bounds | holds at the least number of the type | does not |
#' | [make_canonical_noise()] | works for a `delta` of 0 | crashes |
#' | [make_adaptive_composition()] | refuses negative `d_mids` | takes them |
#' | sizes of 2^32 and more | stay | are taken modulo 2^32 |
#' | integer `NA` in data | is refused, or is missing | is the least integer |
#' | [make_user_transformation()] | checks that domains and metrics fit | does not |
#' | maps | refuse negative, fractional and missing distances | take some |
#' | compositors | charge when they accept a query, even if it fails | charge on success |
#' | [make_privacy_filter()] | refuses a costly query before it runs | refuses afterwards |
#' | queryables | answer only in their own process | answer in forks and copies |
#' | [make_population_amplification()] | counts all changed records of a sample | counts one |
#' | amplified measurements | cannot be composed: compose, then amplify | compose |
#' | declared sizes and bounds | are enforced on data | are trusted |
#' | [make_randomized_response_bitvec()] | needs `bitvector_domain(size = )` | does not |
#' | [make_select_private_candidate()] | stops with the given probability | with its inverse |
#' | user maps with a negative or NaN loss | raise an error | pass |
#'
#' @seealso [framework_objects], [enable_features()], [dp_errors]
#' @name compatibility
NULL
