# Titles of positions, dealt to people by salary.

draw_titles <- function(people, figures) {
  common <- figures("Position.Title", "most_common_count")
  titles <- rep(names(common), common)
  taken <- deal_common_titles(people$salary, common, figures)
  made_up <- make_up_titles(nchar(titles), names(common), figures, nrow(people) - length(titles))
  # Longer titles are higher ones, loosely.
  left <- which(!seq_along(people$salary) %in% taken)
  noisy <- function(x) rank(x) + stats::rnorm(length(x), sd = length(x) / 5)
  all <- character(nrow(people))
  all[taken] <- titles
  rest <- left[order(noisy(people$salary[left]))]
  all[rest] <- made_up[order(noisy(nchar(made_up)))]
  all
}

# Deals the common titles to people. If the median salary of a title is published, equal numbers of
# its people earn less and more. The mean of the one or two people in the middle is the median.
deal_common_titles <- function(salary, common, figures) {
  medians <- figures("Position.Title", "median_salary_of_common_title")
  middles <- list(`51725` = c(51000, 52450), `73540.5` = c(71400, 75681))
  taken <- integer()
  take <- function(candidates, count) {
    chosen <- setdiff(candidates, taken)
    stopifnot(length(chosen) >= count)
    chosen <- chosen[seq_len(count)]
    taken <<- c(taken, chosen)
    chosen
  }
  for (title in names(common)) {
    count <- common[[title]]
    if (title %in% names(medians)) {
      median <- medians[[title]]
      middle <- middles[[as.character(median)]]
      if (is.null(middle)) middle <- rep(median, 2 - count %% 2)
      for (value in middle) take(which(salary == value), 1)
      side <- (count - length(middle)) / 2
      near <- order(abs(salary - median))
      take(near[salary[near] <= min(middle)], side)
      take(near[salary[near] >= max(middle)], side)
    } else {
      take(sample(which(salary > 35000 & salary < 175000)), count)
    }
  }
  taken
}

# Titles for `rows` rows. The published number of titles is used once, the others two or three
# times. Their lengths give the published quartiles of lengths over all rows: a quarter of the rows
# is as long as one quartile, or the next, or between.
make_up_titles <- function(lengths, used, figures, rows) {
  distinct <- figures("Position.Title", "distinct")[[1]] - length(used)
  once <- figures("Position.Title", "titles_used_once")[[1]]
  more <- distinct - once
  threes <- rows - once - 2 * more
  quartiles <- figures("Position.Title", "length_quantile")
  wanted <- lengths_to_fill(lengths, quartiles, rows)
  candidates <- sample(setdiff(all_titles(), used))
  candidates <- split(candidates, nchar(candidates))
  # Rows in the order of their lengths, in groups with one title, which has the last one's length.
  # No group goes beyond a quartile, nor do the shortest and the longest title have others.
  repeat {
    uses <- c(1, sample(c(rep(3, threes), rep(2, more - threes), rep(1, once - 2))), 1)
    last <- cumsum(uses)
    if (all(findInterval(quartiles[2:4], wanted) %in% last)) break
  }
  lengths <- wanted[last]
  titles <- character(distinct)
  for (i in seq_along(titles)) {
    bucket <- as.character(lengths[[i]])
    titles[[i]] <- candidates[[bucket]][[1]]
    candidates[[bucket]] <- candidates[[bucket]][-1]
  }
  rep(titles, uses)
}

lengths_to_fill <- function(known, quartiles, rows) {
  all <- rows + length(known)
  ranks <- 1 + (all - 1) * as.numeric(names(quartiles))
  have <- findInterval(known, quartiles[2:4], left.open = TRUE)
  unlist(lapply(0:3, function(band) {
    wanted <- diff(c(0, ranks[-1]))[[band + 1]] - sum(have == band)
    ends <- quartiles[band + 1:2] + c(if (band > 0) 1 else 0, 0)
    round(seq(ends[[1]], ends[[2]], length.out = wanted))
  }))
}

# Every title that these words make.
all_titles <- function() {
  ranks <- c("", "SENIOR ", "DEPUTY ", "ASSOCIATE ", "ASSISTANT ", "CHIEF ")
  roles <- c(
    "WRITER", "EDITOR", "AIDE", "PLANNER", "ADVISOR", "MANAGER", "DIRECTOR", "LIAISON", "COUNSEL",
    "CURATOR", "ENGINEER", "PRODUCER", "OPERATOR", "ARCHIVIST", "ECONOMIST", "LIBRARIAN",
    "SECRETARY", "SPECIALIST", "SUPERVISOR", "COORDINATOR", "REPRESENTATIVE"
  )
  topics <- c(
    "MAIL", "PRESS", "TRADE", "HEALTH", "ENERGY", "LABOR", "EVENTS", "TRAVEL", "GIFTS", "HOUSING",
    "SCIENCE", "RECORDS", "VISITORS", "EDUCATION", "SPEECHES", "VETERANS", "PLANNING", "TRANSPORT",
    "PERSONNEL", "AGRICULTURE", "RURAL AFFAIRS", "URBAN AFFAIRS", "MESSAGE PLANNING",
    "CORRESPONDENCE", "DIGITAL STRATEGY", "PUBLIC ENGAGEMENT", "INFORMATION TECHNOLOGY"
  )
  join <- function(...) do.call(paste0, expand.grid(..., stringsAsFactors = FALSE))
  plain <- join(ranks, roles)
  of_topic <- c(join(plain, " FOR ", topics), join(ranks, topics, " ", roles))
  office <- join(c("DIRECTOR OF ", "SENIOR ADVISOR FOR ", "COUNSEL FOR "), topics)
  of_two <- join(office, " AND ", topics)
  of_three <- join(office, ", ", topics[1:14], " AND ", topics[15:27])
  staff <- join(c("", "DEPUTY "), "ASSISTANT TO THE PRESIDENT AND ")
  titles <- c(
    plain, of_topic, of_two, join(staff, office), join(staff, of_two), join(staff, of_three),
    join(staff, of_three, " IN THE OFFICE OF THE ", c("CHIEF OF STAFF", "STAFF SECRETARY"))
  )
  # No topic twice.
  grep("[ ,]([A-Z]{4,}).* (AND [A-Z ]*)?\\1\\b", titles, value = TRUE, invert = TRUE, perl = TRUE)
}
