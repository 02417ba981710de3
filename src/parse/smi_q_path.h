/* Where a line of `nvidia-smi -q` stands in its tree: a whole output tells it by indentation, an
 * excerpt (grep, a pasted text that lost its blanks) only as far as names are unmistakable. */
#ifndef GPUDX_SMI_Q_PATH_H
#define GPUDX_SMI_Q_PATH_H

#include "parse/smi_fields.h"

enum { SMI_Q_DEPTH = 8, SMI_Q_TEXT = 192, SMI_Q_SECTION = 64, SMI_Q_CACHE = 512 };

struct smi_q_line {
	unsigned indent;
	struct gpudx_sv key, value; /* value.p NULL: a section begins */
};

struct smi_q_path {
	bool from_q; /* a command says that it is an output of -q */
	struct {
		unsigned indent;
		size_t end; /* of its name in text */
	} level[SMI_Q_DEPTH];
	unsigned depth;
	char text[SMI_Q_TEXT];	     /* "Clocks Event Reasons/HW Slowdown/HW Thermal Slowdown" */
	char section[SMI_Q_SECTION]; /* the last line without a value */
	unsigned section_indent;
	bool mig; /* a MIG device was among them: some of its sections bear names of the GPU's */
	/* In an excerpt a field may be said once below a section: the next line of this name
	 * belongs to a section that was filtered out. Names of several sections count once at all.
	 */
	unsigned char said_here[SMI_FIELDS_MAX / 8], said_once[SMI_FIELDS_MAX / 8];
	struct {
		uint64_t hash;
		const struct smi_field *field;
	} cache[SMI_Q_CACHE]; /* of smi_q_field: outputs in a loop ask the same again and again */
};

/* Cuts a line at its first " : "; false when there is nothing to cut. */
bool smi_q_split(struct gpudx_sv line, struct smi_q_line *out);

/* Enters the line into the path; false when it is too deep or too long to be one of -q. */
bool smi_q_enter(struct smi_q_path *p, const struct smi_q_line *line);

/* Back to the top of a GPU's tree. */
void smi_q_reset(struct smi_q_path *p);

/* The field of the line that was entered last, by its whole path. NULL unknown. */
const struct smi_field *smi_q_field(struct smi_q_path *p);

/* The same for an excerpt: by as much of the path as is there, when only one field fits. */
const struct smi_field *smi_q_guess(struct smi_q_path *p, const struct smi_q_line *line);

/* The leaf of the path. */
const char *smi_q_leaf(const struct smi_q_path *p);

/* True the first time that this field is asked about in a set of SMI_FIELDS_MAX bits. */
bool smi_q_first(unsigned char set[SMI_FIELDS_MAX / 8], const struct smi_field *f);

/* Whether this could be the name of a key or a section, of a driver to come as well. */
bool smi_q_is_name(struct gpudx_sv s);

/* Whether a key alone, without a section, can tell the field: names of one word ("State", "Name")
 * stand in too many other texts, unless it is known where this one comes from. */
bool smi_q_is_telling(struct gpudx_sv key, bool from_q);

/* Whether -q has a key or a section of this name anywhere. */
bool smi_q_knows(const struct smi_q_line *line);

#endif
