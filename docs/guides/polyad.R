# Polyad from R: fit a data frame, call any command, read models. Base R is enough. source("polyad.R")
#
#   fit <- polyad_fit(read.csv("survey.csv"), classes = 3, variables = c("smoking", "drinking", "truancy"))
#   fit$profiles; fit$classes; fit$fit; summary(fit); predict(fit, rows); plot(fit)
#
# `polyad` must be on the PATH; or set the environment variable POLYAD, for instance to "npx polyad".

# Runs a command and returns its --json object as a list: polyad("fit", "data.csv", k = 3, modes = "a,b", se = TRUE).
# Several values repeat an option. What the command warns of is a warning, and what it notes a message.
polyad <- function(command, ...) {
  given <- list(...)
  names <- if (is.null(names(given))) rep("", length(given)) else names(given)
  words <- unlist(mapply(function(name, values) {
    if (name == "") return(shQuote(as.character(values)))
    option <- paste0(if (nchar(name) == 1) "-" else "--", gsub("[._]", "-", name))
    vapply(values, function(value) {
      if (isTRUE(value)) option
      else if (isFALSE(value)) ""
      else paste0(option, if (nchar(name) > 1) "=", shQuote(as.character(value)))
    }, "")
  }, names, given))
  ended <- polyad_call(command, c(words, "--json", "--progress=json"))
  said <- lapply(ended$said, function(line) tryCatch(parse_json(line), error = function(e) list(kind = "note", message = line)))
  if (length(ended$text) == 0) stop(paste(vapply(said, function(each) each$message, ""), collapse = "\n"), call. = FALSE)
  answer <- parse_json(paste(ended$text, collapse = "\n"))
  for (each in said) if (identical(each$kind, "warning")) warning(each$message, call. = FALSE)
  if (!is.null(answer$error)) stop(answer$error$message, call. = FALSE)
  for (each in said) if (identical(each$kind, "note")) message(each$message) # such as columns that are left out
  answer
}

# Runs a command: what it printed, and what it said beside.
polyad_call <- function(command, words) {
  call <- strsplit(Sys.getenv("POLYAD", "polyad"), " ")[[1]]
  said <- tempfile()
  on.exit(unlink(said))
  suppressWarnings(text <- system2(call[1], c(call[-1], command, words), stdout = TRUE, stderr = said))
  list(text = text, said = readLines(said, encoding = "UTF-8", warn = FALSE))
}

# Fits a model to a data frame (or a file). Further options are those of `polyad fit`: weights = "w", se = TRUE.
# The result has data frames profiles, classes and fit, and the whole --json object as result.
polyad_fit <- function(data, classes, variables = NULL, ...) {
  model <- tempfile(fileext = ".npz")
  source <- polyad_source(data)
  on.exit(unlink(source$temporary))
  order <- if (is.null(variables)) source$order else source$order[names(source$order) %in% variables]
  modes <- if (is.null(variables)) NULL else quoted_list(variables)
  given <- c(list("fit", source$file, k = classes, output = model), if (!is.null(modes)) list(modes = modes), if (length(order) > 0) list(order = unname(order)), list(...))
  result <- do.call(polyad, given)
  columns <- paste0("class_", seq_along(result$shares))
  table_of <- function(of) {
    rows <- Map(function(profile, probabilities) {
      values <- matrix(unlist(probabilities), ncol = length(columns), dimnames = list(NULL, columns))
      data.frame(variable = profile$name, category = as.character(unlist(profile$labels)), values)
    }, result$profiles, of)
    do.call(rbind, rows)
  }
  errors <- result$standardErrors
  shares <- data.frame(class = seq_along(columns), share = result$shares, size = result$shares * result$total)
  if (is.numeric(errors$shares)) shares$se <- errors$shares
  figures <- c(result[vapply(result, function(each) is.numeric(each) && length(each) == 1, NA)], as.list(result$criteria))
  figures <- figures[!duplicated(names(figures)) & !names(figures) %in% c("rank", "seconds")]
  fit <- list(
    profiles = table_of(lapply(result$profiles, function(each) each$probabilities)), classes = shares,
    fit = data.frame(statistic = names(figures), value = as.numeric(unlist(figures))), result = result, model = model
  )
  if (is.list(errors$factors)) fit$standard_errors <- table_of(errors$factors)
  structure(fit, class = "polyad_fit")
}

print.polyad_fit <- function(x, ...) {
  cat(nrow(x$classes), " classes of ", length(x$result$modes), " variables\n", paste0(unlist(x$result$summary), "\n"), sep = "")
  invisible(x)
}

# The model as the command line prints it.
summary.polyad_fit <- function(object, ...) {
  cat(polyad_call("show", shQuote(object$model))$text, sep = "\n")
  invisible(object)
}

# The most probable class of each row and its probability; with posterior = TRUE that of every class.
predict.polyad_fit <- function(object, newdata, posterior = FALSE, ...) {
  source <- polyad_source(newdata)
  output <- tempfile(fileext = ".csv")
  on.exit(unlink(c(source$temporary, output)))
  answer <- polyad("classify", object$model, source$file, output = output, posterior = posterior, ...)
  if (length(answer$unseen) > 0) warning("categories that the model has never seen: ", toString(names(answer$unseen)), call. = FALSE)
  rows <- utils::read.csv(output, check.names = FALSE)
  if (is.data.frame(newdata)) rows[, -seq_along(newdata), drop = FALSE] else rows
}

# Bars for each variable, a colour for each class; or with a file (.svg, .pdf, .png) a chart of the command line.
plot.polyad_fit <- function(x, file = NULL, kind = "profiles", ...) {
  if (!is.null(file)) return(invisible(polyad("plot", x$model, kind = kind, output = file, ...)))
  tables <- split(x$profiles, factor(x$profiles$variable, unique(x$profiles$variable)))
  across <- ceiling(sqrt(length(tables)))
  before <- graphics::par(mfrow = c(ceiling(length(tables) / across), across), mar = c(6, 3, 2, 1))
  on.exit(graphics::par(before))
  colours <- grDevices::hcl.colors(nrow(x$classes), "Dark 3")
  for (name in names(tables)) {
    values <- t(as.matrix(tables[[name]][, -(1:2)]))
    graphics::barplot(values, beside = TRUE, names.arg = tables[[name]]$category, main = name, ylim = c(0, 1), col = colours, las = 2)
  }
  graphics::legend("topright", sprintf("class %d (%.0f%%)", x$classes$class, 100 * x$classes$share), fill = colours, bty = "n")
  invisible(x)
}

# The file of the data; ordered factors have an order.
polyad_source <- function(data) {
  if (!is.data.frame(data)) return(list(file = data, order = character()))
  file <- tempfile(fileext = ".csv")
  utils::write.csv(data, file, row.names = FALSE, na = "", fileEncoding = "UTF-8")
  ordered <- Filter(is.ordered, data)
  order <- vapply(names(ordered), function(name) paste0(quoted_list(name), "=", quoted_list(levels(droplevels(ordered[[name]])))), "")
  list(file = file, temporary = file, order = order)
}

# Names with commas between, in quotes where they need some.
quoted_list <- function(names) {
  special <- grepl('[",\n]', names)
  paste(ifelse(special, paste0('"', gsub('"', '""', names), '"'), names), collapse = ",")
}

# JSON as lists, and as vectors where all values are numbers or all are texts; null is NA.
parse_json <- function(text) {
  Encoding(text) <- "UTF-8"
  tokens <- regmatches(text, gregexpr('"(\\\\.|[^"\\\\])*"|[][{},:]|[^][{},:"[:space:]]+', text, perl = TRUE))[[1]]
  at <- 0
  string <- function(token) eval(parse(text = gsub("\\/", "/", token, fixed = TRUE)))
  value <- function() {
    at <<- at + 1
    token <- tokens[at]
    if (token == "{" || token == "[") return(several(if (token == "{") "}" else "]"))
    if (startsWith(token, '"')) return(string(token))
    switch(token, "true" = TRUE, "false" = FALSE, "null" = NA, as.numeric(token))
  }
  several <- function(end) {
    items <- list()
    keys <- character()
    while (tokens[at + 1] != end) {
      if (tokens[at + 1] == ",") at <<- at + 1
      if (end == "}") {
        keys <- c(keys, string(tokens[at + 1]))
        at <<- at + 2
      }
      items[[length(items) + 1]] <- value()
    }
    at <<- at + 1
    if (end == "}") return(stats::setNames(items, keys))
    plain <- length(items) > 0 && all(lengths(items) == 1) && !any(vapply(items, is.list, NA))
    kinds <- unique(vapply(items[!vapply(items, function(each) is.atomic(each) && length(each) == 1 && is.na(each), NA)], typeof, ""))
    if (plain && length(kinds) <= 1) unlist(items) else items
  }
  value()
}

# One array of a .npz file: numbers as a matrix or vector, texts as characters.
read_npy <- function(file, member) {
  input <- unz(file, paste0(member, ".npy"), "rb")
  on.exit(close(input))
  start <- readBin(input, "raw", 8)
  size <- readBin(input, "integer", 1, size = if (start[7] == 1) 2 else 4, endian = "little", signed = start[7] != 1)
  header <- rawToChar(readBin(input, "raw", size))
  kind <- sub(".*'descr': '([^']*)'.*", "\\1", header)
  sizes <- sub(".*'shape': \\(([^)]*)\\).*", "\\1", header)
  shape <- as.integer(regmatches(sizes, gregexpr("[0-9]+", sizes))[[1]])
  count <- prod(shape)
  if (kind == "<f8") values <- readBin(input, "double", count, size = 8, endian = "little")
  else {
    width <- as.integer(sub("<U", "", kind))
    codes <- matrix(readBin(input, "integer", count * width, size = 4, endian = "little"), nrow = width)
    values <- apply(codes, 2, function(each) intToUtf8(each[each > 0]))
  }
  if (length(shape) == 2) matrix(values, nrow = shape[1], byrow = !grepl("'fortran_order': True", header)) else values
}

# A .npz model: shares, sizes, and for each variable the matrix of P[label, class].
read_model <- function(file) {
  description <- parse_json(read_npy(file, "model.json"))
  sizes <- read_npy(file, "weights")
  variables <- lapply(seq_along(description$modes), function(n) {
    mode <- description$modes[[n]]
    factor <- read_npy(file, paste0("factor_", n))
    rownames(factor) <- if (is.null(mode$labels)) seq_len(mode$size) - 1 else as.character(mode$labels)
    factor
  })
  names(variables) <- vapply(description$modes, function(mode) mode$name, "")
  list(sizes = sizes, shares = sizes / sum(sizes), variables = variables, run = description$run)
}
