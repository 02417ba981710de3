/* The questions that people ask first, as the judgement answered them. */
#include "report/model.h"

#include "report/select.h"

enum { ANSWERS = 200 };

enum gpudx_status gpudx_model_answers(struct rep_model *m, struct gpudx_err *err)
{
	struct rep_select q =
		gpudx_select(m->db,
			     "SELECT place, list, question, answer, status, missing"
			     " FROM answer WHERE bundle_id = ?1 ORDER BY place, list, n",
			     m->bundle, err);

	while (m->nanswers < ANSWERS && gpudx_select_next(&q)) {
		struct rep_answer *a =
			gpudx_report_grow(m->arena, m->answers, m->nanswers, sizeof(*a));

		if (!a)
			return gpudx_select_end(&q), gpudx_nomem(err);
		m->answers = a;
		a[m->nanswers++] = (struct rep_answer){
			.place = gpudx_col_int(q.st, 0, 0),
			.list = gpudx_select_text(&q, m->arena, 1),
			.question = gpudx_select_text(&q, m->arena, 2),
			.answer = gpudx_select_text(&q, m->arena, 3),
			.status = gpudx_select_text(&q, m->arena, 4),
			.missing = gpudx_select_text(&q, m->arena, 5),
		};
	}
	return gpudx_select_end(&q);
}
