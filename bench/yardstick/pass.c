/*
 * One pass over the cells of a tensor of three modes, in C: what `npm run bench:yardstick` holds the kernels against.
 *
 *   gcc -O3 -mavx2 -mfma -DRANK=16 pass.c -lm    vectors of 256 bits, fused multiply-add
 *   gcc -O3 -msse4.2 -DRANK=16 pass.c -lm        vectors of 128 bits
 *
 * `./a.out CELLS START` reads the cells and the start, makes a pass for every newline it is given, and answers with its
 * nanoseconds, those of the logarithm among them, Σ y·log p and, as a check, the sum of the squares of all statistics.
 *
 * The cells are a tree: slices of the first mode, their fibres (labels of the second), the fibres' leaves (labels of the third).
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __AVX__
#define LANES 4
#else
#define LANES 2
#endif
#define VECTORS (RANK / LANES)
_Static_assert(RANK % LANES == 0, "RANK must fill whole vectors");

typedef double vector __attribute__((vector_size(8 * LANES)));
typedef vector row[VECTORS];
#define EACH(v) _Pragma("GCC unroll 32") for (int v = 0; v < VECTORS; v++)

/* The file of cells: sizes of the modes, fibres, cells; where a slice's fibres and a fibre's leaves begin; labels; values. */
static int32_t shape[3], fibres, cells;
static int32_t *slice_start, *fibre_start, *fibre_label, *leaf_label;
static double *values, *probabilities;

/* The parameters and the statistics, both as a row of shares or weights and then a table of each mode. */
static row *model, *sums;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return 1e9 * time.tv_sec + time.tv_nsec;
}

/*
 * A leaf adds y/p · w to its label's statistics and to its fibre's, w the product of the shares and the three factors.
 * What all leaves of a label, or of a fibre, have in common is multiplied in at the end: the sums take y/p times the rest.
 * Of the ways that were tried this is the fastest but for one case: with 128 bits and 8 classes, w kept in registers saves 7 %.
 */
static double pass(double *log_nanos) {
  const row *shares = model, *first = shares + 1, *second = first + shape[0], *third = second + shape[1];
  row *weights = sums, *into_first = weights + 1, *into_second = into_first + shape[0], *into_third = into_second + shape[1];
  double log_likelihood = 0;
  *log_nanos = 0;
  memset(sums, 0, sizeof(row) * (1 + shape[0] + shape[1] + shape[2]));
  for (int32_t i = 0; i < shape[0]; i++) {
    row slice, in_slice;
    EACH(v) slice[v] = (*shares)[v] * first[i][v], in_slice[v] = (vector){0};
    for (int32_t f = slice_start[i]; f < slice_start[i + 1]; f++) {
      const int32_t j = fibre_label[f];
      row fibre, in_fibre;
      EACH(v) fibre[v] = slice[v] * second[j][v], in_fibre[v] = (vector){0};
      for (int32_t leaf = fibre_start[f]; leaf < fibre_start[f + 1]; leaf++) {
        const vector *factor = third[leaf_label[leaf]];
        vector *into = into_third[leaf_label[leaf]];
        vector sum[2] = {{0}, {0}};
        EACH(v) sum[v % 2] += fibre[v] * factor[v];
        sum[0] += sum[1];
        double p = 0;
        for (int lane = 0; lane < LANES; lane++) p += sum[0][lane];
        const double scale = values[leaf] / p;
        EACH(v) in_fibre[v] += scale * factor[v], into[v] += scale * fibre[v];
        probabilities[leaf] = p;
      }
      EACH(v) in_fibre[v] *= fibre[v], in_slice[v] += in_fibre[v], into_second[j][v] += in_fibre[v];
    }
    EACH(v) (*weights)[v] += in_slice[v], into_first[i][v] += in_slice[v];
    /* A call among the leaves would drive the rows out of the registers. */
    const double before = now();
    const int32_t end = fibre_start[slice_start[i + 1]];
    for (int32_t leaf = fibre_start[slice_start[i]]; leaf < end; leaf++) log_likelihood += values[leaf] * log(probabilities[leaf]);
    *log_nanos += now() - before;
  }
  for (int32_t l = 0; l < shape[2]; l++) EACH(v) into_third[l][v] *= third[l][v];
  return log_likelihood;
}

static void *room(size_t bytes) {
  void *at = aligned_alloc(64, (bytes + 63) / 64 * 64);
  if (at == NULL) exit(1);
  return at;
}

static void *take(FILE *file, size_t bytes) {
  void *at = room(bytes);
  if (fread(at, 1, bytes, file) != bytes) exit(1);
  return at;
}

int main(int count, char **names) {
  FILE *file = count == 3 ? fopen(names[1], "rb") : NULL, *start = count == 3 ? fopen(names[2], "rb") : NULL;
  if (file == NULL || start == NULL) return 1;
  int32_t *sizes = take(file, 5 * sizeof *sizes);
  memcpy(shape, sizes, sizeof shape), fibres = sizes[3], cells = sizes[4];
  slice_start = take(file, sizeof(int32_t) * (shape[0] + 1));
  fibre_start = take(file, sizeof(int32_t) * (fibres + 1));
  fibre_label = take(file, sizeof(int32_t) * fibres);
  leaf_label = take(file, sizeof(int32_t) * cells);
  values = take(file, sizeof(double) * cells);
  probabilities = room(sizeof(double) * cells);
  const size_t bytes = sizeof(row) * (1 + shape[0] + shape[1] + shape[2]);
  model = take(start, bytes);
  sums = room(bytes);
  while (getchar() != EOF) {
    double log_nanos, squares = 0;
    const double before = now();
    const double log_likelihood = pass(&log_nanos);
    const double nanos = now() - before;
    for (size_t at = 0; at < bytes / 8; at++) squares += ((double *)sums)[at] * ((double *)sums)[at];
    printf("%.0f %.0f %.17g %.17g\n", nanos, log_nanos, log_likelihood, squares);
    fflush(stdout);
  }
}
