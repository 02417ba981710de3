#include "parse/parser.h"

extern const struct gpudx_parser gpudx_parser_bugreport;
extern const struct gpudx_parser gpudx_parser_app_log;
extern const struct gpudx_parser gpudx_parser_klog;
extern const struct gpudx_parser gpudx_parser_klog_quote;
extern const struct gpudx_parser gpudx_parser_source_code;
extern const struct gpudx_parser gpudx_parser_windows_display;
extern const struct gpudx_parser gpudx_parser_windows_log;
extern const struct gpudx_parser gpudx_parser_smi_csv;
extern const struct gpudx_parser gpudx_parser_lspci;
extern const struct gpudx_parser gpudx_parser_lspci_tree;
extern const struct gpudx_parser gpudx_parser_modinfo;
extern const struct gpudx_parser gpudx_parser_nv_proc_version;
extern const struct gpudx_parser gpudx_parser_nv_proc_gpu;
extern const struct gpudx_parser gpudx_parser_nv_proc_params;
extern const struct gpudx_parser gpudx_parser_ipmi_sel;
extern const struct gpudx_parser gpudx_parser_ipmi_sensor;
extern const struct gpudx_parser gpudx_parser_ipmi_info;
extern const struct gpudx_parser gpudx_parser_bmc_log;
extern const struct gpudx_parser gpudx_parser_redfish_log;
extern const struct gpudx_parser gpudx_parser_sysfs_pci;
extern const struct gpudx_parser gpudx_parser_lsmod;
extern const struct gpudx_parser gpudx_parser_fabric_log;
extern const struct gpudx_parser gpudx_parser_mps_log;
extern const struct gpudx_parser gpudx_parser_systemctl;
extern const struct gpudx_parser gpudx_parser_boots;
extern const struct gpudx_parser gpudx_parser_dmidecode;
extern const struct gpudx_parser gpudx_parser_lscpu;
extern const struct gpudx_parser gpudx_parser_meminfo;
extern const struct gpudx_parser gpudx_parser_ulimit;
extern const struct gpudx_parser gpudx_parser_node_state;
extern const struct gpudx_parser gpudx_parser_slurm_table;
extern const struct gpudx_parser gpudx_parser_node_table;
extern const struct gpudx_parser gpudx_parser_slurm_json;
extern const struct gpudx_parser gpudx_parser_k8s_events;
extern const struct gpudx_parser gpudx_parser_k8s_object;
extern const struct gpudx_parser gpudx_parser_k8s_pods;
extern const struct gpudx_parser gpudx_parser_dev_users;
extern const struct gpudx_parser gpudx_parser_mounts;
extern const struct gpudx_parser gpudx_parser_ps;
extern const struct gpudx_parser gpudx_parser_sysctl;
extern const struct gpudx_parser gpudx_parser_nv_proc_misc;
extern const struct gpudx_parser gpudx_parser_env;
extern const struct gpudx_parser gpudx_parser_kernel_cmdline;
extern const struct gpudx_parser gpudx_parser_uname;
extern const struct gpudx_parser gpudx_parser_host_date;
extern const struct gpudx_parser gpudx_parser_torch_print;
extern const struct gpudx_parser gpudx_parser_dpkg_list;
extern const struct gpudx_parser gpudx_parser_rpm_list;
extern const struct gpudx_parser gpudx_parser_dpkg_log;
extern const struct gpudx_parser gpudx_parser_apt_history;
extern const struct gpudx_parser gpudx_parser_apt_term;
extern const struct gpudx_parser gpudx_parser_dnf_log;
extern const struct gpudx_parser gpudx_parser_dnf_history;
extern const struct gpudx_parser gpudx_parser_zypp_history;
extern const struct gpudx_parser gpudx_parser_pip_list;
extern const struct gpudx_parser gpudx_parser_conda_list;
extern const struct gpudx_parser gpudx_parser_conda_history;
extern const struct gpudx_parser gpudx_parser_package_json;
extern const struct gpudx_parser gpudx_parser_collect_env;
extern const struct gpudx_parser gpudx_parser_cuda_version;
extern const struct gpudx_parser gpudx_parser_cuda_json;
extern const struct gpudx_parser gpudx_parser_ldconfig;
extern const struct gpudx_parser gpudx_parser_docker_inspect;
extern const struct gpudx_parser gpudx_parser_container_tool;
extern const struct gpudx_parser gpudx_parser_ngc_banner;
extern const struct gpudx_parser gpudx_parser_nvidia_installer;
extern const struct gpudx_parser gpudx_parser_dkms;
extern const struct gpudx_parser gpudx_parser_framework_print;
extern const struct gpudx_parser gpudx_parser_nccl_tests;
extern const struct gpudx_parser gpudx_parser_bandwidth;
extern const struct gpudx_parser gpudx_parser_torch_memory;
extern const struct gpudx_parser gpudx_parser_field_diag;
extern const struct gpudx_parser gpudx_parser_perf_analyzer;
extern const struct gpudx_parser gpudx_parser_triton_config;
extern const struct gpudx_parser gpudx_parser_prometheus;
extern const struct gpudx_parser gpudx_parser_dcgmi_dmon;
extern const struct gpudx_parser gpudx_parser_dcgmi_diag;
extern const struct gpudx_parser gpudx_parser_dcgmi_diag_json;
extern const struct gpudx_parser gpudx_parser_dcgmi_nvlink;
extern const struct gpudx_parser gpudx_parser_dcgmi_info;
extern const struct gpudx_parser gpudx_parser_prometheus_json;
extern const struct gpudx_parser gpudx_parser_smi_dmon;
extern const struct gpudx_parser gpudx_parser_smi_list;
extern const struct gpudx_parser gpudx_parser_smi_message;
extern const struct gpudx_parser gpudx_parser_smi_pmon;
extern const struct gpudx_parser gpudx_parser_smi_q;
extern const struct gpudx_parser gpudx_parser_smi_rows;
extern const struct gpudx_parser gpudx_parser_smi_keys;
extern const struct gpudx_parser gpudx_parser_smi_mig;
extern const struct gpudx_parser gpudx_parser_smi_topo;
extern const struct gpudx_parser gpudx_parser_smi_table;
extern const struct gpudx_parser gpudx_parser_smi_xml;

/* The trial on the head decides who reads what; where two understand it equally well and bid the
 * same, the earlier one wins: so this order is a promise. */
/* clang-format off */
const struct gpudx_parser *const gpudx_parsers[] = {
	&gpudx_parser_source_code,
	&gpudx_parser_smi_csv,
	&gpudx_parser_smi_rows,
	&gpudx_parser_lspci,
	&gpudx_parser_lspci_tree,
	&gpudx_parser_modinfo,
	&gpudx_parser_nv_proc_version,
	&gpudx_parser_nv_proc_gpu,
	&gpudx_parser_nv_proc_params,
	&gpudx_parser_sysfs_pci,
	&gpudx_parser_nv_proc_misc,
	&gpudx_parser_kernel_cmdline,
	&gpudx_parser_uname,
	&gpudx_parser_host_date,
	&gpudx_parser_torch_print,
	&gpudx_parser_dpkg_list,
	&gpudx_parser_rpm_list,
	&gpudx_parser_dpkg_log,
	&gpudx_parser_apt_history,
	&gpudx_parser_apt_term,
	&gpudx_parser_dnf_log,
	&gpudx_parser_dnf_history,
	&gpudx_parser_zypp_history,
	&gpudx_parser_pip_list,
	&gpudx_parser_conda_list,
	&gpudx_parser_conda_history,
	&gpudx_parser_package_json,
	&gpudx_parser_collect_env,
	&gpudx_parser_cuda_version,
	&gpudx_parser_cuda_json,
	&gpudx_parser_ldconfig,
	&gpudx_parser_docker_inspect,
	&gpudx_parser_container_tool,
	&gpudx_parser_ngc_banner,
	&gpudx_parser_nvidia_installer,
	&gpudx_parser_dkms,
	&gpudx_parser_framework_print,
	&gpudx_parser_smi_q,
	&gpudx_parser_smi_xml,
	&gpudx_parser_smi_table,
	&gpudx_parser_smi_dmon,
	&gpudx_parser_smi_pmon,
	&gpudx_parser_nccl_tests,
	&gpudx_parser_bandwidth,
	&gpudx_parser_torch_memory,
	&gpudx_parser_field_diag,
	&gpudx_parser_perf_analyzer,
	&gpudx_parser_triton_config,
	&gpudx_parser_prometheus,
	&gpudx_parser_dcgmi_dmon,
	&gpudx_parser_dcgmi_diag,
	&gpudx_parser_dcgmi_diag_json,
	&gpudx_parser_dcgmi_nvlink,
	&gpudx_parser_dcgmi_info,
	&gpudx_parser_prometheus_json,
	&gpudx_parser_smi_list,
	&gpudx_parser_smi_topo,
	&gpudx_parser_smi_mig,
	&gpudx_parser_smi_keys,
	&gpudx_parser_smi_message,
	&gpudx_parser_ipmi_sel,
	&gpudx_parser_ipmi_sensor,
	&gpudx_parser_ipmi_info,
	&gpudx_parser_bmc_log,
	&gpudx_parser_redfish_log,
	&gpudx_parser_windows_log,
	&gpudx_parser_windows_display,
	&gpudx_parser_lsmod,
	&gpudx_parser_fabric_log,
	&gpudx_parser_mps_log,
	&gpudx_parser_systemctl,
	&gpudx_parser_boots,
	&gpudx_parser_dmidecode,
	&gpudx_parser_lscpu,
	&gpudx_parser_meminfo,
	&gpudx_parser_ulimit,
	&gpudx_parser_node_state,
	&gpudx_parser_slurm_table,
	&gpudx_parser_node_table,
	&gpudx_parser_slurm_json,
	&gpudx_parser_k8s_events,
	&gpudx_parser_k8s_object,
	&gpudx_parser_k8s_pods,
	&gpudx_parser_dev_users,
	&gpudx_parser_mounts,
	&gpudx_parser_ps,
	&gpudx_parser_sysctl,
	&gpudx_parser_klog,
	&gpudx_parser_klog_quote,
	&gpudx_parser_env,
	&gpudx_parser_bugreport,
	&gpudx_parser_app_log,
	NULL,
};
/* clang-format on */

const struct gpudx_parser *gpudx_parser_by_name(struct gpudx_sv name)
{
	for (const struct gpudx_parser *const *p = gpudx_parsers; *p; p++)
		if (sv_is(name, (*p)->name))
			return *p;
	return NULL;
}
