#' A synthetic substitute for an extract of census microdata
#'
#' Contains ten thousand made-up adults. Their records imitate `PUMS5extract10000`, an extract of
#' the Public Use Microdata Sample of the United States census for California, which earlier
#' software for private statistics used in its examples. **No record describes a real person, and
#' none was copied or altered from a real record**: all were drawn from published summary figures of
#' the original. Use the data to try out methods, not to learn about California.
#' @format A data frame with 10000 rows, in random order, and 11 columns without missing values:
#' \describe{
#'   \item{X}{(`integer`, 69 to 1223891, all distinct) Row number in a larger file sorted by area.}
#'   \item{state}{(`integer`, always 6) Code of the state, California.}
#'   \item{puma}{(`integer`, 60100 to 68200, 233 codes) Code of the area, five digits.}
#'   \item{sex}{(`integer`, 0 or 1) The original has no key, but 1 fits female.}
#'   \item{age}{(`integer`, 18 to 89, or 93) Age in years, where 93 means 90 and over.}
#'   \item{educ}{(`integer`, 1 to 16) Education, in rising order. The original has no key. The
#'     codes fit the census's: 1 none, 9 high school, 12 associate, 13 bachelor, 14 master,
#'     15 professional and 16 doctoral degree.}
#'   \item{income}{(`double`, -10000 to 713000) Yearly income in US dollars: 1288 zeros, 15 negative
#'     values, most others rounded to 100 or 1000, and eight at 462000, a top code.}
#'   \item{latino, black, asian}{(`integer`, 0 or 1) Ethnicity. The three can overlap.}
#'   \item{married}{(`integer`, 0 or 1) 1 if married.}
#' }
#'
#' @section What matches the original:
#' By construction, these counts equal the original ones: every code of every column except `X` and
#' `income`, the joint counts of `latino`, `black` and `asian`, education by age band and ethnicity,
#' sex by age band, marriage by age, and zero, negative and positive incomes. The fifteen negative
#' incomes, the highest income and the top code also match, because they were published
#' individually. The income quantiles were targets. The other figures follow from models:
#'
#' | figure | original | synthetic |
#' |:--|--:|--:|
#' | mean income | 30943.46 | 30962.13 |
#' | standard deviation of income | 45930.5 | 46410.2 |
#' | quartiles of income | 6000, 18000, 40000 | 6000, 18000, 40000 |
#' | 90%, 95% and 99% points of income | 68000, 97000, 261012 | 68000, 97000, 260000 |
#' | distinct incomes | 1643 | 1792 |
#' | positive incomes that are multiples of 1000 | 50.1% | 51.2% |
#' | correlation of income and education | 0.314 | 0.312 |
#' | correlation of income and age | 0.098 | 0.089 |
#' | correlation of income and sex | -0.193 | -0.191 |
#' | correlation of income and marriage | 0.117 | 0.103 |
#' | correlation of income and `latino` | -0.179 | -0.178 |
#' | correlation of education and `latino` | -0.456 | -0.456 |
#' | correlation of age and marriage | 0.144 | 0.144 |
#' | slope of income on education | 4264.6 | 4278.2 |
#' | R squared of income on education | 0.099 | 0.097 |
#' | slope of income on age | 254.9 | 235.2 |
#' | rank correlation of `X` and `puma` | 0.969 | 0.975 |
#' | middle half of the areas' mean incomes | 21300 to 36794 | 19912 to 38503 |
#'
#' The 28 correlations of personal characteristics and income differ from the original ones by at
#' most 0.03. The median incomes of education bands by sex differ by at most 3%.
#'
#' @section How it was made:
#' Columns were made one after the other, each given the earlier ones, with a fixed seed. Ethnicity,
#' age, sex and education were dealt from tables of counts, and marriage was drawn from a logistic
#' model. A logistic model in education, age, sex, marriage and ethnicity decides whether there is
#' an income. A linear model in the same variables, with the published quantiles of its residuals,
#' gives the logarithm of a positive income. Incomes were then moved, keeping their order, to the
#' published quantiles of groups and of all incomes. They were rounded to 10, 100, 1000 and 5000 as
#' often as people did. Areas were filled by ethnicity, then loosely by education and income. The
#' script and the figures are in the folder `data-raw` of the sources.
#'
#' @section Limits:
#' The data lack everything that the figures above do not show. Given the earlier columns, sex does
#' not depend on ethnicity, nor education on sex. Marriage varies by area only through the
#' ethnicity, education and income of the residents, and neighbouring areas are no more alike than
#' distant ones. There are no households, so there are no couples. Which single values of income are
#' popular depends only on rounding, and the upper tail beyond the 99.9% point is a smooth guess.
#'
#' @source Summary figures of `PUMS5extract10000`, an extract of the Public Use Microdata Sample,
#'   distributed with version 0.1-1 of the original R package PSIlence. The sample was made by the
#'   [U.S. Census Bureau](https://www.census.gov). Its codes match the 5% sample of 2000.
#' @examples
#' data(PUMS5extract10000)
#' str(PUMS5extract10000)
#'
#' # These bounds are a guess that anybody could have made without looking at the data.
#' mean_income <- dpMean(
#'   mechanism = "mechanismLaplace", varType = "numeric", variable = "income",
#'   n = nrow(PUMS5extract10000), rng = c(0, 750000), epsilon = 0.1
#' )
#' mean_income$release(PUMS5extract10000)$release
"PUMS5extract10000"

#' A synthetic substitute for a payroll
#'
#' Contains the made-up payroll of an office of 469 people. It imitates
#' `SocrataWhiteHouseEmployeeSalaries`, a public list of the salaries of White House employees,
#' which earlier software for private statistics used in its examples. **No record describes a real
#' person, and none was copied or altered from a real record**: all were drawn from published
#' summary figures of the original. Use it to try out columns of text. One value of
#' `Employee.Status` has nearly all rows, and one has a single row. `Position.Title` has too many
#' values to list.
#'
#' @format A data frame with 469 rows, in random order, and 4 columns without missing values:
#' \describe{
#'   \item{Employee.Status}{(`character`) `"Employee"`, `"Detailee"` or `"Employee (part-time)"`.}
#'   \item{Salary}{(`integer`, 0 to 179700) Yearly salary in US dollars.}
#'   \item{Pay.Basis}{(`character`) Always `"Per Annum"`.}
#'   \item{Position.Title}{(`character`, 269 different ones) In capitals, 6 to 128 characters long.}
#' }
#'
#' @section What matches the original:
#' By construction, these figures equal the original ones. For `Employee.Status`: the counts (437,
#' 31 and 1). For titles: their number, the number of titles used once (206), and the names and
#' counts of the 25 most common titles, with the median salaries of ten of them. For salaries: the
#' 20 most common ones with their counts (the most common is 42000, of 64 people), the number of
#' different salaries (120) and of zeros (3). The published quantiles of salaries and of title
#' lengths also match. Other figures follow:
#'
#' | figure | original | synthetic |
#' |:--|--:|--:|
#' | mean salary | 82721.34 | 82045.76 |
#' | standard deviation of salaries | 41589.43 | 41601.10 |
#' | mean salary of employees | 80061.8 | 79336.8 |
#' | mean salary of detailees | 122203.3 | 122203.0 |
#' | median salaries of employees and detailees | 65000, 123758 | 65000, 123758 |
#'
#' @section How it was made:
#' The data were made with a fixed seed. Common salaries were dealt as often as published. The
#' others were spread between the published quantiles, so that these keep their ranks. Titles beyond
#' the common ones were composed from a list of words, and assigned so that longer titles tend to
#' come with higher salaries. The script and the figures are in the folder `data-raw` of the
#' sources.
#'
#' @section Limits:
#' Titles outside the 25 most common ones are invented, and so are the salaries of individual titles
#' beyond the medians above.
#'
#' @source Summary figures of `SocrataWhiteHouseEmployeeSalaries`, distributed with version 0.1-1 of
#'   the original R package PSIlence. The White House published the list.
#' @examples
#' data(SocrataWhiteHouseEmployeeSalaries)
#' str(SocrataWhiteHouseEmployeeSalaries)
#'
#' # Anybody could list these values, and how many people there are is public.
#' status <- dpHistogram(
#'   varType = "character", variable = "Employee.Status", n = 469,
#'   bins = c("Employee", "Detailee", "Employee (part-time)"), epsilon = 0.5
#' )
#' status$release(SocrataWhiteHouseEmployeeSalaries)$release
#'
#' # You need not list titles: titles that many people have are released.
#' titles <- dpHistogram(
#'   varType = "character", variable = "Position.Title", n = 469, epsilon = 2.5, delta = 1e-6
#' )
#' titles$release(SocrataWhiteHouseEmployeeSalaries)$release
"SocrataWhiteHouseEmployeeSalaries"
