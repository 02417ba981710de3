/* Most elements are called as -q calls them: "Product Name" is product_name. So a path is compared
 * without regard to case and signs, after what XML calls otherwise was replaced. Sources:
 * nvsmi_device DTDs v10 to v13, captures of R418 to R610. */
#include "parse/smi_xml_path.h"

#include "base/map.h"

enum { PATH_MAX_TEXT = 256 };

struct name {
	struct gpudx_sv xml, q;
};

/* Whole paths that stand elsewhere in -q. */
static const struct name paths[] = {
	{ SV("retired_pages/multiple_single_bit_retirement/retired_count"),
	  SV("Retired Pages/Single Bit ECC") },
	{ SV("retired_pages/double_bit_retirement/retired_count"),
	  SV("Retired Pages/Double Bit ECC") },
	{ SV("retired_pages/pending_retirement"), SV("Retired Pages/Pending") },
	{ SV("processes/process_info/gpu_instance_id"), SV("Processes/GPU instance ID") },
	{ SV("processes/process_info/compute_instance_id"), SV("Processes/Compute instance ID") },
	{ SV("processes/process_info/pid"), SV("Processes/Process ID") },
	{ SV("processes/process_info/type"), SV("Processes/Process ID/Type") },
	{ SV("processes/process_info/process_name"), SV("Processes/Process ID/Name") },
	{ SV("processes/process_info/used_memory"), SV("Processes/Process ID/Used GPU Memory") },
};

/* Elements anywhere; an empty name is left out. */
static const struct name elements[] = {
	{ SV("serial"), SV("Serial Number") },
	{ SV("uuid"), SV("GPU UUID") },
	{ SV("pdi"), SV("GPU PDI") },
	{ SV("c2c_mode"), SV("GPU C2C Mode") },
	{ SV("gpu_module_id"), SV("Module ID") },
	{ SV("gpu_fru_part_number"), SV("FRU Part Number") },
	{ SV("platformInfo"), SV("Platform Info") },
	{ SV("current_mig"), SV("Current") },
	{ SV("pending_mig"), SV("Pending") },
	{ SV("current_dm"), SV("Current") },
	{ SV("pending_dm"), SV("Pending") },
	{ SV("current_gom"), SV("Current") },
	{ SV("pending_gom"), SV("Pending") },
	{ SV("current_ecc"), SV("Current") },
	{ SV("pending_ecc"), SV("Pending") },
	{ SV("current_dram_encryption"), SV("Current") },
	{ SV("pending_dram_encryption"), SV("Pending") },
	{ SV("img_version"), SV("Image Version") },
	{ SV("pwr_object"), SV("Power Management Object") },
	{ SV("inforom_bbx_flush"), SV("Inforom BBX Object Flush") },
	/* PCI */
	{ SV("pci_bus"), SV("Bus") },
	{ SV("pci_device"), SV("Device") },
	{ SV("pci_domain"), SV("Domain") },
	{ SV("pci_device_id"), SV("Device Id") },
	{ SV("pci_bus_id"), SV("Bus Id") },
	{ SV("pci_sub_system_id"), SV("Sub System Id") },
	{ SV("pci_gpu_link_info"), SV("GPU Link Info") },
	{ SV("pcie_gen"), SV("PCIe Generation") },
	{ SV("max_link_gen"), SV("Max") },
	{ SV("current_link_gen"), SV("Current") },
	{ SV("device_current_link_gen"), SV("Device Current") },
	{ SV("max_device_link_gen"), SV("Device Max") },
	{ SV("max_host_link_gen"), SV("Host Max") },
	{ SV("link_widths"), SV("Link Width") },
	{ SV("max_link_width"), SV("Max") },
	{ SV("current_link_width"), SV("Current") },
	{ SV("pci_bridge_chip"), SV("Bridge Chip") },
	{ SV("bridge_chip_type"), SV("Type") },
	{ SV("bridge_chip_fw"), SV("Firmware") },
	{ SV("replay_counter"), SV("Replays Since Reset") },
	{ SV("replay_rollover_counter"), SV("Replay Number Rollovers") },
	{ SV("tx_util"), SV("Tx Throughput") },
	{ SV("rx_util"), SV("Rx Throughput") },
	/* readings */
	{ SV("gpu_util"), SV("GPU") },
	{ SV("memory_util"), SV("Memory") },
	{ SV("encoder_util"), SV("Encoder") },
	{ SV("decoder_util"), SV("Decoder") },
	{ SV("jpeg_util"), SV("JPEG") },
	{ SV("ofa_util"), SV("OFA") },
	{ SV("session_count"), SV("Active Sessions") },
	{ SV("graphics_clock"), SV("Graphics") },
	{ SV("sm_clock"), SV("SM") },
	{ SV("mem_clock"), SV("Memory") },
	{ SV("video_clock"), SV("Video") },
	{ SV("graphics_volt"), SV("Graphics") },
	{ SV("instant_power_draw"), SV("Instantaneous Power Draw") },
	{ SV("power_profiles"), SV("Workload Power Profiles") },
	{ SV("power_profile_requested_profiles"), SV("Requested Profiles") },
	{ SV("power_profile_enforced_profiles"), SV("Enforced Profiles") },
	{ SV("cc_protected_memory_usage"), SV("Conf Compute Protected Memory Usage") },
	{ SV("gpu_temp"), SV("GPU Current Temp") },
	{ SV("gpu_temp_tlimit"), SV("GPU T.Limit Temp") },
	{ SV("memory_temp"), SV("Memory Current Temp") },
	{ SV("gpu_temp_max_threshold"), SV("GPU Shutdown Temp") },
	{ SV("gpu_temp_slow_threshold"), SV("GPU Slowdown Temp") },
	{ SV("gpu_temp_max_gpu_threshold"), SV("GPU Max Operating Temp") },
	{ SV("gpu_temp_max_mem_threshold"), SV("Memory Max Operating Temp") },
	{ SV("gpu_temp_max_tlimit_threshold"), SV("GPU Shutdown T.Limit Temp") },
	{ SV("gpu_temp_slow_tlimit_threshold"), SV("GPU Slowdown T.Limit Temp") },
	{ SV("gpu_temp_max_gpu_tlimit_threshold"), SV("GPU Max Operating T.Limit Temp") },
	{ SV("gpu_temp_max_mem_tlimit_threshold"), SV("Memory Max Operating T.Limit Temp") },
	/* reasons */
	{ SV("clocks_throttle_reasons"), SV("Clocks Event Reasons") },
	{ SV("gpu_idle"), SV("Idle") },
	{ SV("user_defined_clocks"), SV("Applications Clocks Setting") },
	{ SV("display_clocks_setting"), SV("Display Clock Setting") },
	{ SV("counters_sw_power_cap"), SV("SW Power Capping") },
	{ SV("counters_sync_boost"), SV("Sync Boost") },
	{ SV("counters_sw_therm_slowdown"), SV("SW Thermal Slowdown") },
	{ SV("counters_hw_therm_slowdown"), SV("HW Thermal Slowdown") },
	{ SV("counters_hw_power_brake"), SV("HW Power Braking") },
	/* memory */
	{ SV("texture_shm"), SV("Texture Shared") },
	{ SV("pending_blacklist"), SV("Pending Page Blacklist") },
	{ SV("remapped_row_corr"), SV("Correctable Error") },
	{ SV("remapped_row_unc"), SV("Uncorrectable Error") },
	{ SV("remapped_row_corr_inactive"), SV("Inactive Correctable Error") },
	{ SV("remapped_row_unc_inactive"), SV("Inactive Uncorrectable Error") },
	{ SV("remapped_row_pending"), SV("Pending") },
	{ SV("remapped_row_failure"), SV("Remapping Failure Occurred") },
	{ SV("row_remapper_histogram"), SV("Bank Remap Availability Histogram") },
	{ SV("row_remapper_histogram_max"), SV("Max") },
	{ SV("row_remapper_histogram_high"), SV("High") },
	{ SV("row_remapper_histogram_partial"), SV("Partial") },
	{ SV("row_remapper_histogram_low"), SV("Low") },
	{ SV("row_remapper_histogram_none"), SV("None") },
	/* slices */
	{ SV("mig_devices"), SV("") },
	{ SV("ecc_error_count"), SV("ECC Errors") },
	{ SV("volatile_count"), SV("Volatile") },
};

/* Reasons repeat the name of their section: clocks_event_reason_sw_power_cap. */
static struct gpudx_sv without_section(struct gpudx_sv element)
{
	static const char *const prefixes[] = { "clocks_throttle_reason_", "clocks_event_reason_",
						"clocks_event_reasons_counters_" };

	for (size_t i = 0; i + 1 < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (sv_lit(&element, prefixes[i]))
			return element;
	/* Names of counters are those of reasons: "counters_" stays to tell them apart. */
	if (sv_starts(element, prefixes[2]))
		return sv_from(element, strlen("clocks_event_reasons_"));
	return element;
}

static struct gpudx_sv q_name(struct gpudx_sv element)
{
	element = without_section(element);
	for (size_t i = 0; i < sizeof(elements) / sizeof(elements[0]); i++)
		if (sv_eq(elements[i].xml, element))
			return elements[i].q;
	return element;
}

/* Writes the path with the names of -q, as far as they are not the same anyway. */
static struct gpudx_sv translate(struct gpudx_sv path, char buf[PATH_MAX_TEXT])
{
	struct gpudx_sv element;
	size_t n = 0;

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (sv_eq(paths[i].xml, path))
			return paths[i].q;
	while (sv_cell(&path, '/', &element)) {
		struct gpudx_sv name = q_name(element);

		if (n + 1 + name.n > PATH_MAX_TEXT)
			return SV_LIT("");
		if (n && name.n)
			buf[n++] = '/';
		memcpy(buf + n, name.p, name.n);
		n += name.n;
	}
	return sv_n(buf, n);
}

const struct smi_field *smi_xml_field(struct smi_xml_fields *f, struct gpudx_sv path)
{
	char buf[PATH_MAX_TEXT];
	uint64_t hash = gpudx_hash(path);
	size_t slot = hash % SMI_XML_CACHE;

	if (f->cache[slot].hash != hash) {
		f->cache[slot].hash = hash;
		f->cache[slot].field = smi_field_like(translate(path, buf));
	}
	return f->cache[slot].field;
}
