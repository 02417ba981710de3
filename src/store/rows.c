#include "store/rows.h"

#include "base/stamp.h"
#include "base/utf8.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define ONE "?"
#define TWO "?,?"
#define FIVE "?,?,?,?,?"
#define TEN FIVE "," FIVE

/* clang-format off */
const struct gpudx_insert gpudx_inserts[GPUDX_TABLES] = {
	[GPUDX_T_SOURCE] = { "INSERT INTO source(id,bundle_id,parent_id,path,title,first_line,lines,taken,"
			     "bytes,sha256,mtime_us,parser,status,reason,damage,encoding,rejected,excerpt,"
			     "src_clock,member) VALUES(" TEN "," TEN ")", 20 },
	[GPUDX_T_LINE] = { "INSERT OR IGNORE INTO line(id,byte_offset,text) VALUES(?,?,?)", 3 },
	[GPUDX_T_REJECT] = { "INSERT INTO reject(source_id,line_id,reason) VALUES(?,?,?)", 3 },
	[GPUDX_T_REF] = { "INSERT INTO gpu_ref(id,source_id,src_boot,idx,uuid,serial,bdf,gi,ci,line_id,placed)"
			  " VALUES(" TEN "," ONE ")", 11 },
	[GPUDX_T_REF_END] = { "UPDATE gpu_ref SET reasons_known=?2, samples=?3, turned_back=?4 WHERE id=?1", 4 },
	[GPUDX_T_FACT] = { "INSERT INTO fact(source_id,ref_id,src_boot,key,layer,value,num,unit,t_raw_us,"
			   "t_kind,line_id) VALUES(" TEN "," ONE ")", 11 },
	[GPUDX_T_EVENT] = { "INSERT INTO event(id,source_id,ref_id,src_boot,kind,code,t_raw_us,t_kind,mono_us,"
			    "pid,process,text,repeats,line_id) VALUES(" TEN "," TWO "," TWO ")", 14 },
	[GPUDX_T_EVENT_ATTR] = { "INSERT OR IGNORE INTO event_attr(event_id,name,value,num) VALUES(?,?,?,?)", 4 },
	[GPUDX_T_EVENT_LINE] = { "INSERT OR IGNORE INTO event_line(event_id,line_id,role) VALUES(?,?,?)", 3 },
	[GPUDX_T_PROCESS] = { "INSERT INTO process_sample(ref_id,t_raw_us,seq,pid,type,name,sm_pct,mem_pct,"
			      "fb_mib,gi,ci,line_id) VALUES(" TEN "," TWO ")", 12 },
	[GPUDX_T_DEVICE] = { "INSERT INTO pci_device(source_id,ref_id,bdf,class_id,vendor_id,device_id,name,"
			     "driver,slot,port_type,cap_gts,cap_width,sta_gts,sta_width,target_gts,"
			     "secondary_bus,subordinate_bus,numa_node,iommu_group,ue_status,ce_status,acs_ctl,"
			     "dead,denied,line_id,line_cap,line_sta) VALUES(" TEN "," TEN "," FIVE "," TWO ")", 27 },
	[GPUDX_T_ANCHOR] = { "INSERT INTO clock_anchor(source_id,src_boot,kind,mono_us,local_us,utc_us,"
			     "offset_min,line_id) VALUES(" FIVE "," TWO "," ONE ")", 8 },
	[GPUDX_T_SPAN] = { "INSERT INTO source_span(source_id,src_boot,kind,first_us,last_us) VALUES(" FIVE ")", 5 },
	[GPUDX_T_INSTANCE] = { "INSERT INTO gpu_instance(ref_id,gi,ci,profile,uuid,line_id) VALUES(" FIVE ",?)", 6 },
	[GPUDX_T_METRIC] = { "INSERT INTO metric(id,ref_id,source_id,key,unit) VALUES(" FIVE ")", 5 },
	[GPUDX_T_METRIC_SAMPLE] = { "INSERT INTO metric_sample(metric_id,line,t_raw_us,seq,value)"
				    " VALUES(" FIVE ")", 5 },
	[GPUDX_T_MINUTE] = { "INSERT INTO gpu_minute VALUES(" TEN "," TEN "," FIVE "," TWO "," TWO ")", 29 },
	[GPUDX_T_SECOND] = { "INSERT INTO gpu_second VALUES(" TEN "," TWO "," TWO ")", 14 },
	[GPUDX_T_HIST] = { "INSERT INTO gpu_hist(ref_id,col,busy,lo,n) VALUES(" FIVE ")", 5 },
};
/* clang-format on */

void gpudx_row_begin(struct gpudx_row *r, struct gpudx_buf *b, enum gpudx_table t)
{
	*r = (struct gpudx_row){ .b = b, .table = t };
	gpudx_buf_char(b, (char)t);
}

static void row_val(struct gpudx_row *r, enum gpudx_val_type type, const void *p, size_t n)
{
	gpudx_buf_char(r->b, (char)type);
	gpudx_buf_add(r->b, p, n);
	r->columns++;
}

void gpudx_row_null(struct gpudx_row *r)
{
	row_val(r, GPUDX_V_NULL, "", 0);
}

void gpudx_row_int(struct gpudx_row *r, int64_t v)
{
	row_val(r, GPUDX_V_INT, &v, sizeof(v));
}

void gpudx_row_real(struct gpudx_row *r, double v)
{
	if (isfinite(v))
		row_val(r, GPUDX_V_REAL, &v, sizeof(v));
	else
		gpudx_row_null(r);
}

static void row_bytes(struct gpudx_row *r, struct gpudx_sv s)
{
	uint32_t n = (uint32_t)s.n;

	row_val(r, GPUDX_V_TEXT, &n, sizeof(n));
	gpudx_buf_sv(r->b, s);
}

void gpudx_row_text(struct gpudx_row *r, struct gpudx_sv s)
{
	struct gpudx_buf clean = { .max = s.n * 3 + 16 };

	if (!s.p) {
		gpudx_row_null(r);
		return;
	}
	if (gpudx_utf8_valid(s)) {
		row_bytes(r, s);
		return;
	}
	while (s.n)
		gpudx_buf_u32(&clean, gpudx_utf8_next(&s));
	if (clean.failed)
		r->b->failed = true;
	row_bytes(r, sv_n(clean.p ? clean.p : "", clean.n));
	gpudx_buf_free(&clean);
}

void gpudx_row_str(struct gpudx_row *r, const char *s)
{
	gpudx_row_text(r, sv_str(s));
}

void gpudx_row_unless(struct gpudx_row *r, int64_t v, int64_t none)
{
	if (v == none)
		gpudx_row_null(r);
	else
		gpudx_row_int(r, v);
}

void gpudx_row_time(struct gpudx_row *r, int64_t t_us)
{
	gpudx_row_unless(r, t_us, GPUDX_NO_TIME);
}

void gpudx_row_end(struct gpudx_row *r)
{
	assert(r->columns == gpudx_inserts[r->table].columns);
	(void)r;
}

bool gpudx_row_next(struct gpudx_sv *cursor, enum gpudx_table *t, struct gpudx_val *v, int *n)
{
	const char *p = cursor->p, *end = p + cursor->n;

	if (!cursor->n)
		return false;
	*t = (enum gpudx_table)(unsigned char)*p++;
	*n = gpudx_inserts[*t].columns;
	for (int i = 0; i < *n; i++) {
		v[i].type = (enum gpudx_val_type)(unsigned char)*p++;
		if (v[i].type == GPUDX_V_INT || v[i].type == GPUDX_V_REAL) {
			memcpy(&v[i].i, p, 8);
			p += 8;
		} else if (v[i].type == GPUDX_V_TEXT) {
			uint32_t len;

			memcpy(&len, p, sizeof(len));
			v[i].s = sv_n(p + sizeof(len), len);
			p += sizeof(len) + len;
		}
	}
	*cursor = sv_n(p, (size_t)(end - p));
	return true;
}
