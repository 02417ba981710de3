#include "base/zone_name.h"

/* Abbreviations of the tz database that mean one offset only; not CST, IST, AST. */
static const struct abbreviation {
	const char *name;
	int16_t minutes;
} abbreviations[] = {
	{ "WET", 0 },	  { "WEST", 60 },  { "BST", 60 },   { "CET", 60 },   { "CEST", 120 },
	{ "EET", 120 },	  { "EEST", 180 }, { "SAST", 120 }, { "MSK", 180 },  { "PKT", 300 },
	{ "WIB", 420 },	  { "HKT", 480 },  { "PST", -480 }, { "PDT", -420 }, { "MST", -420 },
	{ "MDT", -360 },  { "CDT", -300 }, { "EST", -300 }, { "EDT", -240 }, { "AKST", -540 },
	{ "AKDT", -480 }, { "HST", -600 }, { "JST", 540 },  { "KST", 540 },  { "AEST", 600 },
	{ "AEDT", 660 },  { "NZST", 720 }, { "NZDT", 780 },
};

bool gpudx_zone_name_minutes(struct gpudx_sv name, int32_t *minutes)
{
	for (size_t i = 0; i < sizeof(abbreviations) / sizeof(abbreviations[0]); i++)
		if (sv_is(name, abbreviations[i].name)) {
			*minutes = abbreviations[i].minutes;
			return true;
		}
	return false;
}
