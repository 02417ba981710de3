#include "base/glob.h"

bool gpudx_glob(struct gpudx_sv p, struct gpudx_sv s)
{
	size_t i = 0, j = 0, star = SIZE_MAX, mark = 0;

	while (i < s.n) {
		if (j < p.n && p.p[j] == '*') {
			star = j++;
			mark = i;
		} else if (j < p.n && p.p[j] == s.p[i]) {
			i++, j++;
		} else if (star != SIZE_MAX) {
			j = star + 1;
			i = ++mark;
		} else {
			return false;
		}
	}
	while (j < p.n && p.p[j] == '*')
		j++;
	return j == p.n;
}
