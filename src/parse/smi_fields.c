#include "parse/smi_fields.h"

#define ECC(csv_part, q_part, key_part) \
	{ "ecc.errors." csv_part, "", "ECC Errors/" q_part, SMI_NUM, "ecc." key_part, 0 }
#define REASON(csv_name, q_name, old, bit)                                                        \
	{ "clocks_event_reasons." csv_name, old, "Clocks Event Reasons/" q_name ";Clocks Throttle Reasons/" q_name, \
	  SMI_REASON, "", bit }
#define COUNTER(csv_name, q_name)                                                                 \
	{ "clocks_event_reasons_counters." csv_name, "", "Clocks Event Reasons Counters/" q_name, \
	  SMI_METRIC, "reasons." csv_name "_us", 0 }

static const struct smi_field fields[] = {
	/* time and identity */
	{ "timestamp", "", "", SMI_TIME, "", 0 },
	{ "index", "", "", SMI_INDEX, "", 0 },
	{ "uuid", "gpu_uuid", "GPU UUID", SMI_UUID, "", 0 },
	{ "pci.bus_id", "gpu_bus_id pci.bus_id_gpu", "PCI/Bus Id", SMI_BDF, "", 0 },
	{ "serial", "gpu_serial", "Serial Number", SMI_SERIAL, "", 0 },
	{ "name", "gpu_name", "Product Name", SMI_TEXT, "gpu.name", 0 },
	/* the sample */
	{ "pstate", "", "Performance State", SMI_PSTATE, "", 0 },
	{ "clocks.current.sm", "clocks.sm gpu.frequency", "Clocks/SM", SMI_COL, "", GPUDX_COL_SM_CLOCK },
	{ "clocks.current.memory", "clocks.mem vram.frequency", "Clocks/Memory", SMI_COL, "", GPUDX_COL_MEM_CLOCK },
	{ "power.draw", "", "Power Readings/Power Draw;GPU Power Readings/Power Draw", SMI_COL, "", GPUDX_COL_POWER },
	{ "power.draw.average", "gpu.power.draw.average", "GPU Power Readings/Average Power Draw", SMI_METRIC, "power.average_w", 0 },
	{ "power.draw.instant", "gpu.power.draw.instant", "GPU Power Readings/Instantaneous Power Draw", SMI_METRIC, "power.instant_w", 0 },
	{ "enforced.power.limit", "gpu.power.current_limit", "Power Readings/Enforced Power Limit;GPU Power Readings/Current Power Limit;GPU Power Readings/GPU Ceiling Power Limit/Current Power Limit;GPU Power Readings/Enforced Power Limit", SMI_COL, "power.limit_w", GPUDX_COL_POWER_LIMIT },
	{ "temperature.gpu", "", "Temperature/GPU Current Temp", SMI_COL, "", GPUDX_COL_TEMP },
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
	REASON("hw_thermal_slowdown", "HW Slowdown/HW Thermal Slowdown", "clocks_throttle_reasons.hw_thermal_slowdown", 0x40),
	REASON("hw_power_brake_slowdown", "HW Slowdown/HW Power Brake Slowdown", "clocks_throttle_reasons.hw_power_brake_slowdown", 0x80),
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
	{ "protected_memory.used", "", "Conf Compute Protected Memory Usage/Used", SMI_METRIC, "memory.protected_used_mib", 0 },
	{ "protected_memory.free", "", "Conf Compute Protected Memory Usage/Free", SMI_METRIC, "memory.protected_free_mib", 0 },
	/* host facts that each row repeats */
	{ "driver_version", "", "", SMI_HOST, "driver.version", 0 },
	{ "kmd_version", "", "", SMI_HOST, "driver.version", 0 },
	{ "hostname", "", "", SMI_HOST, "host.name", 0 },
	{ "count", "", "", SMI_HOST, "gpu.count", 0 },
	/* power */
	{ "power.limit", "gpu.power.requested_limit", "Power Readings/Power Limit;GPU Power Readings/Requested Power Limit;GPU Power Readings/GPU Ceiling Power Limit/Requested Power Limit", SMI_NUM, "power.limit_requested_w", 0 },
	{ "power.default_limit", "gpu.power.default_limit", "Power Readings/Default Power Limit;GPU Power Readings/Default Power Limit;GPU Power Readings/GPU Ceiling Power Limit/Default Power Limit", SMI_NUM, "power.limit_default_w", 0 },
	{ "power.min_limit", "gpu.power.min_limit", "Power Readings/Min Power Limit;GPU Power Readings/Min Power Limit;GPU Power Readings/GPU Ceiling Power Limit/Min Power Limit", SMI_NUM, "power.limit_min_w", 0 },
	{ "power.max_limit", "gpu.power.max_limit", "Power Readings/Max Power Limit;GPU Power Readings/Max Power Limit;GPU Power Readings/GPU Ceiling Power Limit/Max Power Limit", SMI_NUM, "power.limit_max_w", 0 },
	{ "module.enforced.power.limit", "module.power.current_limit", "Module Power Readings/Current Power Limit", SMI_NUM, "module.power.limit_w", 0 },
	{ "module.power.limit", "module.power.requested_limit", "Module Power Readings/Requested Power Limit", SMI_NUM, "module.power.limit_requested_w", 0 },
	{ "module.power.default_limit", "", "Module Power Readings/Default Power Limit", SMI_NUM, "module.power.limit_default_w", 0 },
	{ "module.power.min_limit", "", "Module Power Readings/Min Power Limit", SMI_NUM, "module.power.limit_min_w", 0 },
	{ "module.power.max_limit", "", "Module Power Readings/Max Power Limit", SMI_NUM, "module.power.limit_max_w", 0 },
	{ "power.management", "", "Power Readings/Power Management", SMI_WORD, "power.management", 0 },
	/* link */
	{ "pcie.link.gen.current", "", "PCI/GPU Link Info/PCIe Generation/Current", SMI_NUM, "pcie.gen_current", 0 },
	{ "pcie.link.gen.gpucurrent", "", "PCI/GPU Link Info/PCIe Generation/Device Current", SMI_NUM, "pcie.gen_gpu_current", 0 },
	{ "pcie.link.gen.max", "", "PCI/GPU Link Info/PCIe Generation/Max", SMI_NUM, "pcie.gen_max", 0 },
	{ "pcie.link.gen.gpumax", "", "PCI/GPU Link Info/PCIe Generation/Device Max", SMI_NUM, "pcie.gen_gpu_max", 0 },
	{ "pcie.link.gen.hostmax", "", "PCI/GPU Link Info/PCIe Generation/Host Max", SMI_NUM, "pcie.gen_host_max", 0 },
	{ "pcie.link.width.current", "", "PCI/GPU Link Info/Link Width/Current", SMI_NUM, "pcie.width_current", 0 },
	{ "pcie.link.width.max", "", "PCI/GPU Link Info/Link Width/Max", SMI_NUM, "pcie.width_max", 0 },
	{ "", "", "PCI/Replays Since Reset", SMI_NUM, "pcie.replays", 0 },
	{ "", "", "PCI/Replay Number Rollovers", SMI_NUM, "pcie.replay_rollovers", 0 },
	{ "", "", "PCI/Tx Throughput", SMI_METRIC, "pcie.tx_kbps", 0 },
	{ "", "", "PCI/Rx Throughput", SMI_METRIC, "pcie.rx_kbps", 0 },
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
	/* board and firmware */
	{ "vbios_version", "", "VBIOS Version", SMI_TEXT, "gpu.vbios", 0 },
	{ "inforom.img", "inforom.image", "Inforom Version/Image Version", SMI_TEXT, "inforom.image", 0 },
	{ "inforom.oem", "", "Inforom Version/OEM Object", SMI_TEXT, "inforom.oem", 0 },
	{ "inforom.ecc", "", "Inforom Version/ECC Object", SMI_TEXT, "inforom.ecc", 0 },
	{ "inforom.pwr", "inforom.power", "Inforom Version/Power Management Object", SMI_TEXT, "inforom.power", 0 },
	{ "inforom.checksum_validation", "", "", SMI_WORD, "inforom.checksum", 0 },
	{ "", "", "Product Brand", SMI_TEXT, "gpu.brand", 0 },
	{ "", "", "Product Architecture", SMI_TEXT, "gpu.arch", 0 },
	{ "", "", "Minor Number", SMI_NUM, "gpu.minor", 0 },
	{ "", "", "Board ID", SMI_TEXT, "gpu.board_id", 0 },
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
	{ "remapped_rows.correctable_inactive", "", "", SMI_NUM, "remap.correctable_inactive", 0 },
	{ "remapped_rows.uncorrectable_inactive", "", "", SMI_NUM, "remap.uncorrectable_inactive", 0 },
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
	/* ECC counters */
	ECC("corrected.volatile.dram", "Volatile/DRAM Correctable", "corrected.volatile.dram"),
	ECC("corrected.volatile.sram", "Volatile/SRAM Correctable", "corrected.volatile.sram"),
	ECC("corrected.volatile.device_memory", "Volatile/Single Bit/Device Memory", "corrected.volatile.device_memory"),
	ECC("corrected.volatile.register_file", "Volatile/Single Bit/Register File", "corrected.volatile.register_file"),
	ECC("corrected.volatile.l1_cache", "Volatile/Single Bit/L1 Cache", "corrected.volatile.l1_cache"),
	ECC("corrected.volatile.l2_cache", "Volatile/Single Bit/L2 Cache", "corrected.volatile.l2_cache"),
	ECC("corrected.volatile.texture_memory", "Volatile/Single Bit/Texture Memory", "corrected.volatile.texture_memory"),
	ECC("corrected.volatile.cbu", "Volatile/Single Bit/CBU", "corrected.volatile.cbu"),
	ECC("corrected.volatile.total", "Volatile/Single Bit/Total", "corrected.volatile.total"),
	ECC("corrected.aggregate.dram", "Aggregate/DRAM Correctable", "corrected.aggregate.dram"),
	ECC("corrected.aggregate.sram", "Aggregate/SRAM Correctable", "corrected.aggregate.sram"),
	ECC("corrected.aggregate.device_memory", "Aggregate/Single Bit/Device Memory", "corrected.aggregate.device_memory"),
	ECC("corrected.aggregate.register_file", "Aggregate/Single Bit/Register File", "corrected.aggregate.register_file"),
	ECC("corrected.aggregate.l1_cache", "Aggregate/Single Bit/L1 Cache", "corrected.aggregate.l1_cache"),
	ECC("corrected.aggregate.l2_cache", "Aggregate/Single Bit/L2 Cache", "corrected.aggregate.l2_cache"),
	ECC("corrected.aggregate.texture_memory", "Aggregate/Single Bit/Texture Memory", "corrected.aggregate.texture_memory"),
	ECC("corrected.aggregate.cbu", "Aggregate/Single Bit/CBU", "corrected.aggregate.cbu"),
	ECC("corrected.aggregate.total", "Aggregate/Single Bit/Total", "corrected.aggregate.total"),
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
	ECC("uncorrected.volatile.total", "Volatile/Double Bit/Total", "uncorrected.volatile.total"),
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
	ECC("uncorrected.aggregate.total", "Aggregate/Double Bit/Total", "uncorrected.aggregate.total"),
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
	{ "", "", "Max Customer Boost Clocks/Graphics", SMI_NUM, "clocks.max_boost_mhz", 0 },
	{ "edpp_multiplier", "", "EDPp Multiplier", SMI_NUM, "power.edpp_multiplier_pct", 0 },
};

/* ---- look-up ---- */

static bool is_alias(const char *list, struct gpudx_sv name)
{
	struct gpudx_sv rest = sv_str(list), word;

	while (sv_cell(&rest, ' ', &word))
		if (sv_ieq(word, name))
			return true;
	return false;
}

const struct smi_field *smi_field_csv(struct gpudx_sv name)
{
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (*fields[i].csv && (sv_ieq(sv_str(fields[i].csv), name) || is_alias(fields[i].alias, name)))
			return &fields[i];
	return NULL;
}

const struct smi_field *smi_field_q(struct gpudx_sv path)
{
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		struct gpudx_sv rest = sv_str(fields[i].q), one;

		while (sv_cell(&rest, ';', &one))
			if (sv_eq(one, path))
				return &fields[i];
	}
	return NULL;
}

/* ---- values ---- */

struct token {
	struct gpudx_sv text;
	const char *event; /* NULL: only missing */
};

/* Without brackets; formats 0.3. */
static const struct token tokens[] = {
	{ SV("N/A"), NULL },
	{ SV("Not Supported"), NULL },
	{ SV("Not Found"), NULL },
	{ SV("Function Not Found"), NULL },
	{ SV("Insufficient Permissions"), NULL },
	{ SV("Requested functionality has been deprecated"), NULL },
	{ SV("-"), NULL },
	{ SV("Unknown Error"), "smi.unknown_error" },
	{ SV("ERR!"), "smi.unknown_error" },
	{ SV("GPU requires reset"), "smi.requires_reset" },
	{ SV("GPU is lost"), "smi.gpu_lost" },
};

enum smi_value smi_value_of(struct gpudx_sv cell, const char **event)
{
	cell = sv_trim(cell);
	if (cell.n >= 2 && cell.p[0] == '[' && cell.p[cell.n - 1] == ']')
		cell = sv_n(cell.p + 1, cell.n - 2);
	if (!cell.n)
		return SMI_MISSING;
	/* All tokens begin with one of these; numbers, by far most of the cells, do not. */
	if (!strchr("NFIRU-EG", cell.p[0]))
		return SMI_VALUE;
	for (size_t i = 0; i < sizeof(tokens) / sizeof(tokens[0]); i++) {
		if (!sv_eq(tokens[i].text, cell))
			continue;
		if (!tokens[i].event)
			return SMI_MISSING;
		*event = tokens[i].event;
		return SMI_FAULT;
	}
	return SMI_VALUE;
}

bool smi_number(struct gpudx_sv cell, double *out)
{
	struct gpudx_sv c = sv_ltrim(cell);
	double v;

	if (!sv_decimal(&c, &v))
		return false;
	c = sv_trim(c);
	if (c.n > 8 || (c.n && (sv_is_digit(c.p[0]) || c.p[0] == '.')))
		return false;
	*out = v;
	return true;
}

bool smi_pstate(struct gpudx_sv cell, double *out)
{
	struct gpudx_sv c = sv_trim(cell);
	uint64_t v;

	if (!sv_char(&c, 'P') || !sv_u64(&c, &v) || c.n || v > 15)
		return false;
	*out = (double)v;
	return true;
}

bool smi_mask(struct gpudx_sv cell, double *out)
{
	struct gpudx_sv c = sv_trim(cell);
	uint64_t v;

	if (!sv_lit(&c, "0x") || !sv_hex(&c, 1, 16, &v) || c.n)
		return false;
	*out = (double)(v & 0xffffffffu);
	return true;
}

static struct gpudx_sv lower_word(struct gpudx_sv s, char *buf, size_t size)
{
	s = sv_first(sv_trim(s), size);
	for (size_t i = 0; i < s.n; i++)
		buf[i] = sv_lower(s.p[i]);
	return sv_n(buf, s.n);
}

void smi_fact(struct gpudx_ctx *c, uint32_t ref, const struct smi_field *f, const char *layer,
	      struct gpudx_sv cell)
{
	char buf[80];
	double v;

	cell = sv_trim(cell);
	switch (f->kind) {
	case SMI_TEXT:
		gpudx_fact(c, ref, f->key, layer, cell);
		break;
	case SMI_HOST:
		/* R595 and later: "610.57.04 [Deprecated; will be removed ...]" */
		gpudx_fact(c, 0, f->key, layer, sv_first(cell, sv_index(cell, ' ')));
		break;
	case SMI_WORD:
		gpudx_fact(c, ref, f->key, layer, lower_word(cell, buf, sizeof(buf)));
		break;
	case SMI_NUM:
	case SMI_COL:
		if (smi_number(cell, &v))
			gpudx_fact_num(c, ref, f->key, layer, v);
		break;
	default:
		break;
	}
}

void smi_fault(struct gpudx_ctx *c, uint32_t ref, const char *kind, struct gpudx_sv text)
{
	struct gpudx_event e = { .ref = ref, .kind = sv_str(kind), .code = -1, .pid = -1, .repeats = 1, .text = text };

	e.stamp = gpudx_time(c);
	gpudx_put_event(c, &e);
}
