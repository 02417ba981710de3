#include "derive/host_rename.h"

#include "base/stamp.h"
#include "derive/path_host.h"
#include "store/query.h"

/* The clocks of one boot of one machine agree better than this. */
#define SAME_BOOT (5 * GPUDX_SECOND)

/* Of so many lines of two machines some would stand between those of the other. */
enum { MANY_LINES = 10 };

/* How far back a log may step at most where its machine goes on. */
#define STEP_BACK GPUDX_HOUR

/* "node07" and "node12". */
static bool are_of_one_fleet(struct gpudx_sv a, struct gpudx_sv b)
{
	a = gpudx_host_stem(a);
	b = gpudx_host_stem(b);
	return a.p && b.p && sv_ieq(a, b);
}

bool gpudx_host_is_makeshift(struct gpudx_sv name)
{
	static const char *const names[] = {
		"ubuntu",    "debian", "fedora", "centos",	"rhel",	  "rocky",     "alma",
		"almalinux", "suse",   "arch",	 "nixos",	"live",	  "installer", "archiso",
		"template",  "image",  "packer", "cloud",	"rescue", "host",      "server",
		"ip",	     "dhcp",   "new",	 "raspberrypi", "dracut", "pxe"
	};
	struct gpudx_sv word = name;

	for (word.n = 0; word.n < name.n && sv_is_alpha(name.p[word.n]);)
		word.n++;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (sv_ieq(word, sv_str(names[i])))
			return true;
	return false;
}

struct seen {
	int64_t last_line, first_line;	 /* of the old name, of the new one; 0 unknown */
	int64_t last_us, first_us;	 /* likewise, on their clock */
	int64_t zero_before, zero_after; /* when the machine was started, as each says */
	int64_t lines;			 /* that the shorter of the two has */
	bool boots;			 /* the lines under the new name begin with a boot */
};

static enum gpudx_status seen_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	struct seen *s = arg;

	(void)err;
	*s = (struct seen){ .last_line = gpudx_col_int(row, 0, 0),
			    .first_line = gpudx_col_int(row, 1, 0),
			    .last_us = gpudx_col_time(row, 2),
			    .first_us = gpudx_col_time(row, 3),
			    .zero_before = gpudx_col_time(row, 4),
			    .zero_after = gpudx_col_time(row, 5),
			    .boots = sqlite3_column_int(row, 6),
			    .lines = gpudx_col_int(row, 7, 0) };
	return GPUDX_OK;
}

static enum gpudx_status look(sqlite3 *db, const struct gpudx_two_names *two, struct seen *s,
			      struct gpudx_err *err)
{
	static const char sql[] =
		"WITH two(old, new) AS (SELECT ?1 >> 32, ?1 & 4294967295)"
		" SELECT (SELECT max(line_id & 4294967295) FROM fact WHERE source_id = old"
		"  AND key = 'log.span'),"
		" (SELECT first_line FROM source WHERE id = new),"
		" (SELECT max(last_us) FROM source_span WHERE source_id = old AND kind <> 'boot'),"
		" (SELECT min(first_us) FROM source_span WHERE source_id = new AND kind <> 'boot'),"
		" (SELECT coalesce(utc_us, local_us) - mono_us FROM clock_anchor"
		"  WHERE source_id = old AND kind = 'two_stamps' ORDER BY rowid DESC LIMIT 1),"
		" (SELECT coalesce(utc_us, local_us) - mono_us FROM clock_anchor"
		"  WHERE source_id = new AND kind = 'two_stamps' ORDER BY rowid LIMIT 1),"
		" EXISTS (SELECT 1 FROM clock_anchor WHERE source_id = new AND kind = 'boot'"
		"  AND src_boot = 0),"
		" (SELECT min(lines) FROM source WHERE id IN (old, new)) FROM two";

	*s = (struct seen){ 0 };
	return gpudx_query_each(db, sql, two->before << 32 | two->after, seen_row, s, err);
}

static bool is_rename(const struct gpudx_two_names *two, const struct seen *s)
{
	bool timed = s->last_us != GPUDX_NO_TIME && s->first_us != GPUDX_NO_TIME;
	bool tied = s->zero_before != GPUDX_NO_TIME && s->zero_after != GPUDX_NO_TIME;
	int64_t apart;

	if (!s->last_line || s->last_line >= s->first_line)
		return false; /* they take turns */
	if (are_of_one_fleet(two->old_name, two->new_name))
		return false;
	if (timed && s->first_us < s->last_us && s->last_us - s->first_us > STEP_BACK)
		return false; /* one log behind another */
	if (gpudx_host_is_makeshift(two->old_name) || s->boots || (timed && s->lines >= MANY_LINES))
		return true;
	apart = s->zero_before - s->zero_after;
	return tied && apart < SAME_BOOT && apart > -SAME_BOOT;
}

enum gpudx_status gpudx_host_renamed(sqlite3 *db, const struct gpudx_two_names *two, bool *is,
				     struct gpudx_err *err)
{
	struct seen s;
	enum gpudx_status rc = look(db, two, &s, err);

	*is = !rc && is_rename(two, &s);
	return rc;
}
