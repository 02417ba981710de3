#include "compare/stats.h"

#include <math.h>
#include <stdlib.h>

enum { BLOCKS_LEAST = 5, MEMORIES_A_BLOCK = 6 };
/* That the memory itself is estimated, and the least of it that a short series shows, is in none of
 * the corrections: measured, on pairs of which the truth is known (make accuracy-compare). */
static const double memory_unsure = 1.03;

uint64_t gpudx_rng_next(struct cmp_rng *r)
{
	uint64_t z = r->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* 0 <= result < n. The bias of a 64-bit remainder is far below what can be seen. */
static size_t below(struct cmp_rng *r, size_t n)
{
	return (size_t)(gpudx_rng_next(r) % n);
}

/* ---- quantiles ---- */

/* A series as distinct values in ascending order. */
struct grouped {
	size_t n, groups;
	double *value; /* of each group */
	double *mass;  /* of each group; filled by each replicate anew */
	uint32_t *of;  /* the group of each element */
	const double *w;
};

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static uint32_t group_of(const struct grouped *g, double x)
{
	size_t lo = 0, hi = g->groups;

	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (g->value[mid] <= x)
			lo = mid;
		else
			hi = mid;
	}
	return (uint32_t)lo;
}

static bool group(struct grouped *g, const double *x, const double *w, size_t n,
		  struct gpudx_arena *arena)
{
	*g = (struct grouped){ .n = n, .w = w };
	g->value = gpudx_arena_array(arena, n, sizeof(*g->value));
	g->mass = gpudx_arena_array(arena, n, sizeof(*g->mass));
	g->of = gpudx_arena_array(arena, n, sizeof(*g->of));
	if (!g->value || !g->mass || !g->of)
		return false;
	memcpy(g->value, x, n * sizeof(*x));
	qsort(g->value, n, sizeof(*x), by_value);
	for (size_t i = 0; i < n; i++)
		if (!g->groups || g->value[g->groups - 1] < g->value[i])
			g->value[g->groups++] = g->value[i];
	for (size_t i = 0; i < n; i++)
		g->of[i] = group_of(g, x[i]);
	return true;
}

/* The quantile by the masses as they stand; NAN when they are all 0. */
static double quantile(const struct grouped *g, double q)
{
	double total = 0, before = 0, last_at = 0, last_value = NAN;

	for (size_t i = 0; i < g->groups; i++)
		total += g->mass[i];
	for (size_t i = 0; i < g->groups; i++) {
		double at = before + g->mass[i] / 2;

		if (g->mass[i] <= 0)
			continue;
		if (at >= q * total) {
			double step = at - last_at;

			return isnan(last_value) || step <= 0
				       ? g->value[i]
				       : last_value + (g->value[i] - last_value) *
							      (q * total - last_at) / step;
		}
		before += g->mass[i];
		last_at = at;
		last_value = g->value[i];
	}
	return last_value;
}

static void clear_masses(struct grouped *g)
{
	for (size_t i = 0; i < g->groups; i++)
		g->mass[i] = 0;
}

static void weigh(struct grouped *g, size_t i, double times)
{
	g->mass[g->of[i]] += times * (g->w ? g->w[i] : 1);
}

static double whole_quantile(struct grouped *g, double q)
{
	clear_masses(g);
	for (size_t i = 0; i < g->n; i++)
		weigh(g, i, 1);
	return quantile(g, q);
}

double gpudx_mid_quantile(const double *x, const double *w, size_t n, double q,
			  struct gpudx_arena *scratch)
{
	struct grouped g;

	return n && group(&g, x, w, n, scratch) ? whole_quantile(&g, q) : (double)NAN;
}

/* ---- memory ---- */

double gpudx_memory_steps(const double *x, size_t n, double level)
{
	double mean = 0, var = 0, sum = 0.5;

	for (size_t i = 0; i < n; i++)
		mean += (x[i] > level) - (x[i] < level);
	mean = n ? mean / (double)n : 0;
	for (size_t k = 0; k < n / 3; k++) {
		double c = 0;

		for (size_t i = 0; i + k < n; i++)
			c += ((x[i] > level) - (x[i] < level) - mean) *
			     ((x[i + k] > level) - (x[i + k] < level) - mean);
		if (k == 0)
			var = c;
		if (var <= 0)
			break;
		if (k)
			sum += c / var;
		if (k && (double)k >= 5 * sum)
			break;
	}
	if (sum <= 0.5)
		return 0.5;
	/* Autocorrelations about the mean of a short series are too low by about memory / n each. */
	return sum * (1 + 6 * fmin(sum / (double)n, 0.25));
}

/* ---- the bootstrap ---- */

static size_t block_for(size_t n, double memory)
{
	double want = MEMORIES_A_BLOCK * memory, most = (double)n / BLOCKS_LEAST;
	double length = want < most ? want : most;

	return length < 1 ? 1 : (size_t)ceil(length);
}

/* Blocks that begin anywhere and go round at the end; the last one is cut to fit. starts counts,
 * for each place, how many more blocks cover it than the place before. */
static double replicate(struct grouped *g, double q, size_t block, int32_t *starts,
			struct cmp_rng *rng)
{
	int32_t covered = 0;

	for (size_t i = 0; i <= g->n; i++)
		starts[i] = 0;
	for (size_t got = 0; got < g->n; got += block) {
		size_t length = g->n - got < block ? g->n - got : block;
		size_t at = below(rng, g->n), end = at + length;

		starts[at]++;
		starts[end < g->n ? end : g->n]--;
		if (end > g->n) {
			starts[0]++;
			starts[end - g->n]--;
		}
	}
	clear_masses(g);
	for (size_t i = 0; i < g->n; i++) {
		covered += starts[i];
		if (covered)
			weigh(g, i, covered);
	}
	return quantile(g, q);
}

static double spread(const double *v, size_t n)
{
	double mean = 0, sum = 0;
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		if (isfinite(v[i]))
			mean += v[i], k++;
	if (k < 2)
		return 0;
	mean /= (double)k;
	for (size_t i = 0; i < n; i++)
		if (isfinite(v[i]))
			sum += (v[i] - mean) * (v[i] - mean);
	return sqrt(sum / (double)(k - 1));
}

/* Means over blocks of length L vary by about 1 - memory / L of what independent stretches would:
 * what a block does not see of its neighbours. And about the mean of the same n values they vary by
 * 1 - L / n less than about the true one. */
static double stretch_for(double memory, size_t block, size_t n)
{
	double lost = memory <= 0.5 ? 0 : memory / (double)block;
	double own = (double)block / (double)n;

	return memory_unsure / sqrt((1 - fmin(lost, 0.7)) * (1 - fmin(own, 0.5)));
}

bool gpudx_estimate(const double *x, const double *w, size_t n, double q, size_t block,
		    struct cmp_rng *rng, struct gpudx_arena *scratch, struct cmp_estimate *out)
{
	int32_t *starts = gpudx_arena_array(scratch, n + 1, sizeof(*starts));
	struct grouped g;
	double memory;

	*out = (struct cmp_estimate){ .value = NAN, .se = NAN };
	if (!n)
		return true;
	if (!starts || !group(&g, x, w, n, scratch))
		return false;
	out->value = whole_quantile(&g, q);
	memory = gpudx_memory_steps(x, n, out->value);
	out->block = block && block < n ? block : block_for(n, memory);
	out->df = fmax(1, (double)n / (double)out->block - 1);
	out->stretch = stretch_for(memory, out->block, n);
	for (size_t i = 0; i < CMP_REPLICATES; i++) {
		double v = replicate(&g, q, out->block, starts, rng);

		out->replicate[i] = out->value + (v - out->value) * out->stretch;
	}
	out->se = spread(out->replicate, CMP_REPLICATES);
	return true;
}

/* ---- Student's t ---- */

/* The continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8), by the
 * method of Lentz. */
static double beta_fraction(double a, double b, double x)
{
	const double tiny = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1), h;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	h = d;
	for (int m = 1; m < 500; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));

		d = 1 / (1 + even * d);
		c = 1 + even / c;
		h *= d * c;
		d = 1 / (1 + odd * d);
		c = 1 + odd / c;
		h *= d * c;
		if (fabs(d * c - 1) < 1e-14)
			break;
	}
	return h;
}

static double incomplete_beta(double a, double b, double x)
{
	double front;

	if (x <= 0 || x >= 1)
		return x <= 0 ? 0 : 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a
					 : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

/* A&S 26.7.1 and 26.5.27. */
double gpudx_student(double t, double df)
{
	double tail = 0.5 * incomplete_beta(df / 2, 0.5, df / (df + t * t));

	return t > 0 ? 1 - tail : tail;
}

double gpudx_student_quantile(double p, double df)
{
	double lo = 0, hi = 1;

	if (p < 0.5)
		return -gpudx_student_quantile(1 - p, df);
	while (hi < 1e9 && gpudx_student(hi, df) < p)
		hi *= 2;
	for (int i = 0; i < 80; i++) {
		double mid = (lo + hi) / 2;

		if (gpudx_student(mid, df) < p)
			lo = mid;
		else
			hi = mid;
	}
	return hi;
}

/* ---- differences ---- */

/* Degrees of freedom of a sum of two variances (Satterthwaite 1946). */
static double joint_df(double va, double dfa, double vb, double dfb)
{
	double sum = va + vb, parts = va * va / dfa + vb * vb / dfb;

	return parts > 0 ? sum * sum / parts : dfa + dfb;
}

static struct cmp_range around(double at, double va, double dfa, double vb, double dfb,
			       double alpha)
{
	double half =
		sqrt(va + vb) * gpudx_student_quantile(1 - alpha / 2, joint_df(va, dfa, vb, dfb));

	return (struct cmp_range){ at - half, at + half };
}

struct cmp_range gpudx_difference_range(const struct cmp_estimate *before,
					const struct cmp_estimate *after, double alpha)
{
	return around(after->value - before->value, before->se * before->se, before->df,
		      after->se * after->se, after->df, alpha);
}

struct cmp_range gpudx_ratio_range(const struct cmp_estimate *before,
				   const struct cmp_estimate *after, double alpha)
{
	double ratio = after->value / before->value;
	double vb = before->se * ratio / before->value, va = after->se / before->value;

	return around(ratio - 1, vb * vb, before->df, va * va, after->df, alpha);
}
