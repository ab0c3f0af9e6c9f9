# Polyad from R: call commands, and read models. Base R is enough. source("polyad.R")
#
# `polyad` must be on the PATH; or set the environment variable POLYAD, for instance to "npx polyad".

# Runs a command and returns its --json object as a list: polyad("fit", "data.csv", k = 3, modes = "a,b", se = TRUE).
polyad <- function(command, ...) {
  given <- list(...)
  names <- if (is.null(names(given))) rep("", length(given)) else names(given)
  words <- mapply(function(name, value) {
    if (name == "") return(shQuote(as.character(value)))
    option <- paste0(if (nchar(name) == 1) "-" else "--", gsub("[._]", "-", name))
    if (isTRUE(value)) option else paste0(option, if (nchar(name) > 1) "=", shQuote(as.character(value)))
  }, names, given)
  call <- strsplit(Sys.getenv("POLYAD", "polyad"), " ")[[1]]
  said <- tempfile()
  on.exit(unlink(said))
  suppressWarnings(text <- system2(call[1], c(call[-1], command, unlist(words), "--json"), stdout = TRUE, stderr = said))
  if (length(text) == 0) stop(paste(readLines(said), collapse = "\n"))
  answer <- parse_json(paste(text, collapse = "\n"))
  if (!is.null(answer$error)) stop(answer$error$message)
  notes <- readLines(said, encoding = "UTF-8", warn = FALSE) # what the command noticed, such as columns that it left out
  if (length(notes) > 0) message(paste(notes, collapse = "\n"))
  answer
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
