#include "parse/metric_fields.h"

#include <math.h>

#define COL(names, tag, col, scale)                          \
	{                                                    \
		names, tag, METRIC_COL, "", col, scale, true \
	}
#define SERIES(names, tag, key)                             \
	{                                                   \
		names, tag, METRIC_SERIES, key, 0, 0, false \
	}
#define SCALED(names, tag, key, scale)                          \
	{                                                       \
		names, tag, METRIC_SERIES, key, 0, scale, false \
	}
#define FACT(names, tag, key)                            \
	{                                                \
		names, tag, METRIC_FACT, key, 0, 0, true \
	}
#define ECC(part, tag, key)                                               \
	{                                                                 \
		"DEV_ECC_" part, tag, METRIC_FACT, "ecc." key, 0, 0, true \
	}

enum { MIB = 1 << 20 };

static const struct metric_field fields[] = {
	/* the sample */
	COL("DEV_SM_CLOCK", "SMCLK", GPUDX_COL_SM_CLOCK, 0),
	COL("DEV_MEM_CLOCK", "MMCLK", GPUDX_COL_MEM_CLOCK, 0),
	COL("DEV_GPU_TEMP DEV_GPU_TEMP_CELSIUS", "TMPTR", GPUDX_COL_TEMP, 0),
	COL("DEV_POWER_USAGE DEV_BOARD_POWER_WATTS", "POWER", GPUDX_COL_POWER, 0),
	{ "DEV_ENFORCED_POWER_LIMIT DEV_BOARD_POWER_LIMIT_ENFORCED_WATTS", "EPLMT", METRIC_COL,
	  "power.limit_w", GPUDX_COL_POWER_LIMIT, 0, true },
	COL("DEV_PSTATE DEV_GPU_PSTATE", "PSTAT", GPUDX_COL_PSTATE, 0),
	COL("DEV_CLOCKS_EVENT_REASONS DEV_CLOCK_THROTTLE_REASONS", "DVCCTR", GPUDX_COL_REASONS, 0),
	/* 0 to 100, in spite of the newer name */
	COL("DEV_GPU_UTIL DEV_GPU_UTIL_RATIO", "GPUTL", GPUDX_COL_UTIL, 0),
	COL("DEV_MEM_COPY_UTIL DEV_MEM_COPY_UTIL_RATIO", "MCUTL", GPUDX_COL_MEM_UTIL, 0),
	{ "DEV_FB_USED", "FBUSD", METRIC_COL, "", GPUDX_COL_MEM_USED, 0, false },
	{ "DEV_XID_ERRORS DEV_XID_ERROR", "XIDER", METRIC_XID, "", 0, 0, true },
	/* other series */
	SERIES("DEV_MEMORY_TEMP DEV_MEMORY_TEMP_CELSIUS", "MMTMP", "temp.memory_c"),
	SERIES("DEV_GPU_TEMP_LIMIT DEV_GPU_TEMP_MARGIN_CELSIUS", "GTLIMIT", "temp.tlimit_margin_c"),
	SERIES("DEV_POWER_USAGE_INSTANT DEV_BOARD_POWER_RAW_WATTS", "POWINST", "power.instant_w"),
	SCALED("DEV_TOTAL_ENERGY_CONSUMPTION", "TOTEC", "energy.total_j", 1e-3),
	SERIES("DEV_VIDEO_CLOCK", "VICLK", "clocks.video_mhz"),
	SERIES("DEV_FAN_SPEED", "FANSP", "fan.speed_pct"),
	SERIES("DEV_PCIE_TX_THROUGHPUT", "TXTPT", "pcie.tx_kbps"),
	SERIES("DEV_PCIE_RX_THROUGHPUT", "RXTPT", "pcie.rx_kbps"),
	SERIES("DEV_ENC_UTIL DEV_ENC_UTIL_RATIO", "ECUTL", "util.encoder_pct"),
	SERIES("DEV_DEC_UTIL DEV_DEC_UTIL_RATIO", "DCUTL", "util.decoder_pct"),
	SERIES("DEV_FB_FREE", "FBFRE", "memory.free_mib"),
	SERIES("DEV_BAR1_USED", "B1USE", "memory.bar1_used_mib"),
	/* time lost; the unit was us once and is ns now: only its growth says something */
	SERIES("DEV_POWER_VIOLATION", "PVIOL", "dcgm.power_violation"),
	SERIES("DEV_THERMAL_VIOLATION", "TVIOL", "dcgm.thermal_violation"),
	SERIES("DEV_SYNC_BOOST_VIOLATION", "SBVIO", "dcgm.sync_boost_violation"),
	SERIES("DEV_BOARD_LIMIT_VIOLATION", "BLVIO", "dcgm.board_limit_violation"),
	SERIES("DEV_LOW_UTIL_VIOLATION", "LUVIO", "dcgm.low_util_violation"),
	SERIES("DEV_RELIABILITY_VIOLATION", "RVIOL", "dcgm.reliability_violation"),
	/* shares of time, 0 to 1 */
	SERIES("PROF_GR_ENGINE_ACTIVE PROF_GR_ENGINE_UTIL_RATIO", "GRACT", "prof.gr_engine_active"),
	SERIES("PROF_SM_ACTIVE PROF_SM_UTIL_RATIO", "SMACT", "prof.sm_active"),
	SERIES("PROF_SM_OCCUPANCY PROF_SM_OCCUPANCY_RATIO", "SMOCC", "prof.sm_occupancy"),
	SERIES("PROF_PIPE_TENSOR_ACTIVE PROF_TENSOR_UTIL_RATIO", "TENSO", "prof.tensor_active"),
	SERIES("PROF_DRAM_ACTIVE PROF_DRAM_UTIL_RATIO", "DRAMA", "prof.dram_active"),
	SERIES("PROF_PIPE_FP64_ACTIVE PROF_FP64_UTIL_RATIO", "FP64A", "prof.fp64_active"),
	SERIES("PROF_PIPE_FP32_ACTIVE PROF_FP32_UTIL_RATIO", "FP32A", "prof.fp32_active"),
	SERIES("PROF_PIPE_FP16_ACTIVE PROF_FP16_UTIL_RATIO", "FP16A", "prof.fp16_active"),
	SERIES("PROF_PCIE_TX_BYTES", "PCITX", "prof.pcie_tx_bytes_per_s"),
	SERIES("PROF_PCIE_RX_BYTES", "PCIRX", "prof.pcie_rx_bytes_per_s"),
	SERIES("PROF_NVLINK_TX_BYTES", "NVLTX", "prof.nvlink_tx_bytes_per_s"),
	SERIES("PROF_NVLINK_RX_BYTES", "NVLRX", "prof.nvlink_rx_bytes_per_s"),
	/* listed as a counter by the exporter, as MB/s by DCGM */
	SERIES("DEV_NVLINK_BANDWIDTH_TOTAL DEV_NVLINK_THROUGHPUT_TOTAL", "NBWLT",
	       "nvlink.bandwidth_mbps"),
	SERIES("DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL DEV_NVLINK_CRC_FLIT_ERROR_TOTAL", "NFELT",
	       "nvlink.crc_flit_errors"),
	SERIES("DEV_NVLINK_CRC_DATA_ERROR_COUNT_TOTAL DEV_NVLINK_CRC_DATA_ERROR_TOTAL", "NDELT",
	       "nvlink.crc_data_errors"),
	SERIES("DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL DEV_NVLINK_REPLAY_ERROR_TOTAL", "NRELT",
	       "nvlink.replay_errors"),
	SERIES("DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL DEV_NVLINK_RECOVERY_ERROR_TOTAL", "NRCLT",
	       "nvlink.recovery_errors"),
	/* facts */
	FACT("DEV_PCIE_REPLAY_COUNTER DEV_PCIE_REPLAY_TOTAL", "RPCTR", "pcie.replays"),
	FACT("DEV_PCIE_LINK_GEN", "PCILG", "pcie.gen_current"),
	FACT("DEV_PCIE_LINK_WIDTH", "PCILW", "pcie.width_current"),
	FACT("DEV_PCIE_MAX_LINK_GEN", "PCIMG", "pcie.gen_max"),
	FACT("DEV_PCIE_MAX_LINK_WIDTH", "PCIMW", "pcie.width_max"),
	FACT("DEV_FB_TOTAL", "FBTTL", "memory.total_mib"),
	FACT("DEV_FB_RESERVED", "FBRSV", "memory.reserved_mib"),
	FACT("DEV_BAR1_TOTAL", "B1TTL", "pcie.bar1_mib"),
	FACT("DEV_APP_SM_CLOCK", "SACLK", "clocks.app_graphics_mhz"),
	FACT("DEV_APP_MEM_CLOCK", "MACLK", "clocks.app_memory_mhz"),
	FACT("DEV_MAX_SM_CLOCK", "SMMAX", "clocks.max_sm_mhz"),
	FACT("DEV_MAX_MEM_CLOCK", "MMMAX", "clocks.max_memory_mhz"),
	FACT("DEV_MAX_VIDEO_CLOCK", "VIMAX", "clocks.max_video_mhz"),
	FACT("DEV_POWER_MGMT_LIMIT DEV_BOARD_POWER_LIMIT_REQUESTED_WATTS", "PMLMT",
	     "power.limit_requested_w"),
	FACT("DEV_POWER_MGMT_LIMIT_MIN DEV_BOARD_POWER_LIMIT_MIN_WATTS", "PMMIN",
	     "power.limit_min_w"),
	FACT("DEV_POWER_MGMT_LIMIT_MAX DEV_BOARD_POWER_LIMIT_MAX_WATTS", "PMMAX",
	     "power.limit_max_w"),
	FACT("DEV_POWER_MGMT_LIMIT_DEF DEV_BOARD_POWER_LIMIT_DEFAULT_WATTS", "PMDEF",
	     "power.limit_default_w"),
	FACT("DEV_SLOWDOWN_TEMP DEV_GPU_TEMP_SLOWDOWN_CELSIUS", "SDTMP", "temp.slowdown_c"),
	FACT("DEV_SHUTDOWN_TEMP DEV_GPU_TEMP_SHUTDOWN_CELSIUS", "SHTMP", "temp.shutdown_c"),
	FACT("DEV_GPU_MAX_OP_TEMP DEV_GPU_MAX_OP_TEMP_CELSIUS", "GGMOT", "temp.max_operating_c"),
	FACT("DEV_MEM_MAX_OP_TEMP DEV_MEMORY_MAX_OP_TEMP_CELSIUS", "GMMOT",
	     "temp.memory_max_operating_c"),
	FACT("DEV_RETIRED_SBE DEV_PAGE_RETIRED_SBE_TOTAL", "RPSBE", "retired.single_bit"),
	FACT("DEV_RETIRED_DBE DEV_PAGE_RETIRED_DBE_TOTAL", "RPDBE", "retired.double_bit"),
	FACT("DEV_UNCORRECTABLE_REMAPPED_ROWS DEV_ROW_REMAP_UNCORRECTABLE_TOTAL", "URMPS",
	     "remap.uncorrectable"),
	FACT("DEV_CORRECTABLE_REMAPPED_ROWS DEV_ROW_REMAP_CORRECTABLE_TOTAL", "CRMPS",
	     "remap.correctable"),
	ECC("SBE_VOL_TOTAL", "ESVTL", "corrected.volatile.total"),
	ECC("DBE_VOL_TOTAL", "EDVTL", "uncorrected.volatile.total"),
	ECC("SBE_AGG_TOTAL", "ESATL", "corrected.aggregate.total"),
	ECC("DBE_AGG_TOTAL", "EDATL", "uncorrected.aggregate.total"),
	ECC("SBE_VOL_DEV", "ESVDV", "corrected.volatile.device_memory"),
	ECC("DBE_VOL_DEV", "EDVDV", "uncorrected.volatile.device_memory"),
	ECC("SBE_AGG_DEV", "ESADV", "corrected.aggregate.device_memory"),
	ECC("DBE_AGG_DEV", "EDADV", "uncorrected.aggregate.device_memory"),
	ECC("SBE_VOL_SRM", "ESVSRM", "corrected.volatile.sram"),
	ECC("DBE_VOL_SRM", "EDVSRM", "uncorrected.volatile.sram"),
	ECC("SBE_AGG_SRM", "ESDSRM", "corrected.aggregate.sram"),
	ECC("DBE_AGG_SRM", "EDDSRM", "uncorrected.aggregate.sram"),
	{ "DEV_RETIRED_PENDING DEV_PAGE_RETIRED_PENDING", "RPPEN", METRIC_YESNO, "retired.pending",
	  0, 0, true },
	{ "DEV_ROW_REMAP_FAILURE DEV_ROW_REMAP_FAILED", "RRF", METRIC_YESNO, "remap.failure", 0, 0,
	  true },
	{ "DEV_ROW_REMAP_PENDING", "RRP", METRIC_YESNO, "remap.pending", 0, 0, true },
	{ "DEV_THRESHOLD_SRM DEV_SRAM_EXCEEDED", "ECCTHRSRM", METRIC_YESNO,
	  "ecc.sram_threshold_exceeded", 0, 0, true },
	{ "DEV_ECC_CURRENT DEV_ECC_MODE", "ECCUR", METRIC_ONOFF, "ecc.mode", 0, 0, true },
	{ "DEV_ECC_PENDING", "ECPEN", METRIC_ONOFF, "ecc.mode_pending", 0, 0, true },
	{ "DEV_PERSISTENCE_MODE DEV_GPU_PERSISTENCE_MODE", "PMMOD", METRIC_ONOFF,
	  "persistence.mode", 0, 0, true },
	{ "DEV_MIG_MODE", "MGMOD", METRIC_ONOFF, "mig.mode", 0, 0, true },
	{ "DRIVER_VERSION SYSTEM_DRIVER_VERSION", "DRVER", METRIC_TEXT, "driver.version", 0, 0,
	  true },
	{ "DEV_VBIOS_VERSION", "VBVER", METRIC_TEXT, "gpu.vbios", 0, 0, true },
	{ "DEV_NAME DEV_GPU_NAME", "DVNAM", METRIC_TEXT, "gpu.name", 0, 0, true },
	{ "DEV_INFOROM_IMAGE_VER DEV_INFOROM_IMAGE_VERSION", "IIVER", METRIC_TEXT, "inforom.image",
	  0, 0, true },
	{ "DEV_OEM_INFOROM_VER DEV_INFOROM_OEM_VERSION", "OEMVR", METRIC_TEXT, "inforom.oem", 0, 0,
	  true },
	{ "DEV_ECC_INFOROM_VER DEV_INFOROM_ECC_VERSION", "EIVER", METRIC_TEXT, "inforom.ecc", 0, 0,
	  true },
	{ "DEV_POWER_INFOROM_VER DEV_INFOROM_POWER_VERSION", "PIVER", METRIC_TEXT, "inforom.power",
	  0, 0, true },
	{ "DEV_VGPU_LICENSE_STATUS", "", METRIC_SKIP, "", 0, 0, false },
};

static const struct metric_field triton[] = {
	COL("nv_gpu_utilization", "", GPUDX_COL_UTIL, 100),
	COL("nv_gpu_memory_used_bytes", "", GPUDX_COL_MEM_USED, 1.0 / MIB),
	COL("nv_gpu_power_usage", "", GPUDX_COL_POWER, 0),
	{ "nv_gpu_power_limit", "", METRIC_COL, "power.limit_w", GPUDX_COL_POWER_LIMIT, 0, true },
	{ "nv_gpu_memory_total_bytes", "", METRIC_FACT, "memory.total_mib", 0, 1.0 / MIB, true },
	SERIES("nv_energy_consumption", "", "energy.total_j"),
};

static bool is_named(const char *names, struct gpudx_sv name)
{
	struct gpudx_sv rest = sv_str(names), word;

	while (sv_cell(&rest, ' ', &word))
		if (sv_eq(word, name))
			return true;
	return false;
}

static const struct metric_field *named(const struct metric_field *f, size_t n,
					struct gpudx_sv name)
{
	for (size_t i = 0; i < n; i++)
		if (is_named(f[i].names, name))
			return &f[i];
	return NULL;
}

const struct metric_field *metric_field(struct gpudx_sv name)
{
	if (sv_lit(&name, "DCGM_FI_"))
		return named(fields, sizeof(fields) / sizeof(fields[0]), name);
	return sv_starts(name, "nv_") ? named(triton, sizeof(triton) / sizeof(triton[0]), name)
				      : NULL;
}

const struct metric_field *metric_field_tag(struct gpudx_sv tag)
{
	for (size_t i = 0; tag.n && i < sizeof(fields) / sizeof(fields[0]); i++)
		if (sv_is(tag, fields[i].tag))
			return &fields[i];
	return NULL;
}

bool metric_is_value(double v)
{
	if (!isfinite(v) || v >= 9.2233720368547e18)
		return false;
	return !(v >= 140737488355328.0 && v <= 140737488355343.0) &&
	       !(v >= 2147483632.0 && v <= 2147483635.0);
}

void metric_fact(struct gpudx_ctx *c, uint32_t ref, const struct metric_field *f, double v)
{
	bool yes = v > 0 || v < 0;

	if (f->kind == METRIC_ONOFF)
		gpudx_fact(c, ref, f->key, "nvml", yes ? SV_LIT("enabled") : SV_LIT("disabled"));
	else if (f->kind == METRIC_YESNO)
		gpudx_fact(c, ref, f->key, "nvml", yes ? SV_LIT("yes") : SV_LIT("no"));
	else if (f->kind == METRIC_FACT || (f->kind == METRIC_COL && f->key[0]))
		gpudx_fact_num(c, ref, f->key, "nvml", v);
}
