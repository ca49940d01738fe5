#' A synthetic stand-in for an extract of census microdata
#'
#' Ten thousand made-up adults. Their records imitate `PUMS5extract10000`, an extract of the
#' Public Use Microdata Sample of the United States census for California, which earlier software
#' for private statistics used in its examples. **No record describes a real person, and none was
#' copied or altered from a real record**: all were drawn from published summary figures of the
#' original. Use the data to try things out, not to learn about California.
#'
#' @format A data frame with 10000 rows, in random order, and 11 columns without missing values:
#' \describe{
#'   \item{X}{(`integer`, 69 to 1223891, all distinct) Row number in a larger file sorted by area.}
#'   \item{state}{(`integer`, always 6) Code of the state, California.}
#'   \item{puma}{(`integer`, 60100 to 68200, 233 codes) Code of the area, five digits.}
#'   \item{sex}{(`integer`, 0 or 1) The original gives no key; 1 fits female.}
#'   \item{age}{(`integer`, 18 to 89, or 93) Age in years; 93 stands for 90 and over.}
#'   \item{educ}{(`integer`, 1 to 16) Education, in rising order. The original gives no key; the
#'     codes fit the census's: 1 none, 9 high school, 12 associate, 13 bachelor, 14 master,
#'     15 professional and 16 doctoral degree.}
#'   \item{income}{(`double`, -10000 to 713000) Yearly income in US dollars: 1288 zeros, 15 negative
#'     values, most others rounded to 100 or 1000, and eight at 462000, a top code.}
#'   \item{latino, black, asian}{(`integer`, 0 or 1) Ethnicity; the three may overlap.}
#'   \item{married}{(`integer`, 0 or 1) 1 if married.}
#' }
#'
#' @section What matches the original:
#' By construction these counts are those of the original: every code of every column but `X` and
#' `income`; the joint counts of `latino`, `black` and `asian`; education by age band and
#' ethnicity; sex by age band; marriage by age; and incomes that are zero, negative and positive. So
#' are the fifteen negative incomes, the highest income and the top code, which were published one
#' by one. The quantiles of income were aimed at, the other figures follow from models:
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
#' The 28 correlations of personal characteristics and income differ from the original ones by 0.03
#' at most, the median incomes of education bands by sex by 3% at most.
#'
#' @section How it was made:
#' One column after the other, each given the earlier ones, with a fixed seed: ethnicity, age, sex
#' and education were dealt out from tables of counts, and marriage drawn from a logistic model.
#' Whether there is an income, and the logarithm of a positive one, come from a logistic and a
#' linear model in education, age, sex, marriage and ethnicity, the latter with the published
#' quantiles of its residuals. Incomes were then moved, keeping their order, to the published
#' quantiles of groups and of all incomes, and rounded as often to 10, 100, 1000 and 5000 as
#' people did. Areas fill their places by ethnicity, then loosely by education and income. The
#' script and the figures are in the folder `data-raw` of the sources.
#'
#' @section What it lacks:
#' All that the figures above do not show. Given the earlier columns, sex does not depend on
#' ethnicity, nor education on sex. Marriage does not vary by area beyond what its residents'
#' ethnicity, education and income bring about, and neighbouring areas are no more alike than
#' distant ones. There are no households, so no couples. Which single values of income are popular
#' is only as rounding makes it, and the upper tail beyond the 99.9% point is a smooth guess.
#'
#' @source Summary figures of `PUMS5extract10000`, an extract of the Public Use Microdata Sample,
#'   distributed with version 0.1-1 of the original R package PSIlence. The sample itself is the
#'   work of the [U.S. Census Bureau](https://www.census.gov), by its codes the 5% sample of 2000.
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

#' A synthetic stand-in for a payroll
#'
#' The made-up payroll of an office of 469 people. It imitates `SocrataWhiteHouseEmployeeSalaries`,
#' a public list of the salaries of White House employees, which earlier software for private
#' statistics used in its examples. **No record describes a real person, and none was copied or
#' altered from a real record**: all were drawn from published summary figures of the original. It
#' is there for columns of texts: one value of `Employee.Status` has nearly all rows, and one a
#' single row; `Position.Title` has more values than anybody would list.
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
#' By construction the counts of `Employee.Status` (437, 31 and 1); the number of titles, and of
#' those used once (206); the names and counts of the 25 most common titles, and the median salaries
#' of ten of them; the 20 most common salaries with their counts, the most common one 42000, of 64
#' people; the number of different salaries (120), and of zeros (3); and the published quantiles of
#' salaries and of lengths of titles. Other figures follow:
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
#' With a fixed seed. Common salaries were dealt as often as published; the others were spread
#' between the published quantiles, as many as give these their ranks. Titles beyond the common ones
#' were put together from a list of words, and given to people so that longer titles tend to come
#' with higher salaries. The script and the figures are in the folder `data-raw` of the sources.
#'
#' @section What it lacks:
#' Titles that are not among the 25 most common ones are invented, and so is who earns what beyond
#' the medians above.
#'
#' @source Summary figures of `SocrataWhiteHouseEmployeeSalaries`, distributed with version 0.1-1 of
#'   the original R package PSIlence. The list itself was published by the White House.
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
#' # Nobody has to list titles: those of many people are released.
#' titles <- dpHistogram(
#'   varType = "character", variable = "Position.Title", n = 469, epsilon = 2.5, delta = 1e-6
#' )
#' titles$release(SocrataWhiteHouseEmployeeSalaries)$release
"SocrataWhiteHouseEmployeeSalaries"
