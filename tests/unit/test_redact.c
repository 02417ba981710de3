/* Planted secrets are gone, evidence stays byte for byte. All names and secrets are invented. */
#include "redact/redact.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>

static struct gpudx_redact *new_redact(bool report, bool gpu)
{
	struct gpudx_redact_options o = { .report = report, .gpu = gpu, .key = "a key for tests" };
	struct gpudx_redact *r = NULL;
	struct gpudx_err err = { 0 };

	if (gpudx_redact_new(&o, &r, &err))
		fail_msg("%s", err.text[0]);
	return r;
}

static const char *redacted(struct gpudx_redact *r, struct gpudx_buf *b, const char *text)
{
	gpudx_buf_clear(b);
	gpudx_redact_text(r, sv_str(text), b);
	assert_false(gpudx_redact_failed(r));
	return gpudx_buf_cstr(b);
}

static bool found_class(const struct gpudx_redact *r, struct gpudx_sv class_name)
{
	for (size_t i = 0; i < gpudx_redact_count(r); i++)
		if (sv_eq(gpudx_redact_at(r, i).class_name, class_name))
			return true;
	return false;
}

/* Every row of the table does what it says, on its own example. */
static void every_pattern_finds_its_example(void **state)
{
	struct gpudx_buf b = { .max = 1 << 16 };
	struct gpudx_sv class_name, example;
	char text[512];

	(void)state;
	for (size_t i = 0;; i++) {
		struct gpudx_redact *r = new_redact(true, true);

		if (!gpudx_redact_detector(r, i, &class_name, &example)) {
			gpudx_redact_free(r);
			break;
		}
		snprintf(text, sizeof(text), "%.*s", (int)example.n, example.p);
		redacted(r, &b, text);
		if (sv_is(class_name, "keep"))
			assert_string_equal(gpudx_buf_cstr(&b), text);
		else if (!found_class(r, class_name))
			fail_msg("pattern %zu (%.*s) found nothing in: %s", i, (int)class_name.n,
				 class_name.p, text);
		gpudx_redact_free(r);
	}
	gpudx_buf_free(&b);
}

static const struct plant {
	const char *line, *secret;
} plants[] = {
	/* tokens and keys */
	{ "export HF_TOKEN=hf_QwErTyUiOpAsDfGhJkLz", "hf_QwErTyUiOpAsDfGhJkLz" },
	{ "remote: https://x-access-token:ghp_0123456789abcdefABCDEF0123@github.com/a/b",
	  "ghp_0123456789abcdefABCDEF0123" },
	{ "OPENAI_API_KEY=sk-proj-Zx81kLmN0pQrStUv", "sk-proj-Zx81kLmN0pQrStUv" },
	{ "NGC_API_KEY: nvapi-aB3dE6gH9jK2mN5pQ8", "nvapi-aB3dE6gH9jK2mN5pQ8" },
	{ "aws_access_key_id = AKIAQ3EGUX7TPLANTED1", "AKIAQ3EGUX7TPLANTED1" },
	{ "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY",
	  "wJalrXUtnFEMI/K7MDENG/bPxRfiCY" },
	{ "slack xoxb-2041-9182-AbCdEfGh", "xoxb-2041-9182-AbCdEfGh" },
	{ "CI glpat-Ab3dEf6hIj9lMn2p", "glpat-Ab3dEf6hIj9lMn2p" },
	{ "Authorization: Bearer 9f8e7d6c5b4a", "9f8e7d6c5b4a" },
	{ "cookie eyJhbGciOiJub25lIn0.eyJzdWIiOiJxIn0.c2ln",
	  "eyJhbGciOiJub25lIn0.eyJzdWIiOiJxIn0.c2ln" },
	{ "WANDB_API_KEY=00112233445566778899aabbccddeeff00112233",
	  "00112233445566778899aabbccddeeff00112233" },
	{ "{\"api_key\": \"k-77-orange\"}", "k-77-orange" },
	{ "<token>z9y8x7w6</token>", "z9y8x7w6" },
	{ "GET /blob?se=2026&sig=pLaNtEd%2Bsig%3D HTTP/1.1", "pLaNtEd%2Bsig%3D" },
	{ "-----BEGIN RSA PRIVATE KEY----- MIIEow", "MIIEow" },
	{ "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC7planted x@y",
	  "AAAAB3NzaC1yc2EAAAADAQABAAABgQC7planted" },
	/* passwords */
	{ "db_password = 'correct-horse'", "correct-horse" },
	{ "mysqldump --password Tr0ub4dor all", "Tr0ub4dor" },
	{ "\"client_secret\": \"s3cr3t-v4lue\"", "s3cr3t-v4lue" },
	{ "BMC_PASSWORD=calvin2026", "calvin2026" },
	{ "sshpass -p letmein99 ssh admin@x", "letmein99" },
	{ "snmp community: pr1vate-ro", "pr1vate-ro" },
	{ "proxy http://svc:pa55word@proxy.example.net:3128", "pa55word" },
	{ "passwd>open-sesame<", "open-sesame" },
	/* people */
	{ "contact: carol.smith@planted.example.com", "carol.smith@planted.example.com" },
	{ "File \"/home/wendy/jobs/train.py\", line 3", "wendy" },
	{ "home/wendy/train.py", "wendy" },
	{ "/Users/marvin/run.log", "marvin" },
	{ "Accepted publickey for peggy from 198.51.100.7 port 50022 ssh2", "peggy" },
	{ "Jan 13 10:00:00 planted-h1 sudo:    victor : TTY=pts/1 ; USER=root", "victor" },
	{ "uid=1207(trudy) gid=1207(skunkworks) groups=1207(skunkworks)", "trudy" },
	{ "uid=1207(trudy) gid=1207(skunkworks)", "skunkworks" },
	{ "-rw-r----- 1 oscar blueteam 77 Jan 3 10:00 x.log", "blueteam" },
	{ "mallory   4242 99.0  1.2 123456 65432 pts/0 R 10:00 0:01 python3", "mallory" },
	{ "pam_unix(sshd:session): session opened for user walter by (uid=0)", "walter" },
	{ "SLURM_JOB_USER=sybil", "sybil" },
	/* machines and nets */
	{ "Jan 13 10:18:02 planted-h7 kernel: x", "planted-h7" },
	{ "2026-01-13T10:18:02+01:00 planted-h8 kernel: x", "planted-h8" },
	{ "Linux planted-h9 5.15.0-91-generic #101-Ubuntu SMP", "planted-h9" },
	{ "   Static hostname: planted-h10", "planted-h10" },
	{ "MASTER host=planted-h11 port=29500", "planted-h11" },
	{ "alice@planted-h12:~$ nvidia-smi", "planted-h12" },
	{ "search lab.planted.example", "lab.planted.example" },
	{ "mount filer.planted.internal done", "filer.planted.internal" },
	{ "inet 203.0.113.77/24 brd 203.0.113.255", "203.0.113.77" },
	{ "connect to 10.20.30.40:29500 failed", "10.20.30.40" },
	{ "node ip-172-31-9-8 ready", "172-31-9-8" },
	{ "inet6 2001:db8:77::4/64 scope global", "2001:db8:77::4" },
	{ "link/ether 0c:42:a1:77:88:99 brd ff:ff:ff:ff:ff:ff", "0c:42:a1:77:88:99" },
	{ "link/infiniband 20:00:0b:e8:fe:80:00:00:00:00:00:00:50:6b:4b:03:00:a1:b2:c3",
	  "50:6b:4b:03:00:a1:b2:c3" },
	{ "Node GUID: 0x506b4b030077aabb", "506b4b030077aabb" },
	{ "node_guid: 506b:4b03:0077:aabc", "506b:4b03:0077:aabc" },
	{ "SSID: Planted-Guest", "Planted-Guest" },
	/* ids */
	{ "Machine ID: 77aabbccddeeff00112233445566778a", "77aabbccddeeff00112233445566778a" },
	{ "   Boot ID: 88aabbccddeeff00112233445566778a", "88aabbccddeeff00112233445566778a" },
	{ "\tUUID: 4c4c4544-0077-3010-8052-b4c04f4e3332", "4c4c4544-0077-3010-8052-b4c04f4e3332" },
	{ "wwn-0x5002538e4077aabb -> ../sda", "5002538e4077aabb" },
	{ "E: ID_SERIAL_SHORT=S5Y1NG0N777777", "S5Y1NG0N777777" },
	{ "arn:aws:sagemaker:eu-west-1:210987654321:endpoint/x", "210987654321" },
	{ "/subscriptions/7a7b7c7d-1111-4222-8333-7a7b7c7d7e7f/resourceGroups",
	  "7a7b7c7d-1111-4222-8333-7a7b7c7d7e7f" },
	{ "projects/planted-prod-7/zones/europe-west4-a", "planted-prod-7" },
	/* work */
	{ "SLURM_JOB_NAME=orion-pretrain", "orion-pretrain" },
	{ "\"Name\": \"/orion-serving\",", "orion-serving" },
	{ "pod_name=\"orion-7d9f-x2\"", "orion-7d9f-x2" },
	{ "image registry.planted.example:5000/orion/train:v7", "registry.planted.example" },
	{ "INFO prompt: 'what is the plan for orion', params: SamplingParams()",
	  "what is the plan" },
	{ "vllm serve --model planted/orion-70b", "planted/orion-70b" },
	{ "loading /lustre/orion/ckpt/7.pt", "orion/ckpt" },
	{ "python3 train.py --dataset orion-mails --lr 0.1", "orion-mails" },
	{ "declare -x RELEASE_RING=\"orion-canary\"", "orion-canary" },
	{ "begin 7QpLmnOPqRsTuVwXyZ0123456789abcdefGHIJKLMNopqrstuvWXYZ9876543210+/",
	  "7QpLmnOPqRsT" },
};

static void planted_secrets_are_gone(void **state)
{
	struct gpudx_buf b = { .max = 1 << 16 };

	(void)state;
	assert_true(sizeof(plants) / sizeof(plants[0]) >= 60);
	for (size_t i = 0; i < sizeof(plants) / sizeof(plants[0]); i++) {
		struct gpudx_redact *r = new_redact(false, false);
		const char *out = redacted(r, &b, plants[i].line);

		if (sv_has(sv_str(out), plants[i].secret))
			fail_msg("%s\nstill holds %s", out, plants[i].secret);
		gpudx_redact_free(r);
	}
	gpudx_buf_free(&b);
}

static const char *const evidence[] = {
	"[  512.345678] NVRM: Xid (PCI:0000:3b:00): 31, pid=24811, name=python, Ch 0000001b, intr "
	"10000000. MMU "
	"Fault: ENGINE GRAPHICS GPCCLIENT_T1_0 faulted @ 0x7f2a_1c000000. Fault is of type "
	"FAULT_PDE ACCESS_TYPE_READ",
	"NVRM: Xid (PCI:0000:9c:00): 48, pid='<unknown>', name=<unknown>, An uncorrectable double "
	"bit error (DBE) has "
	"been detected on GPU in the framebuffer at partition 9, subpartition 1.",
	"NVRM: GPU at PCI:0000:9c:00: GPU-0a1b2c3d-1111-4222-8333-0a1b2c3d4e5f",
	"NVRM: GPU Board Serial Number: 1654321098765",
	"NVRM: RmInitAdapter failed! (0x62:0x65:1792)",
	"NVRM: Xid (PCI:0000:3b:00): 119, pid=1, name=x, Timeout after 45s of waiting for RPC "
	"response from GPU0 GSP! "
	"Expected function 76 (GSP_RM_CONTROL) (0x20801702 0x4).",
	"pcieport 0000:3a:00.0: AER: Corrected error received: 0000:3b:00.0",
	"pcieport 0000:3a:00.0:   device [8086:2030] error status/mask=00000040/00002000",
	"pcieport 0000:3a:00.0: AER:   TLP Header: 40000001 0000000f fee00000 00000000",
	"| NVIDIA-SMI 550.54.14              Driver Version: 550.54.14      CUDA Version: 12.4     "
	"|",
	"    VBIOS Version                         : 92.00.45.00.03",
	"    Serial Number                         : 1654321098765",
	"    GPU UUID                              : GPU-0a1b2c3d-1111-4222-8333-0a1b2c3d4e5f",
	"    Board Part Number                     : 900-21001-0000-000",
	"nvidia-cublas-cu12       12.1.3.1",
	"nvidia-curand-cu12==10.3.2.106",
	"ii  libcudnn8  8.9.2.26-1+cuda12.1  amd64",
	"2026/01/13 10:26:31.123, 0, P0, 1410, 1215, 398.77, 67, 99",
	"3b:00.0 3D controller: NVIDIA Corporation GA100 [A100 SXM4 40GB] (rev a1)",
	"LnkSta: Speed 8GT/s (downgraded), Width x8 (downgraded)",
	"vermagic:       5.15.0-91-generic SMP mod_unload modversions",
	"srcversion:     7B0A8D3CD2F6C2A3B8DFD5A",
	"NCCL_DEBUG=INFO",
	"CUDA_VISIBLE_DEVICES=0,1,2,3",
	"nvcr.io/nvidia/pytorch:24.01-py3",
	"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total "
	"capacity of 39.39 GiB",
	"max_tokens=4096 num_prompt_tokens: 412",
	"Row remapper: 0 pending, bank 0x00, 12150 MHz",
	"listening on 127.0.0.1:8000",
	"pci.3d_device: 10de:2230:10de:1459, LnkCap 2.5GT/s: 1.0/0003: x",
	"ii  passwd:amd64  1:4.8.1",
	"COLLECT_LTO_WRAPPER=/usr/lib/gcc/x86_64-linux-gnu/11/lto-wrapper",
	"--build=x86_64-linux-gnu --host=x86_64-linux-gnu",
	"RMRegToken: 0x00000001",
	"The host 14.9 GiB are free, host: 14.9",
};

static void evidence_stays(void **state)
{
	struct gpudx_redact *r = new_redact(false, false);
	struct gpudx_buf b = { .max = 1 << 16 };

	(void)state;
	for (size_t i = 0; i < sizeof(evidence) / sizeof(evidence[0]); i++)
		assert_string_equal(redacted(r, &b, evidence[i]), evidence[i]);
	gpudx_redact_free(r);
	gpudx_buf_free(&b);
}

/* The same value is the same word in every line and every run with the key; another key, another. */
static void pseudonyms_are_stable(void **state)
{
	struct gpudx_buf a = { .max = 4096 }, b = { .max = 4096 };
	struct gpudx_redact *one = new_redact(false, false), *two = new_redact(false, false),
			    *other;
	struct gpudx_redact_options o = { .key = "another key" };
	struct gpudx_err err = { 0 };

	(void)state;
	redacted(one, &a, "Linux planted-h1 5.15.0 x");
	redacted(two, &b, "up planted-h1 10.0.0.9");
	redacted(two, &b, "Linux planted-h1 5.15.0 x");
	assert_string_equal(gpudx_buf_cstr(&a), gpudx_buf_cstr(&b));
	assert_int_equal(gpudx_redact_new(&o, &other, &err), GPUDX_OK);
	assert_string_not_equal(gpudx_buf_cstr(&a),
				redacted(other, &b, "Linux planted-h1 5.15.0 x"));
	gpudx_redact_free(one);
	gpudx_redact_free(two);
	gpudx_redact_free(other);
	gpudx_buf_free(&a);
	gpudx_buf_free(&b);
}

/* What one line gave away is gone from all. */
static void learnt_names_are_gone_everywhere(void **state)
{
	struct gpudx_redact *r = new_redact(false, false);
	struct gpudx_buf b = { .max = 4096 };
	struct gpudx_redacted leak;

	(void)state;
	redacted(r, &b, "/home/wendy/x");
	redacted(r, &b, "Linux planted-h1 5.15.0 x");
	gpudx_redact_settle(r);
	assert_false(sv_has(sv_str(redacted(r, &b, "NVRM: wendy on planted-h1_gpu0, wendyx")),
			    "wendy "));
	assert_false(sv_has(sv_n(b.p, b.n), "planted-h1"));
	assert_true(sv_has(sv_n(b.p, b.n), "wendyx"));
	assert_true(gpudx_redact_leak(r, SV_LIT("x (wendy)"), &leak));
	assert_true(sv_is(leak.original, "wendy"));
	assert_false(gpudx_redact_leak(r, SV_LIT("x wendyx awendy"), &leak));
	gpudx_redact_free(r);
	gpudx_buf_free(&b);
}

static void weak_values_stay_elsewhere(void **state)
{
	struct gpudx_redact *r = new_redact(false, false);
	struct gpudx_buf b = { .max = 4096 };
	struct gpudx_redacted leak;

	(void)state;
	redacted(r, &b, "/home/bob/x");
	redacted(r, &b, "password=12345");
	gpudx_redact_as(r, SV_LIT("host"), SV_LIT("thermal"), &b);
	gpudx_redact_settle(r);
	assert_string_equal(redacted(r, &b, "bob 12345 thermal"), "bob 12345 thermal");
	assert_false(gpudx_redact_leak(r, SV_LIT("bob 12345 thermal"), &leak));
	assert_int_equal(gpudx_redact_count(r), 3);
	for (size_t i = 0; i < 3; i++)
		assert_non_null(gpudx_redact_at(r, i).weak);
	gpudx_redact_free(r);
	gpudx_buf_free(&b);
}

static void common_words_are_no_names(void **state)
{
	struct gpudx_redact *r = new_redact(false, false);
	struct gpudx_buf b = { .max = 4096 };

	(void)state;
	assert_string_equal(redacted(r, &b, "Linux localhost 5.15.0 x"),
			    "Linux localhost 5.15.0 x");
	assert_string_equal(redacted(r, &b, "uid=0(root) gid=0(root)"), "uid=0(root) gid=0(root)");
	gpudx_redact_free(r);
	gpudx_buf_free(&b);
}

/* An id that is not set is nobody's, and its digits stand in masks and registers, too. */
static void unset_ids_are_no_secrets(void **state)
{
	static const char *const lines[] = { "Node GUID: 0x0000000000000000",
					     "link/ether 00:00:00:00:00:00",
					     "clocks_event_reasons.active: 0x0000000000000000" };
	struct gpudx_redact *r = new_redact(true, true);
	struct gpudx_buf b = { .max = 4096 };

	(void)state;
	gpudx_redact_fact(r, SV_LIT("platform.fabric_guid"), SV_LIT("0x0000000000000000"), &b);
	assert_string_equal(gpudx_buf_cstr(&b), "0x0000000000000000");
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		assert_string_equal(redacted(r, &b, lines[i]), lines[i]);
	assert_int_equal(gpudx_redact_count(r), 0);
	gpudx_redact_free(r);
	gpudx_buf_free(&b);
}

static void classes_by_purpose(void **state)
{
	struct gpudx_redact *ticket = new_redact(false, false), *report = new_redact(true, false),
			    *gpu = new_redact(true, true);
	struct gpudx_buf b = { .max = 4096 };

	(void)state;
	gpudx_redact_fact(ticket, SV_LIT("host.chassis_serial"), SV_LIT("CHS7777"), &b);
	gpudx_redact_fact(report, SV_LIT("host.chassis_serial"), SV_LIT("CHS7777"), &b);
	gpudx_redact_fact(report, SV_LIT("gpu.board_part"), SV_LIT("900-7777"), &b);
	gpudx_redact_fact(gpu, SV_LIT("gpu.board_part"), SV_LIT("900-7777"), &b);
	assert_true(sv_starts(sv_n(b.p, b.n), "CHS7777chassis-serial-"));
	assert_true(sv_has(sv_n(b.p, b.n), "900-7777gpu-part-"));
	assert_false(sv_has(sv_str(redacted(gpu, &b, "GPU-0a1b2c3d-1111-4222-8333-0a1b2c3d4e5f")),
			    "0a1b2c3d-1111"));
	gpudx_redact_free(ticket);
	gpudx_redact_free(report);
	gpudx_redact_free(gpu);
	gpudx_buf_free(&b);
}

/* Bytes of any kind, and a line that keeps a pattern busy, end and hold. */
static void hostile_lines(void **state)
{
	struct gpudx_redact *r = new_redact(true, true);
	struct gpudx_buf b = { .max = 4 << 20 }, line = { .max = 1 << 20 };

	(void)state;
	for (int i = 0; i < 100000; i++)
		gpudx_buf_str(&line, i % 7 ? "a." : "a@");
	gpudx_redact_text(r, sv_n(line.p, line.n), &b);
	gpudx_redact_text(r, sv_n("\x00\xff\xfe\x80=\n\n@", 8), &b);
	assert_false(b.failed);
	gpudx_redact_free(r);
	gpudx_buf_free(&b);
	gpudx_buf_free(&line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_pattern_finds_its_example),
		cmocka_unit_test(planted_secrets_are_gone),
		cmocka_unit_test(evidence_stays),
		cmocka_unit_test(pseudonyms_are_stable),
		cmocka_unit_test(learnt_names_are_gone_everywhere),
		cmocka_unit_test(weak_values_stay_elsewhere),
		cmocka_unit_test(common_words_are_no_names),
		cmocka_unit_test(unset_ids_are_no_secrets),
		cmocka_unit_test(classes_by_purpose),
		cmocka_unit_test(hostile_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
