/* From the elements of `nvidia-smi -q -x` to the fields that -q prints. */
#ifndef GPUDX_SMI_XML_PATH_H
#define GPUDX_SMI_XML_PATH_H

#include "parse/smi_fields.h"

enum { SMI_XML_CACHE = 512 };

struct smi_xml_fields {
	struct {
		uint64_t hash;
		const struct smi_field *field;
	} cache[SMI_XML_CACHE]; /* documents in a loop ask the same again and again */
};

/* The field of an element below the root or below a GPU ("fb_memory_usage/total"). NULL unknown. */
const struct smi_field *smi_xml_field(struct smi_xml_fields *f, struct gpudx_sv path);

#endif
