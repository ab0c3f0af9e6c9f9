# What haven writes, among it missing values of several kinds in a Stata file.
library(haven)
data <- data.frame(id = 1:6)
data$mood <- labelled(c(1, 2, 3, tagged_na("a"), tagged_na("z"), NA), c(bad = 1, fair = 2, good = 3, refused = tagged_na("a")), label = "Mood today")
data$big <- c(1e10, -1e-5, 0.1, 1 / 3, NA, 2147483647)
data$text <- c("a", "", "ünïcode", "日本語", strrep("long ", 500), "z")
data$day <- as.Date(c("1959-12-31", "1960-01-01", "2024-02-29", NA, "1900-01-01", "2100-12-31"))
data$yes <- c(TRUE, FALSE, NA, TRUE, TRUE, FALSE)
write_dta(data, "haven-14.dta", version = 14)
write_dta(data[names(data) != "text"], "haven-12.dta", version = 12)
answers <- data.frame(mood = labelled_spss(c(1, 2, 3, 9, -1, 2), c(bad = 1, fair = 2, good = 3, refused = 9), na_values = 9, na_range = c(-Inf, 0), label = "Mood today"))
answers$text <- data$text
write_sav(answers, "haven-byte.sav", compress = "byte")
write_sav(answers, "haven.zsav", compress = "zsav")
