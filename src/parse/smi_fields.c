#include "parse/smi_fields.h"

/* clang-format off */
#define ECC(csv_part, q_part, key_part) \
	{ "ecc.errors." csv_part, "", "ECC Errors/" q_part, SMI_NUM, "ecc." key_part, 0 }
#define REASON(csv_name, q_name, old, bit)                                                        \
	{ "clocks_event_reasons." csv_name, old, "Clocks Event Reasons/" q_name ";Clocks Throttle Reasons/" q_name, \
	  SMI_REASON, "", bit }
#define COUNTER(csv_name, q_name)                                                                 \
	{ "clocks_event_reasons_counters." csv_name, "", "Clocks Event Reasons Counters/" q_name, \
	  SMI_METRIC, "reasons." csv_name "_us", 0 }

/* -q -d POWER, CLOCK, UTILIZATION: what the driver itself sampled before. */
#define SAMPLES(section, key_part, unit)                                                          \
	{ "", "", section "/Max", SMI_METRIC, key_part ".samples_max_" unit, 0 },                 \
	{ "", "", section "/Min", SMI_METRIC, key_part ".samples_min_" unit, 0 },                 \
	{ "", "", section "/Avg", SMI_METRIC, key_part ".samples_avg_" unit, 0 },                 \
	{ "", "", section "/Duration;" section "/Number of Samples", SMI_SKIP, "", 0 }

#define SMOOTHING(name, kind) { "power_smoothing." name, "", "", kind, "power_smoothing." name, 0 }

/* A path without "/" that -q prints only below a section is for excerpts: the first such line of a
 * filtered output is meant, because the GPU's own readings come before those of its module. */
static const struct smi_field fields[] = {
	/* time and identity */
	{ "timestamp", "", "Timestamp", SMI_TIME, "", 0 },
	{ "index", "gpu.id gpuid gpu.index gpu.idx", "", SMI_INDEX, "", 0 },
	{ "uuid", "gpu_uuid", "GPU UUID", SMI_UUID, "", 0 },
	{ "pci.bus_id", "gpu_bus_id pci.bus_id_gpu", "PCI/Bus Id", SMI_BDF, "", 0 },
	{ "serial", "gpu_serial", "Serial Number", SMI_SERIAL, "", 0 },
	{ "name", "gpu_name", "Product Name", SMI_TEXT, "gpu.name", 0 },
	/* the sample */
	{ "pstate", "", "Performance State", SMI_PSTATE, "", 0 },
	{ "clocks.current.sm", "clocks.sm gpu.frequency", "Clocks/SM", SMI_COL, "", GPUDX_COL_SM_CLOCK },
	{ "clocks.current.memory", "clocks.mem vram.frequency", "Clocks/Memory", SMI_COL, "", GPUDX_COL_MEM_CLOCK },
	{ "power.draw", "watts power.watts", "Power Readings/Power Draw;GPU Power Readings/Power Draw;Power Draw", SMI_COL, "", GPUDX_COL_POWER },
	{ "power.draw.average", "gpu.power.draw.average", "GPU Power Readings/Average Power Draw;Average Power Draw", SMI_METRIC, "power.average_w", 0 },
	{ "power.draw.instant", "gpu.power.draw.instant", "GPU Power Readings/Instantaneous Power Draw;Instantaneous Power Draw", SMI_METRIC, "power.instant_w", 0 },
	{ "enforced.power.limit", "gpu.power.current_limit", "Power Readings/Enforced Power Limit;GPU Power Readings/Current Power Limit;GPU Power Readings/GPU Ceiling Power Limit/Current Power Limit;GPU Power Readings/Enforced Power Limit;Current Power Limit", SMI_COL, "power.limit_w", GPUDX_COL_POWER_LIMIT },
	{ "temperature.gpu", "gpu.temp gpu.temperature temperature", "Temperature/GPU Current Temp", SMI_COL, "", GPUDX_COL_TEMP },
	{ "utilization.gpu", "", "Utilization/Gpu;Utilization/GPU", SMI_COL, "", GPUDX_COL_UTIL },
	{ "utilization.memory", "", "Utilization/Memory", SMI_COL, "", GPUDX_COL_MEM_UTIL },
	{ "memory.used", "", "FB Memory Usage/Used", SMI_COL, "", GPUDX_COL_MEM_USED },
	{ "clocks_event_reasons.active", "clocks_throttle_reasons.active", "", SMI_MASK, "", 0 },
	REASON("gpu_idle", "Idle", "clocks_throttle_reasons.gpu_idle", 0x1),
	REASON("applications_clocks_setting", "Applications Clocks Setting", "clocks_throttle_reasons.applications_clocks_setting clocks_throttle_reasons.user_defined_clocks", 0x2),
	REASON("sw_power_cap", "SW Power Cap", "clocks_throttle_reasons.sw_power_cap", 0x4),
	REASON("hw_slowdown", "HW Slowdown", "clocks_throttle_reasons.hw_slowdown", 0x8),
	REASON("sync_boost", "Sync Boost", "clocks_throttle_reasons.sync_boost", 0x10),
	REASON("sw_thermal_slowdown", "SW Thermal Slowdown", "clocks_throttle_reasons.sw_thermal_slowdown", 0x20),
	REASON("hw_thermal_slowdown", "HW Slowdown/HW Thermal Slowdown;Clocks Event Reasons/HW Thermal Slowdown", "clocks_throttle_reasons.hw_thermal_slowdown", 0x40),
	REASON("hw_power_brake_slowdown", "HW Slowdown/HW Power Brake Slowdown;Clocks Event Reasons/HW Power Brake Slowdown", "clocks_throttle_reasons.hw_power_brake_slowdown", 0x80),
	REASON("display_clock_setting", "Display Clock Setting", "clocks_throttle_reasons.display_clock_setting", 0x100),
	{ "clocks_event_reasons.supported", "clocks_throttle_reasons.supported", "", SMI_SKIP, "", 0 },
	{ "clocks_throttle_reasons.unknown", "", "", SMI_SKIP, "", 0 },
	COUNTER("sw_power_cap", "SW Power Capping"),
	COUNTER("sync_boost", "Sync Boost"),
	COUNTER("sw_thermal_slowdown", "SW Thermal Slowdown"),
	COUNTER("hw_thermal_slowdown", "HW Thermal Slowdown"),
	COUNTER("hw_power_brake_slowdown", "HW Power Braking"),
	/* other series */
	{ "temperature.memory", "", "Temperature/Memory Current Temp", SMI_METRIC, "temp.memory_c", 0 },
	{ "temperature.gpu.tlimit", "", "Temperature/GPU T.Limit Temp;Temperature/GPU Current T.Limit Temp", SMI_METRIC, "temp.tlimit_margin_c", 0 },
	{ "fan.speed", "", "Fan Speed", SMI_METRIC, "fan.speed_pct", 0 },
	{ "memory.free", "", "FB Memory Usage/Free", SMI_METRIC, "memory.free_mib", 0 },
	{ "clocks.current.graphics", "clocks.gr", "Clocks/Graphics", SMI_METRIC, "clocks.graphics_mhz", 0 },
	{ "clocks.current.video", "clocks.video", "Clocks/Video", SMI_METRIC, "clocks.video_mhz", 0 },
	{ "utilization.encoder", "", "Utilization/Encoder", SMI_METRIC, "util.encoder_pct", 0 },
	{ "utilization.decoder", "", "Utilization/Decoder", SMI_METRIC, "util.decoder_pct", 0 },
	{ "utilization.jpeg", "", "Utilization/JPEG", SMI_METRIC, "util.jpeg_pct", 0 },
	{ "utilization.ofa", "", "Utilization/OFA", SMI_METRIC, "util.ofa_pct", 0 },
	{ "encoder.stats.sessionCount", "", "Encoder Stats/Active Sessions", SMI_METRIC, "encoder.sessions", 0 },
	{ "encoder.stats.averageFps", "", "Encoder Stats/Average FPS", SMI_METRIC, "encoder.fps", 0 },
	{ "encoder.stats.averageLatency", "", "Encoder Stats/Average Latency", SMI_METRIC, "encoder.latency_us", 0 },
	{ "module.power.draw.average", "", "Module Power Readings/Average Power Draw;Module Power Readings/Power Draw", SMI_METRIC, "module.power.average_w", 0 },
	{ "module.power.draw.instant", "", "Module Power Readings/Instantaneous Power Draw", SMI_METRIC, "module.power.instant_w", 0 },
	{ "", "", "GPU Memory Power Readings/Average Power Draw;GPU Memory Power Readings/Power Draw", SMI_METRIC, "memory.power.average_w", 0 },
	{ "", "", "GPU Memory Power Readings/Instantaneous Power Draw", SMI_METRIC, "memory.power.instant_w", 0 },
	{ "", "", "Voltage/Graphics", SMI_METRIC, "voltage.graphics_mv", 0 },
	{ "", "", "BAR1 Memory Usage/Used", SMI_METRIC, "memory.bar1_used_mib", 0 },
	SAMPLES("Power Samples", "power", "w"),
	SAMPLES("SM Clock Samples", "clocks.sm", "mhz"),
	SAMPLES("Memory Clock Samples", "clocks.memory", "mhz"),
	SAMPLES("GPU Utilization Samples", "util.gpu", "pct"),
	SAMPLES("Memory Utilization Samples", "util.memory", "pct"),
	SAMPLES("ENC Utilization Samples", "util.encoder", "pct"),
	SAMPLES("DEC Utilization Samples", "util.decoder", "pct"),
	{ "protected_memory.used", "", "Conf Compute Protected Memory Usage/Used", SMI_METRIC, "memory.protected_used_mib", 0 },
	{ "protected_memory.free", "", "Conf Compute Protected Memory Usage/Free", SMI_METRIC, "memory.protected_free_mib", 0 },
	/* host facts that each row repeats */
	{ "driver_version", "", "Driver Version", SMI_HOST, "driver.version", 0 },
	{ "kmd_version", "", "KMD Version", SMI_HOST, "driver.version", 0 },
	{ "", "", "CUDA Version;CUDA UMD Version", SMI_HOST, "cuda.driver_max", 0 },
	{ "hostname", "", "", SMI_HOST, "host.name", 0 },
	{ "count", "", "Attached GPUs", SMI_HOST, "gpu.count", 0 },
	/* power */
	{ "power.limit", "gpu.power.requested_limit", "Power Readings/Power Limit;GPU Power Readings/Requested Power Limit;GPU Power Readings/GPU Ceiling Power Limit/Requested Power Limit;Requested Power Limit", SMI_NUM, "power.limit_requested_w", 0 },
	{ "power.default_limit", "gpu.power.default_limit", "Power Readings/Default Power Limit;GPU Power Readings/Default Power Limit;GPU Power Readings/GPU Ceiling Power Limit/Default Power Limit;Default Power Limit", SMI_NUM, "power.limit_default_w", 0 },
	{ "power.min_limit", "gpu.power.min_limit", "Power Readings/Min Power Limit;GPU Power Readings/Min Power Limit;GPU Power Readings/GPU Ceiling Power Limit/Min Power Limit;Min Power Limit", SMI_NUM, "power.limit_min_w", 0 },
	{ "power.max_limit", "gpu.power.max_limit", "Power Readings/Max Power Limit;GPU Power Readings/Max Power Limit;GPU Power Readings/GPU Ceiling Power Limit/Max Power Limit;Max Power Limit", SMI_NUM, "power.limit_max_w", 0 },
	{ "module.enforced.power.limit", "module.power.current_limit", "Module Power Readings/Current Power Limit", SMI_NUM, "module.power.limit_w", 0 },
	{ "module.power.limit", "module.power.requested_limit", "Module Power Readings/Requested Power Limit", SMI_NUM, "module.power.limit_requested_w", 0 },
	{ "module.power.default_limit", "", "Module Power Readings/Default Power Limit", SMI_NUM, "module.power.limit_default_w", 0 },
	{ "module.power.min_limit", "", "Module Power Readings/Min Power Limit", SMI_NUM, "module.power.limit_min_w", 0 },
	{ "module.power.max_limit", "", "Module Power Readings/Max Power Limit", SMI_NUM, "module.power.limit_max_w", 0 },
	{ "power.management", "", "Power Readings/Power Management", SMI_WORD, "power.management", 0 },
	{ "gpu.base.current", "", "GPU Power Readings/GPU Base Power/Current Base Power", SMI_NUM, "power.base_w", 0 },
	{ "gpu.base.requested", "", "GPU Power Readings/GPU Base Power/Requested Base Power", SMI_NUM, "power.base_requested_w", 0 },
	{ "gpu.base.min", "", "GPU Power Readings/GPU Base Power/Min Base Power", SMI_NUM, "power.base_min_w", 0 },
	{ "gpu.base.max", "", "GPU Power Readings/GPU Base Power/Max Base Power", SMI_NUM, "power.base_max_w", 0 },
	{ "gpu.base.default", "", "GPU Power Readings/GPU Base Power/Default Base Power", SMI_NUM, "power.base_default_w", 0 },
	{ "", "", "Workload Power Profiles/Requested Profiles", SMI_TEXT, "power.profile_requested", 0 },
	{ "", "", "Workload Power Profiles/Enforced Profiles", SMI_TEXT, "power.profile_enforced", 0 },
	/* power smoothing of Blackwell */
	SMOOTHING("tmp_floor", SMI_NUM),
	SMOOTHING("tmp_ceil", SMI_NUM),
	SMOOTHING("hw_lifetime_remaining_percent", SMI_NUM),
	SMOOTHING("enabled", SMI_WORD),
	SMOOTHING("delayed_power_smoothing_supported", SMI_WORD),
	SMOOTHING("soc_power_smoothing_enabled", SMI_WORD),
	SMOOTHING("priv_level", SMI_NUM),
	SMOOTHING("imm_ramp_down", SMI_WORD),
	SMOOTHING("max_percent_tmp_floor", SMI_NUM),
	SMOOTHING("min_percent_tmp_floor", SMI_NUM),
	SMOOTHING("primary_power_floor", SMI_NUM),
	SMOOTHING("secondary_power_floor", SMI_NUM),
	SMOOTHING("min_primary_floor_activation_offset", SMI_NUM),
	SMOOTHING("min_primary_floor_activation_point", SMI_NUM),
	SMOOTHING("window_multiplier", SMI_NUM),
	SMOOTHING("num_preset_profiles", SMI_NUM),
	SMOOTHING("curr_profile.percent_tmp_floor", SMI_NUM),
	SMOOTHING("curr_profile.ramp_up_rate", SMI_NUM),
	SMOOTHING("curr_profile.ramp_down_rate", SMI_NUM),
	SMOOTHING("curr_profile.ramp_down_hysteresis", SMI_NUM),
	SMOOTHING("curr_profile.secondary_power_floor", SMI_NUM),
	SMOOTHING("curr_profile.primary_floor_act_window_multiplier", SMI_NUM),
	SMOOTHING("curr_profile.primary_floor_tar_window_multiplier", SMI_NUM),
	SMOOTHING("curr_profile.primary_floor_act_offset", SMI_NUM),
	SMOOTHING("active_profile", SMI_NUM),
	SMOOTHING("admin_override.percent_tmp_floor", SMI_NUM),
	SMOOTHING("admin_override.ramp_up_rate", SMI_NUM),
	SMOOTHING("admin_override.ramp_down_rate", SMI_NUM),
	SMOOTHING("admin_override.ramp_down_hysteresis", SMI_NUM),
	SMOOTHING("admin_override.secondary_power_floor", SMI_NUM),
	SMOOTHING("admin_override.primary_floor_act_window_multiplier", SMI_NUM),
	SMOOTHING("admin_override.primary_floor_tar_window_multiplier", SMI_NUM),
	SMOOTHING("admin_override.primary_floor_act_offset", SMI_NUM),
	/* what a vGPU host could do */
	{ "vgpu_driver_capability.heterogenous_multivGPU", "vgpu_device_capability.fractional_multiVgpu vgpu_device_capability.heterogeneous_timeSlice_profile vgpu_device_capability.heterogeneous_timeSlice_sizes vgpu_device_capability.homogeneous_placements vgpu_device_capability.mig_timeSlicing vgpu_device_capability.mig_timeSlicing_mode", "", SMI_SKIP, "", 0 },
	/* link */
	{ "pcie.link.gen.current", "", "PCI/GPU Link Info/PCIe Generation/Current", SMI_NUM, "pcie.gen_current", 8 },
	{ "pcie.link.gen.gpucurrent", "", "PCI/GPU Link Info/PCIe Generation/Device Current", SMI_NUM, "pcie.gen_gpu_current", 8 },
	{ "pcie.link.gen.max", "", "PCI/GPU Link Info/PCIe Generation/Max", SMI_NUM, "pcie.gen_max", 8 },
	{ "pcie.link.gen.gpumax", "", "PCI/GPU Link Info/PCIe Generation/Device Max", SMI_NUM, "pcie.gen_gpu_max", 8 },
	{ "pcie.link.gen.hostmax", "", "PCI/GPU Link Info/PCIe Generation/Host Max", SMI_NUM, "pcie.gen_host_max", 8 },
	{ "pcie.link.width.current", "", "PCI/GPU Link Info/Link Width/Current", SMI_NUM, "pcie.width_current", 32 },
	{ "pcie.link.width.max", "", "PCI/GPU Link Info/Link Width/Max", SMI_NUM, "pcie.width_max", 32 },
	{ "", "", "PCI/Replays Since Reset", SMI_NUM, "pcie.replays", 0 },
	{ "", "", "PCI/Replay Number Rollovers", SMI_NUM, "pcie.replay_rollovers", 0 },
	{ "", "", "PCI/Tx Throughput", SMI_METRIC, "pcie.tx_kbps", 0 },
	{ "", "", "PCI/Rx Throughput", SMI_METRIC, "pcie.rx_kbps", 0 },
	{ "", "", "PCI/Bridge Chip/Type", SMI_TEXT, "pcie.bridge_chip", 0 },
	{ "", "", "PCI/Bridge Chip/Firmware", SMI_TEXT, "pcie.bridge_firmware", 0 },
	{ "", "", "BAR1 Memory Usage/Total", SMI_NUM, "pcie.bar1_mib", 0 },
	/* modes */
	{ "persistence_mode", "", "Persistence Mode", SMI_WORD, "persistence.mode", 0 },
	{ "compute_mode", "", "Compute Mode", SMI_WORD, "compute.mode", 0 },
	{ "mig.mode.current", "", "MIG Mode/Current", SMI_WORD, "mig.mode", 0 },
	{ "mig.mode.pending", "", "MIG Mode/Pending", SMI_WORD, "mig.mode_pending", 0 },
	{ "ecc.mode.current", "", "Ecc Mode/Current;ECC Mode/Current", SMI_WORD, "ecc.mode", 0 },
	{ "ecc.mode.pending", "", "Ecc Mode/Pending;ECC Mode/Pending", SMI_WORD, "ecc.mode_pending", 0 },
	{ "display_attached", "", "Display Attached", SMI_WORD, "display.attached", 0 },
	{ "display_mode", "", "Display Mode", SMI_WORD, "display.mode", 0 },
	{ "display_active", "", "Display Active", SMI_WORD, "display.active", 0 },
	{ "addressing_mode", "", "Addressing Mode", SMI_WORD, "addressing.mode", 0 },
	{ "accounting.mode", "", "Accounting Mode", SMI_WORD, "accounting.mode", 0 },
	{ "accounting.buffer_size", "", "Accounting Mode Buffer Size", SMI_SKIP, "", 0 },
	{ "driver_model.current", "", "Driver Model/Current", SMI_TEXT, "driver_model.current", 0 },
	{ "driver_model.pending", "", "Driver Model/Pending", SMI_TEXT, "driver_model.pending", 0 },
	{ "gom.current", "gpu_operation_mode.current", "GPU Operation Mode/Current", SMI_WORD, "gom.current", 0 },
	{ "gom.pending", "gpu_operation_mode.pending", "GPU Operation Mode/Pending", SMI_WORD, "gom.pending", 0 },
	{ "gsp.mode.current", "", "", SMI_WORD, "gsp.mode", 0 },
	{ "gsp.mode.default", "", "", SMI_WORD, "gsp.mode_default", 0 },
	{ "", "", "GSP Firmware Version", SMI_TEXT, "gsp.firmware", 0 },
	{ "c2c.mode", "", "GPU C2C Mode", SMI_WORD, "c2c.mode", 0 },
	{ "dramEncryption.mode.current", "", "DRAM Encryption Mode/Current", SMI_WORD, "dram_encryption.mode", 0 },
	{ "dramEncryption.mode.pending", "", "DRAM Encryption Mode/Pending", SMI_WORD, "dram_encryption.mode_pending", 0 },
	{ "", "", "Virtualization Mode;GPU Virtualization Mode/Virtualization Mode;GPU Virtualization Mode/Virtualization mode", SMI_WORD, "virtualization.mode", 0 },
	{ "", "", "GPU Virtualization Mode/Host VGPU Mode", SMI_WORD, "virtualization.host_vgpu_mode", 0 },
	{ "", "", "GPU Virtualization Mode/vGPU Heterogeneous Mode", SMI_WORD, "virtualization.vgpu_heterogeneous", 0 },
	{ "", "", "Capabilities/EGM", SMI_WORD, "egm.mode", 0 },
	/* board and firmware */
	{ "vbios_version", "", "VBIOS Version", SMI_TEXT, "gpu.vbios", 0 },
	{ "inforom.img", "inforom.image", "Inforom Version/Image Version", SMI_TEXT, "inforom.image", 0 },
	{ "inforom.oem", "", "Inforom Version/OEM Object", SMI_TEXT, "inforom.oem", 0 },
	{ "inforom.ecc", "", "Inforom Version/ECC Object", SMI_TEXT, "inforom.ecc", 0 },
	{ "inforom.pwr", "inforom.power", "Inforom Version/Power Management Object", SMI_TEXT, "inforom.power", 0 },
	{ "inforom.checksum_validation", "", "", SMI_WORD, "inforom.checksum", 0 },
	{ "", "", "Inforom BBX Object Flush/Latest Timestamp", SMI_TEXT, "inforom.bbx_flush", 0 },
	{ "", "", "Inforom BBX Object Flush/Latest Duration", SMI_NUM, "inforom.bbx_flush_us", 0 },
	{ "bbx.time_run", "", "Inforom Time Data/Time Run", SMI_NUM, "inforom.time_run_s", 0 },
	{ "", "", "Product Brand", SMI_TEXT, "gpu.brand", 0 },
	{ "", "", "Product Architecture", SMI_TEXT, "gpu.arch", 0 },
	{ "", "", "Minor Number", SMI_NUM, "gpu.minor", 0 },
	{ "", "", "Board ID", SMI_TEXT, "gpu.board_id", 0 },
	{ "", "", "MultiGPU Board", SMI_WORD, "gpu.multi_gpu_board", 0 },
	{ "", "", "GPU PDI", SMI_TEXT, "gpu.pdi", 0 },
	{ "", "", "Board Part Number", SMI_TEXT, "gpu.board_part", 0 },
	{ "", "", "GPU Part Number", SMI_TEXT, "gpu.part", 0 },
	{ "", "", "FRU Part Number", SMI_TEXT, "gpu.fru_part", 0 },
	{ "", "", "PCI/Device Id", SMI_TEXT, "gpu.pci_id", 0 },
	{ "", "", "PCI/Sub System Id", SMI_TEXT, "gpu.subsystem_id", 0 },
	{ "pci.device_id", "", "", SMI_TEXT, "gpu.pci_id", 0 },
	{ "pci.sub_device_id", "", "", SMI_TEXT, "gpu.subsystem_id", 0 },
	{ "pci.domain", "", "", SMI_SKIP, "", 0 },
	{ "pci.bus", "", "", SMI_SKIP, "", 0 },
	{ "pci.device", "", "", SMI_SKIP, "", 0 },
	{ "pci.baseClass", "", "", SMI_SKIP, "", 0 },
	{ "pci.subClass", "", "", SMI_SKIP, "", 0 },
	{ "compute_cap", "", "", SMI_TEXT, "gpu.compute_cap", 0 },
	{ "platform.chassis_serial_number", "", "Platform Info/Chassis Serial Number", SMI_TEXT, "platform.chassis_serial", 0 },
	{ "platform.slot_number", "", "Platform Info/Slot Number", SMI_NUM, "platform.slot", 0 },
	{ "platform.tray_index", "", "Platform Info/Tray Index", SMI_NUM, "platform.tray", 0 },
	{ "platform.host_id", "", "Platform Info/Host ID", SMI_NUM, "platform.host_id", 0 },
	{ "platform.peer_type", "", "Platform Info/Peer Type", SMI_TEXT, "platform.peer_type", 0 },
	{ "platform.gpu_fabric_guid", "", "Platform Info/GPU Fabric GUID", SMI_TEXT, "platform.fabric_guid", 0 },
	{ "platform.module_id", "", "Platform Info/Module Id;Module ID", SMI_NUM, "platform.module_id", 0 },
	/* memory and health */
	{ "memory.total", "", "FB Memory Usage/Total", SMI_NUM, "memory.total_mib", 0 },
	{ "memory.reserved", "", "FB Memory Usage/Reserved", SMI_NUM, "memory.reserved_mib", 0 },
	{ "protected_memory.total", "", "Conf Compute Protected Memory Usage/Total", SMI_NUM, "memory.protected_total_mib", 0 },
	{ "gpu_recovery_action", "", "GPU Recovery Action", SMI_WORD, "recovery.action", 0 },
	{ "reset_status.reset_required", "", "GPU Reset Status/Reset Required", SMI_WORD, "recovery.reset_required", 0 },
	{ "reset_status.drain_and_reset_recommended", "", "GPU Reset Status/Drain and Reset Recommended", SMI_WORD, "recovery.drain_and_reset", 0 },
	{ "retired_pages.single_bit_ecc.count", "retired_pages.sbe", "Retired Pages/Single Bit ECC", SMI_NUM, "retired.single_bit", 0 },
	{ "retired_pages.double_bit.count", "retired_pages.dbe", "Retired Pages/Double Bit ECC", SMI_NUM, "retired.double_bit", 0 },
	{ "retired_pages.pending", "", "Retired Pages/Pending Page Blacklist;Retired Pages/Pending", SMI_WORD, "retired.pending", 0 },
	{ "remapped_rows.correctable", "remapped_rows.sbe", "Remapped Rows/Correctable Error", SMI_NUM, "remap.correctable", 0 },
	{ "remapped_rows.uncorrectable", "remapped_rows.dbe", "Remapped Rows/Uncorrectable Error", SMI_NUM, "remap.uncorrectable", 0 },
	{ "remapped_rows.correctable_inactive", "", "Remapped Rows/Inactive Correctable Error", SMI_NUM, "remap.correctable_inactive", 0 },
	{ "remapped_rows.uncorrectable_inactive", "", "Remapped Rows/Inactive Uncorrectable Error", SMI_NUM, "remap.uncorrectable_inactive", 0 },
	{ "remapped_rows.pending", "", "Remapped Rows/Pending", SMI_WORD, "remap.pending", 0 },
	{ "remapped_rows.failure", "", "Remapped Rows/Remapping Failure Occurred", SMI_WORD, "remap.failure", 0 },
	{ "remapped_rows.histogram.max", "", "Remapped Rows/Bank Remap Availability Histogram/Max", SMI_NUM, "remap.banks_max", 0 },
	{ "remapped_rows.histogram.high", "", "Remapped Rows/Bank Remap Availability Histogram/High", SMI_NUM, "remap.banks_high", 0 },
	{ "remapped_rows.histogram.partial", "", "Remapped Rows/Bank Remap Availability Histogram/Partial", SMI_NUM, "remap.banks_partial", 0 },
	{ "remapped_rows.histogram.low", "", "Remapped Rows/Bank Remap Availability Histogram/Low", SMI_NUM, "remap.banks_low", 0 },
	{ "remapped_rows.histogram.none", "", "Remapped Rows/Bank Remap Availability Histogram/None", SMI_NUM, "remap.banks_none", 0 },
	{ "fabric.state", "", "Fabric/State", SMI_WORD, "fabric.state", 0 },
	{ "fabric.status", "", "Fabric/Status", SMI_TEXT, "fabric.status", 0 },
	{ "fabric.cliqueId", "", "Fabric/CliqueId", SMI_TEXT, "fabric.clique", 0 },
	{ "fabric.clusterUuid", "", "Fabric/ClusterUUID", SMI_TEXT, "fabric.cluster", 0 },
	{ "fabric.health.summary", "", "Fabric/Health/Summary", SMI_WORD, "fabric.health", 0 },
	{ "fabric.health.bandwidth", "", "Fabric/Health/Bandwidth", SMI_WORD, "fabric.bandwidth", 0 },
	{ "fabric.health.route_recovery_in_progress", "", "Fabric/Health/Route Recovery in progress", SMI_WORD, "fabric.route_recovery", 0 },
	{ "fabric.health.route_unhealthy", "", "Fabric/Health/Route Unhealthy", SMI_WORD, "fabric.route_unhealthy", 0 },
	{ "fabric.health.access_timeout_recovery", "", "Fabric/Health/Access Timeout Recovery", SMI_WORD, "fabric.access_timeout_recovery", 0 },
	{ "fabric.health.incorrect_configuration", "", "Fabric/Health/Incorrect Configuration", SMI_WORD, "fabric.incorrect_configuration", 0 },
	{ "fabric.health.partition_assigned", "", "Fabric/Health/Partition Assigned", SMI_WORD, "fabric.partition_assigned", 0 },
	/* ECC counters */
	ECC("corrected.volatile.dram", "Volatile/DRAM Correctable", "corrected.volatile.dram"),
	ECC("corrected.volatile.sram", "Volatile/SRAM Correctable", "corrected.volatile.sram"),
	ECC("corrected.volatile.device_memory", "Volatile/Single Bit/Device Memory", "corrected.volatile.device_memory"),
	ECC("corrected.volatile.register_file", "Volatile/Single Bit/Register File", "corrected.volatile.register_file"),
	ECC("corrected.volatile.l1_cache", "Volatile/Single Bit/L1 Cache", "corrected.volatile.l1_cache"),
	ECC("corrected.volatile.l2_cache", "Volatile/Single Bit/L2 Cache", "corrected.volatile.l2_cache"),
	ECC("corrected.volatile.texture_memory", "Volatile/Single Bit/Texture Memory", "corrected.volatile.texture_memory"),
	ECC("corrected.volatile.cbu", "Volatile/Single Bit/CBU", "corrected.volatile.cbu"),
	ECC("corrected.volatile.total", "Volatile/Single Bit/Total;Volatile Correctable ECC Errors", "corrected.volatile.total"),
	ECC("corrected.aggregate.dram", "Aggregate/DRAM Correctable", "corrected.aggregate.dram"),
	ECC("corrected.aggregate.sram", "Aggregate/SRAM Correctable", "corrected.aggregate.sram"),
	ECC("corrected.aggregate.device_memory", "Aggregate/Single Bit/Device Memory", "corrected.aggregate.device_memory"),
	ECC("corrected.aggregate.register_file", "Aggregate/Single Bit/Register File", "corrected.aggregate.register_file"),
	ECC("corrected.aggregate.l1_cache", "Aggregate/Single Bit/L1 Cache", "corrected.aggregate.l1_cache"),
	ECC("corrected.aggregate.l2_cache", "Aggregate/Single Bit/L2 Cache", "corrected.aggregate.l2_cache"),
	ECC("corrected.aggregate.texture_memory", "Aggregate/Single Bit/Texture Memory", "corrected.aggregate.texture_memory"),
	ECC("corrected.aggregate.cbu", "Aggregate/Single Bit/CBU", "corrected.aggregate.cbu"),
	ECC("corrected.aggregate.total", "Aggregate/Single Bit/Total;Aggregate Correctable ECC Errors", "corrected.aggregate.total"),
	ECC("uncorrected.volatile.dram", "Volatile/DRAM Uncorrectable", "uncorrected.volatile.dram"),
	ECC("uncorrected.volatile.sram", "Volatile/SRAM Uncorrectable", "uncorrected.volatile.sram"),
	ECC("uncorrected.volatile.sram.parity", "Volatile/SRAM Uncorrectable Parity", "uncorrected.volatile.sram_parity"),
	ECC("uncorrected.volatile.sram.secded", "Volatile/SRAM Uncorrectable SEC-DED", "uncorrected.volatile.sram_secded"),
	ECC("uncorrected.volatile.device_memory", "Volatile/Double Bit/Device Memory", "uncorrected.volatile.device_memory"),
	ECC("uncorrected.volatile.register_file", "Volatile/Double Bit/Register File", "uncorrected.volatile.register_file"),
	ECC("uncorrected.volatile.l1_cache", "Volatile/Double Bit/L1 Cache", "uncorrected.volatile.l1_cache"),
	ECC("uncorrected.volatile.l2_cache", "Volatile/Double Bit/L2 Cache", "uncorrected.volatile.l2_cache"),
	ECC("uncorrected.volatile.texture_memory", "Volatile/Double Bit/Texture Memory", "uncorrected.volatile.texture_memory"),
	ECC("uncorrected.volatile.cbu", "Volatile/Double Bit/CBU", "uncorrected.volatile.cbu"),
	ECC("uncorrected.volatile.total", "Volatile/Double Bit/Total;Volatile Uncorrectable ECC Errors", "uncorrected.volatile.total"),
	ECC("uncorrected.aggregate.dram", "Aggregate/DRAM Uncorrectable", "uncorrected.aggregate.dram"),
	ECC("uncorrected.aggregate.sram", "Aggregate/SRAM Uncorrectable", "uncorrected.aggregate.sram"),
	ECC("uncorrected.aggregate.sram.parity", "Aggregate/SRAM Uncorrectable Parity", "uncorrected.aggregate.sram_parity"),
	ECC("uncorrected.aggregate.sram.secded", "Aggregate/SRAM Uncorrectable SEC-DED", "uncorrected.aggregate.sram_secded"),
	ECC("uncorrected.aggregate.device_memory", "Aggregate/Double Bit/Device Memory", "uncorrected.aggregate.device_memory"),
	ECC("uncorrected.aggregate.register_file", "Aggregate/Double Bit/Register File", "uncorrected.aggregate.register_file"),
	ECC("uncorrected.aggregate.l1_cache", "Aggregate/Double Bit/L1 Cache", "uncorrected.aggregate.l1_cache"),
	ECC("uncorrected.aggregate.l2_cache", "Aggregate/Double Bit/L2 Cache", "uncorrected.aggregate.l2_cache"),
	ECC("uncorrected.aggregate.texture_memory", "Aggregate/Double Bit/Texture Memory", "uncorrected.aggregate.texture_memory"),
	ECC("uncorrected.aggregate.cbu", "Aggregate/Double Bit/CBU", "uncorrected.aggregate.cbu"),
	ECC("uncorrected.aggregate.total", "Aggregate/Double Bit/Total;Aggregate Uncorrectable ECC Errors", "uncorrected.aggregate.total"),
	{ "ecc.errors.uncorrected.aggregate.sram.thresholdExceeded", "", "ECC Errors/Aggregate/SRAM Threshold Exceeded", SMI_WORD, "ecc.sram_threshold_exceeded", 0 },
	ECC("uncorrected.aggregate.sram.l2", "Aggregate Uncorrectable SRAM Sources/SRAM L2", "sram_source.l2"),
	ECC("uncorrected.aggregate.sram.sm", "Aggregate Uncorrectable SRAM Sources/SRAM SM", "sram_source.sm"),
	ECC("uncorrected.aggregate.sram.mcu", "Aggregate Uncorrectable SRAM Sources/SRAM Microcontroller", "sram_source.mcu"),
	ECC("uncorrected.aggregate.sram.pcie", "Aggregate Uncorrectable SRAM Sources/SRAM PCIE", "sram_source.pcie"),
	ECC("uncorrected.aggregate.sram.other", "Aggregate Uncorrectable SRAM Sources/SRAM Other", "sram_source.other"),
	{ "", "", "ECC Errors/Channel Repair Pending", SMI_WORD, "repair.channel_pending", 0 },
	{ "", "", "ECC Errors/TPC Repair Pending", SMI_WORD, "repair.tpc_pending", 0 },
	{ "", "", "ECC Errors/Unrepairable Memory", SMI_WORD, "repair.unrepairable", 0 },
	/* thresholds: absolute on older chips, margins below the limit where named T.Limit */
	{ "", "", "Temperature/GPU Shutdown Temp", SMI_NUM, "temp.shutdown_c", 0 },
	{ "", "", "Temperature/GPU Slowdown Temp", SMI_NUM, "temp.slowdown_c", 0 },
	{ "", "", "Temperature/GPU Max Operating Temp", SMI_NUM, "temp.max_operating_c", 0 },
	{ "", "", "Temperature/GPU Shutdown T.Limit Temp", SMI_NUM, "temp.shutdown_margin_c", 0 },
	{ "", "", "Temperature/GPU Slowdown T.Limit Temp", SMI_NUM, "temp.slowdown_margin_c", 0 },
	{ "", "", "Temperature/GPU Max Operating T.Limit Temp", SMI_NUM, "temp.max_operating_margin_c", 0 },
	{ "", "", "Temperature/GPU Target Temperature;Temperature/GPU Target Temperature Specification", SMI_NUM, "temp.target_c", 0 },
	{ "", "", "Temperature/Memory Max Operating Temp", SMI_NUM, "temp.memory_max_operating_c", 0 },
	{ "", "", "Temperature/Memory Max Operating T.Limit Temp", SMI_NUM, "temp.memory_max_operating_margin_c", 0 },
	/* clocks that are settings */
	{ "clocks.applications.graphics", "clocks.applications.gr", "Applications Clocks/Graphics", SMI_NUM, "clocks.app_graphics_mhz", 0 },
	{ "clocks.applications.memory", "clocks.applications.mem", "Applications Clocks/Memory", SMI_NUM, "clocks.app_memory_mhz", 0 },
	{ "clocks.default_applications.graphics", "clocks.default_applications.gr", "Default Applications Clocks/Graphics", SMI_NUM, "clocks.default_app_graphics_mhz", 0 },
	{ "clocks.default_applications.memory", "clocks.default_applications.mem", "Default Applications Clocks/Memory", SMI_NUM, "clocks.default_app_memory_mhz", 0 },
	{ "clocks.max.graphics", "clocks.max.gr", "Max Clocks/Graphics", SMI_NUM, "clocks.max_graphics_mhz", 0 },
	{ "clocks.max.sm", "", "Max Clocks/SM", SMI_NUM, "clocks.max_sm_mhz", 0 },
	{ "clocks.max.memory", "clocks.max.mem", "Max Clocks/Memory", SMI_NUM, "clocks.max_memory_mhz", 0 },
	{ "", "", "Max Clocks/Video", SMI_NUM, "clocks.max_video_mhz", 0 },
	{ "", "", "Clock Policy/Auto Boost", SMI_WORD, "clocks.auto_boost", 0 },
	{ "", "", "Clock Policy/Auto Boost Default", SMI_WORD, "clocks.auto_boost_default", 0 },
	{ "", "", "Max Customer Boost Clocks/Graphics", SMI_NUM, "clocks.max_boost_mhz", 0 },
	/* blocks that -q repeats inside one GPU */
	{ "", "", "Processes/GPU instance ID", SMI_PROCESS, "", SMI_PROCESS_GI },
	{ "", "", "Processes/Compute instance ID", SMI_PROCESS, "", SMI_PROCESS_CI },
	{ "", "", "Processes/Process ID", SMI_PROCESS, "", SMI_PROCESS_PID },
	{ "", "", "Processes/Process ID/Type", SMI_PROCESS, "", SMI_PROCESS_TYPE },
	{ "", "", "Processes/Process ID/Name", SMI_PROCESS, "", SMI_PROCESS_NAME },
	{ "", "", "Processes/Process ID/Used GPU Memory", SMI_PROCESS, "", SMI_PROCESS_MEMORY },
	{ "", "", "MIG Device/Index", SMI_MIG, "", SMI_MIG_INDEX },
	{ "", "", "MIG Device/GPU Instance ID", SMI_MIG, "", SMI_MIG_GI },
	{ "", "", "MIG Device/Compute Instance ID", SMI_MIG, "", SMI_MIG_CI },
	{ "", "", "MIG Device/Shared FB Memory Usage/Total;MIG Device/FB Memory Usage/Total", SMI_MIG, "", SMI_MIG_TOTAL },
	{ "", "", "MIG Device/Shared FB Memory Usage/Used;MIG Device/FB Memory Usage/Used", SMI_MIG, "", SMI_MIG_USED },
	{ "", "", "MIG Device/ECC Errors/Volatile/SRAM Uncorrectable", SMI_MIG, "", SMI_MIG_ECC },
	/* known and of no use; here so that a leaf that also stands elsewhere is not taken for unique */
	{ "", "", "Retired Pages;Remapped Rows;Processes;Clocks Event Reasons;Clocks Throttle Reasons;Power Smoothing;Voltage;HIC Info;Attached Units", SMI_SKIP, "", 0 },
	{ "", "", "PCI/Bus;PCI/Device;PCI/Domain;PCI/Base Classcode;PCI/Sub Classcode;PCI/Atomic Caps Inbound;PCI/Atomic Caps Outbound", SMI_SKIP, "", 0 },
	{ "", "", "BAR1 Memory Usage/Free;Sparse Operation Mode;IBMNPU/Relaxed Ordering Mode;Deferred Clocks/Memory", SMI_SKIP, "", 0 },
	{ "", "", "FBC Stats/Active Sessions;FBC Stats/Average FPS;FBC Stats/Average Latency", SMI_SKIP, "", 0 },
	{ "", "", "ECC Errors/Volatile/Single Bit/Texture Shared;ECC Errors/Volatile/Double Bit/Texture Shared;ECC Errors/Aggregate/Single Bit/Texture Shared;ECC Errors/Aggregate/Double Bit/Texture Shared", SMI_SKIP, "", 0 },
	{ "", "", "Supported Clocks/Memory;Supported Clocks/Memory/Graphics", SMI_SKIP, "", 0 },
	{ "", "", "MIG Device/Shared FB Memory Usage/Reserved;MIG Device/Shared FB Memory Usage/Free;MIG Device/FB Memory Usage/Reserved;MIG Device/FB Memory Usage/Free", SMI_SKIP, "", 0 },
	{ "", "", "MIG Device/Shared BAR1 Memory/Total;MIG Device/Shared BAR1 Memory/Used;MIG Device/Shared BAR1 Memory/Free;MIG Device/BAR1 Memory Usage/Total;MIG Device/BAR1 Memory Usage/Used;MIG Device/BAR1 Memory Usage/Free", SMI_SKIP, "", 0 },
	{ "", "", "MIG Device/Device Attributes/Shared/Multiprocessor count;MIG Device/Device Attributes/Shared/Copy Engine count;MIG Device/Device Attributes/Shared/Encoder count;MIG Device/Device Attributes/Shared/Decoder count;MIG Device/Device Attributes/Shared/OFA count;MIG Device/Device Attributes/Shared/JPG count", SMI_SKIP, "", 0 },
	{ "edpp_multiplier", "", "EDPp Multiplier", SMI_NUM, "power.edpp_multiplier_pct", 0 },
};
/* clang-format on */

/* ---- look-up ---- */

#define NFIELDS (sizeof(fields) / sizeof(fields[0]))

typedef bool is_name_fn(struct gpudx_sv one, struct gpudx_sv wanted);

static bool any(const char *list, char between, is_name_fn *is, struct gpudx_sv wanted)
{
	struct gpudx_sv rest = sv_str(list), one;

	while (sv_cell(&rest, between, &one))
		if (is(one, wanted))
			return true;
	return false;
}

static const struct smi_field *by_heading(is_name_fn *is, struct gpudx_sv name)
{
	for (size_t i = 0; i < NFIELDS; i++)
		if (*fields[i].csv &&
		    (is(sv_str(fields[i].csv), name) || any(fields[i].alias, ' ', is, name)))
			return &fields[i];
	return NULL;
}

static const struct smi_field *by_path(is_name_fn *is, struct gpudx_sv path)
{
	for (size_t i = 0; i < NFIELDS; i++)
		if (any(fields[i].q, ';', is, path))
			return &fields[i];
	return NULL;
}

const struct smi_field *smi_field_csv(struct gpudx_sv name)
{
	return by_heading(sv_ieq, name);
}

/* Dots are underscores, and "aB" is also "a_b". */
static bool is_spelled(struct gpudx_sv csv, struct gpudx_sv name)
{
	for (; csv.n && name.n; csv = sv_from(csv, 1), name = sv_from(name, 1)) {
		char ch = sv_lower(csv.p[0]);

		if (ch != csv.p[0])
			sv_char(&name, '_');
		if (!name.n ||
		    (ch == '_' ? '.' : ch) != (name.p[0] == '_' ? '.' : sv_lower(name.p[0])))
			return false;
	}
	return !csv.n && !name.n;
}

const struct smi_field *smi_field_spelled(struct gpudx_sv name)
{
	return by_heading(is_spelled, name);
}

bool smi_field_has_path(const struct smi_field *f, struct gpudx_sv path)
{
	return any(f->q, ';', sv_eq, path);
}

const struct smi_field *smi_field_q(struct gpudx_sv path)
{
	return by_path(sv_eq, path);
}

/* "FB Memory Usage" is "fb_memory_usage" is "fbMemoryUsage": only letters, digits and levels count. */
static bool next_plain(struct gpudx_sv *s, char *c)
{
	while (s->n && !sv_is_alpha(s->p[0]) && !sv_is_digit(s->p[0]) && s->p[0] != '/')
		*s = sv_from(*s, 1);
	*c = s->n ? sv_lower(s->p[0]) : '\0';
	*s = sv_from(*s, 1);
	return *c != '\0';
}

static bool is_like(struct gpudx_sv a, struct gpudx_sv b)
{
	char ca, cb;

	do {
		next_plain(&a, &ca);
		if (!next_plain(&b, &cb) || ca != cb)
			return ca == cb;
	} while (true);
}

const struct smi_field *smi_field_like(struct gpudx_sv path)
{
	return path.n ? by_path(is_like, path) : NULL;
}

static bool is_tail(struct gpudx_sv path, struct gpudx_sv tail)
{
	if (path.n <= tail.n)
		return sv_eq(path, tail);
	return path.p[path.n - tail.n - 1] == '/' && sv_eq(sv_from(path, path.n - tail.n), tail);
}

const struct smi_field *smi_field_tail(struct gpudx_sv tail, unsigned *found)
{
	const struct smi_field *f = NULL;

	*found = 0;
	for (size_t i = 0; i < NFIELDS; i++) {
		if (!any(fields[i].q, ';', is_tail, tail))
			continue;
		f = &fields[i];
		(*found)++;
	}
	return f;
}

_Static_assert(NFIELDS <= SMI_FIELDS_MAX, "sets of fields are too small");

unsigned smi_field_number(const struct smi_field *f)
{
	return (unsigned)(f - fields);
}

/* True when one of the sections above the path's leaf ends in tail. */
static bool has_section(struct gpudx_sv path, struct gpudx_sv tail)
{
	for (size_t i = path.n; i > 0; i--)
		if (path.p[i - 1] == '/' && is_tail(sv_first(path, i - 1), tail))
			return true;
	return false;
}

bool smi_section_tail(struct gpudx_sv tail)
{
	return by_path(has_section, tail) != NULL;
}
