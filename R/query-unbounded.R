# Tells whether a query needs bounds that its columns lack.

bounds_are_wanted <- paste(
  "Declare `dp_num(lower, upper)`, or give `bounds` to the aggregate. Choose them without",
  "looking at the data."
)
