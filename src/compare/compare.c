#include "compare/compare.h"

enum gpudx_status gpudx_compare_sides(struct gpudx_comparison *c, struct gpudx_err *err)
{
	static enum gpudx_status (*const stages[])(struct gpudx_comparison *,
						   struct gpudx_err *) = {
		gpudx_pair,   gpudx_pair_slices, gpudx_diff,	  gpudx_meanings, gpudx_counters,
		gpudx_behave, gpudx_rates,	 gpudx_attribute, gpudx_gate,
	};
	enum gpudx_status rc = GPUDX_OK;

	for (int s = 0; s < CMP_SIDES && !rc; s++) {
		rc = gpudx_side_load(&c->side[s], &c->arena, err);
		if (!rc && !c->side[s].ngpus)
			rc = gpudx_fail(err, GPUDX_E_INPUT, "%s: no GPU in it to compare",
					c->side[s].label);
	}
	for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]) && !rc; i++)
		rc = stages[i](c, err);
	return rc;
}
