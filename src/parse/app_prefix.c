/* Prefixes by their sources:
 *
 *   [1,0]<stderr>:text, 0: text, [node-3:01234] text                    mpirun, srun -l, Open MPI
 *   [rank0]:[E1218 20:27:21.426415540 ProcessGroupNCCL.cpp:629] text    c10 (PyTorch)
 *   [E ProcessGroupNCCL.cpp:828] text                                   the same before 2.1
 *   I0227 14:11:47.677986 1 server.cc:549] text                         glog: Triton, abseil
 *   E0000 00:00:1715075935.123456    1234 cuda_dnn.cc:8310] text        abseil: epoch inside
 *   2020-04-29 16:25:36.594950: W tensorflow/core/...cc:243] text       TensorFlow
 *   (EngineCore_DP0 pid=178) INFO 11-28 23:05:46 [core.py:97] text      vLLM
 *   [2025-03-12 10:00:00] node01:1234:1290 [0] net_ib.cc:96 NCCL WARN   NCCL
 *   [05/01/2024-10:00:00] [E] [TRT] text                                TensorRT
 *   [Feb 25 2025 13:59:45] [INFO] [tid 1803] text                       fabric manager
 *   [2024-05-01 10:00:00,123] [INFO] [timer.py:199:stop] text           Python logging
 *   2024-05-01 10:00:00,123 - INFO - text, 2024-05-01T10:00:00.123Z ... */
#include "parse/app_prefix.h"

/* ---- ranks ---- */

static bool scan_number(struct gpudx_sv *s, int64_t *out)
{
	uint64_t n;

	if (!sv_u64(s, &n) || n > INT32_MAX)
		return false;
	*out = (int64_t)n;
	return true;
}

/* "[rank3]:", "[Rank 3] ", "[rank: 3] ". */
static bool scan_own_rank(struct gpudx_sv *s, int64_t *rank)
{
	struct gpudx_sv c = *s;

	if (!(sv_lit(&c, "[rank: ") || sv_lit(&c, "[rank") || sv_lit(&c, "[Rank ")) ||
	    !scan_number(&c, rank) || !sv_char(&c, ']'))
		return false;
	sv_char(&c, ':');
	*s = c;
	return true;
}

/* "[default0]:": torchrun counts the processes of one node, which it does not name. */
static bool scan_local_rank(struct gpudx_sv *s)
{
	struct gpudx_sv c = *s;
	int64_t n;

	if (!sv_lit(&c, "[default") || !scan_number(&c, &n) || !sv_char(&c, ']'))
		return false;
	sv_char(&c, ':');
	*s = c;
	return true;
}

/* "[1,0]<stderr>:" of mpirun --tag-output, "3: " of srun -l. */
static bool scan_task(struct gpudx_sv *s, int64_t *task)
{
	struct gpudx_sv c = *s, word;
	int64_t job;

	if (sv_char(&c, '[') && scan_number(&c, &job) && sv_char(&c, ',') &&
	    scan_number(&c, task) && sv_lit(&c, "]<")) {
		if (!sv_until(&c, ">:", &word))
			return false;
	} else if (c = *s, !(scan_number(&c, task) && sv_lit(&c, ": "))) {
		return false;
	}
	*s = c;
	return true;
}

/* "(EngineCore_DP0 pid=178) ", "(RayTrainWorker pid=178, ip=10.0.0.3) ". */
static bool scan_worker(struct gpudx_sv *s, struct app_line *out)
{
	struct gpudx_sv c = *s, word, skipped;

	if (!sv_char(&c, '(') || !sv_until(&c, ") ", &word) || !sv_has(word, "pid=") ||
	    word.n >= 80)
		return false;
	if (sv_until(&word, ", ip=", &skipped))
		out->host = word;
	*s = c;
	return true;
}

/* "[node-3:01234] ": Open MPI writes the process with five digits or more. */
static bool scan_open_mpi(struct gpudx_sv *s, struct app_line *out)
{
	struct gpudx_sv c = *s, host, pid;

	if (!sv_char(&c, '[') || !sv_until(&c, ":", &host) || !host.n || host.n > 64 ||
	    !sv_until(&c, "] ", &pid) || pid.n < 5 || pid.n > 10 || sv_has(host, " ") ||
	    sv_ends(host, ".py") || sv_ends(host, ".cpp") || sv_ends(host, ".cc"))
		return false;
	if (!scan_number(&pid, &out->pid) || pid.n) {
		out->pid = -1;
		return false;
	}
	out->host = host;
	*s = c;
	return true;
}

/* Whose line it is. */
static bool scan_rank(struct gpudx_sv *s, struct app_line *out)
{
	int64_t rank = -1, task = -1;

	if (scan_own_rank(s, &rank))
		out->rank = rank;
	else if (scan_task(s, &task))
		out->task = task;
	else if (!scan_local_rank(s) && !scan_worker(s, out) && !scan_open_mpi(s, out))
		return false;
	*s = sv_ltrim(*s);
	return true;
}

/* ---- stamps ---- */

static void no_year(struct app_years *y, struct gpudx_stamp *t, unsigned month, unsigned day,
		    int64_t day_us)
{
	static struct app_years const none = { 0, 0 };
	struct app_years now = y ? *y : none;

	/* From December to January, not for lines a little out of order. */
	if (now.month >= 11 && month <= 2)
		now.turn++;
	now.month = month;
	if (y)
		*y = now;
	t->kind = GPUDX_STAMP_NOYEAR;
	t->t_us = gpudx_noyear(now.turn, month, day, day_us);
}

static bool is_day(uint32_t month, uint32_t day)
{
	return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

static bool is_level(char c)
{
	return c == 'I' || c == 'W' || c == 'E' || c == 'F' || c == 'V';
}

/* "file.cc:123] ": what stands before a message. */
static bool scan_place(struct gpudx_sv *s, struct gpudx_sv *place)
{
	return sv_until(s, "] ", place) && place->n < 120 && sv_has(*place, ":");
}

/* Triton stamps its lines with gmtime (triton-core, src/logging.cc), other loggers of this form
 * with the local time. */
static bool is_triton(struct gpudx_sv place)
{
	static const char *const files[] = {
		" backend_manager.cc:",	      " backend_model.cc:",
		" cuda_memory_manager.cc:",   " grpc_server.cc:",
		" http_server.cc:",	      " model_config_utils.cc:",
		" model_lifecycle.cc:",	      " model_repository_manager.cc:",
		" pinned_memory_manager.cc:", " python_be.cc:",
		" rate_limiter.cc:"
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (sv_has(place, files[i]))
			return true;
	return false;
}

/* "E1218 20:27:21.426415540 File.cpp:629] ", "E608 ...", "I0227 14:11:47.677986 1 server.cc:549] ".
 */
static bool scan_glog(struct app_years *y, struct gpudx_sv *s, struct gpudx_stamp *t, bool *utc)
{
	struct gpudx_sv c = *s, place;
	uint64_t md;
	int64_t day_us;
	double epoch;

	sv_char(&c, '[');
	if (!c.n || !is_level(c.p[0]))
		return false;
	c = sv_from(c, 1);
	if (sv_lit(&c, "0000 00:00:") && sv_decimal(&c, &epoch) && epoch < 1e11) {
		t->kind = GPUDX_STAMP_UTC;
		t->t_us = (int64_t)(epoch * 1e6);
	} else if (sv_u64(&c, &md) && md > 100 && md < 1232 &&
		   is_day((uint32_t)md / 100, (uint32_t)md % 100) && sv_char(&c, ' ') &&
		   gpudx_scan_clock(&c, &day_us)) {
		no_year(y, t, (unsigned)md / 100, (unsigned)md % 100, day_us);
	} else {
		return false;
	}
	if (!scan_place(&c, &place))
		return false;
	*utc = is_triton(place);
	*s = c;
	return true;
}

/* "[E ProcessGroupNCCL.cpp:828] ". */
static bool scan_c10_bare(struct gpudx_sv *s)
{
	struct gpudx_sv c = *s, place;

	if (!sv_char(&c, '[') || !c.n || !is_level(c.p[0]))
		return false;
	c = sv_from(c, 1);
	if (!sv_char(&c, ' ') || !sv_until(&c, "] ", &place) || !sv_has(place, ".cpp:") ||
	    sv_has(place, " "))
		return false;
	*s = c;
	return true;
}

/* "INFO 11-28 23:05:46 [core.py:97] ", "INFO 01-27 19:04:07 metrics.py:467] ". */
static bool scan_vllm(struct app_years *y, struct gpudx_sv *s, struct gpudx_stamp *t)
{
	static const char *const levels[] = { "INFO ", "WARNING ", "ERROR ", "DEBUG ",
					      "CRITICAL " };
	struct gpudx_sv c = *s, place;
	uint32_t month, day;
	int64_t day_us;
	size_t i = 0;

	while (i < sizeof(levels) / sizeof(levels[0]) && !sv_lit(&c, levels[i]))
		i++;
	if (i == sizeof(levels) / sizeof(levels[0]))
		return false;
	if (!sv_digits(&c, 2, &month) || !sv_char(&c, '-') || !sv_digits(&c, 2, &day) ||
	    !is_day(month, day) || !sv_char(&c, ' ') || !gpudx_scan_clock(&c, &day_us) ||
	    !scan_place(&c, &place))
		return false;
	no_year(y, t, month, day, day_us);
	*s = c;
	return true;
}

/* "05/01/2024-10:00:00". */
static bool scan_tensorrt(struct gpudx_sv *s, struct gpudx_stamp *t)
{
	struct gpudx_sv c = *s;
	uint32_t month, day, year;
	int64_t day_us, date;

	if (!sv_digits(&c, 2, &month) || !sv_char(&c, '/') || !sv_digits(&c, 2, &day) ||
	    !sv_char(&c, '/') || !sv_digits(&c, 4, &year) || !sv_char(&c, '-') ||
	    !gpudx_scan_clock(&c, &day_us) || !gpudx_civil_us(year, month, day, 0, 0, 0, 0, &date))
		return false;
	t->kind = GPUDX_STAMP_LOCAL;
	t->t_us = date + day_us;
	*s = c;
	return true;
}

/* "Feb 25 2025 13:59:45". */
static bool scan_fabric(struct gpudx_sv *s, struct gpudx_stamp *t)
{
	struct gpudx_sv c = *s;
	uint64_t day, year;
	unsigned month;
	int64_t day_us, date;

	if (!gpudx_scan_month(&c, &month) || !sv_spaces(&c) || !sv_u64(&c, &day) ||
	    !sv_char(&c, ' ') || !sv_u64(&c, &year) || year < 1990 || year > 2100 || day > 31 ||
	    !sv_char(&c, ' ') || !gpudx_scan_clock(&c, &day_us) ||
	    !gpudx_civil_us((int64_t)year, month, (unsigned)day, 0, 0, 0, 0, &date))
		return false;
	t->kind = GPUDX_STAMP_LOCAL;
	t->t_us = date + day_us;
	*s = c;
	return true;
}

/* A date with its year, with or without brackets. */
static bool scan_dated(struct gpudx_sv *s, struct gpudx_stamp *t)
{
	struct gpudx_sv c = *s, skipped;
	bool bracket = sv_char(&c, '[');

	if (!gpudx_scan_iso(&c, t)) {
		*t = GPUDX_NO_STAMP;
		if (gpudx_scan_ymd_hms(&c, &t->t_us))
			t->kind = GPUDX_STAMP_LOCAL;
		else if (!bracket || (!scan_tensorrt(&c, t) && !scan_fabric(&c, t)))
			return false;
	}
	/* "[2024-05-01 10:00:00 TP0] " */
	if (bracket && (!sv_until(&c, "]", &skipped) || skipped.n > 40))
		return false;
	sv_char(&c, ':');
	*s = sv_ltrim(c);
	return true;
}

/* ---- NCCL ---- */

/* "node01:1234:1290 [0] NCCL INFO text": host, pid; the text from NCCL on is the message. */
static bool scan_nccl(struct gpudx_sv s, struct app_line *out)
{
	struct gpudx_sv host, rest, c;
	uint64_t pid, tid, device;
	size_t at = sv_find(s, "NCCL ");

	if (at == s.n || at > 400)
		return false;
	c = sv_from(s, at + 5);
	if (!sv_starts(c, "INFO ") && !sv_starts(c, "WARN ") && !sv_starts(c, "TRACE ") &&
	    !sv_starts(c, "ERROR "))
		return false;
	rest = s;
	if (!sv_until(&rest, ":", &host) || !host.n || sv_has(host, " ") || !sv_u64(&rest, &pid) ||
	    !sv_char(&rest, ':') || !sv_u64(&rest, &tid) || !sv_lit(&rest, " [") ||
	    !sv_u64(&rest, &device) || !sv_char(&rest, ']'))
		return false;
	out->host = host;
	out->pid = pid <= INT32_MAX ? (int64_t)pid : -1;
	out->device = device <= INT32_MAX ? (int64_t)device : -1;
	return true;
}

void app_peel(struct app_years *years, struct gpudx_sv line, struct app_line *out)
{
	struct gpudx_sv s = sv_ltrim(line);

	*out = (struct app_line){
		.stamp = GPUDX_NO_STAMP, .pid = -1, .rank = -1, .task = -1, .device = -1
	};
	for (int i = 0; i < 3 && scan_rank(&s, out); i++)
		continue;
	if (scan_glog(years, &s, &out->stamp, &out->utc) || scan_vllm(years, &s, &out->stamp) ||
	    scan_c10_bare(&s)) {
		out->sure = out->stamped = true;
	} else if (scan_dated(&s, &out->stamp)) {
		out->stamped = true;
		out->sure = sv_starts(s, "W tensorflow/") || sv_starts(s, "I tensorflow/") ||
			    sv_starts(s, "E tensorflow/") || sv_starts(s, "F tensorflow/") ||
			    sv_starts(s, "[TRT]") || sv_starts(s, "[E] [TRT]") ||
			    sv_has(sv_first(s, 24), "] [tid ");
	}
	if (scan_nccl(s, out))
		out->sure = out->stamped = true;
	out->message = s;
}
