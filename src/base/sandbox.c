#include "gpudx/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The sanitizers and gcov open files and start helpers of their own at the end. */
#if defined(__SANITIZE_ADDRESS__) || defined(GPUDX_COVERAGE)
#define SANDBOX_FITS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANDBOX_FITS 0
#endif
#endif
#ifndef SANDBOX_FITS
#define SANDBOX_FITS 1
#endif

/* ---- files: Landlock ---- */

/* Its numbers are spelt out, because headers of Debian 12 are older than the kernels that run. */
enum { LL_CREATE = 444, LL_ADD_RULE = 445, LL_RESTRICT = 446, LL_VERSION = 1, LL_BENEATH = 1 };

#define LL(bit) (UINT64_C(1) << (bit))
#define LL_EXECUTE LL(0)
#define LL_WRITE_FILE LL(1)
#define LL_READ_FILE LL(2)
#define LL_READ_DIR LL(3)
#define LL_REMOVE_FILE LL(5)
#define LL_MAKE_DIR LL(7)
#define LL_MAKE_REG LL(8)
#define LL_FIRST (LL(13) - 1) /* all of its first version */
#define LL_REFER LL(13)	      /* since version 2 */
#define LL_TRUNCATE LL(14)    /* since version 3 */

#define READ (LL_READ_FILE | LL_READ_DIR)
#define FILL (READ | LL_WRITE_FILE | LL_REMOVE_FILE | LL_MAKE_REG | LL_TRUNCATE)
#define OF_FILES (LL_EXECUTE | LL_WRITE_FILE | LL_READ_FILE | LL_TRUNCATE)

struct landlock_rules {
	uint64_t handled_access_fs;
};

/* The kernel's layout: packed. */
struct landlock_path {
	uint64_t allowed;
	int32_t parent_fd;
} __attribute__((packed));

static uint64_t handled(long version, bool any_read)
{
	uint64_t all = LL_FIRST;

	if (version >= 2)
		all |= LL_REFER;
	if (version >= 3)
		all |= LL_TRUNCATE;
	return any_read ? all & ~READ : all;
}

/* What of Landlock the kernel has; 0: nothing, or it is switched off. */
static long landlock_version(void)
{
	long v = SANDBOX_FITS ? syscall(LL_CREATE, NULL, (size_t)0, LL_VERSION) : 0;

	return v > 0 ? v : 0;
}

static void give_up(struct gpudx_sandbox *s)
{
	if (s->rules >= 0)
		close(s->rules);
	s->rules = -1;
}

/* A rule that the kernel does not take ends the list: better without than with one that is wrong. */
static void allow(struct gpudx_sandbox *s, const char *path, uint64_t what)
{
	struct landlock_path rule = { .allowed = what & s->handled };
	struct stat st;

	if (s->rules < 0)
		return;
	rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
	if (rule.parent_fd < 0)
		return;
	if (fstat(rule.parent_fd, &st) != 0)
		rule.allowed = 0;
	else if (!S_ISDIR(st.st_mode))
		rule.allowed &= OF_FILES;
	/* A pipe that is named through /dev/fd is in no file system, and always allowed. */
	if (rule.allowed && syscall(LL_ADD_RULE, s->rules, LL_BENEATH, &rule, 0) != 0 &&
	    errno != EBADFD)
		give_up(s);
	close(rule.parent_fd);
}

/* What the C library and SQLite read of their own accord. */
static void allow_system(struct gpudx_sandbox *s)
{
	static const char *const paths[] = { "/usr",	      "/lib",		"/lib64",
					     "/etc/zoneinfo", "/etc/localtime", "/dev/urandom",
					     "/dev/random" };

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		allow(s, paths[i], READ);
	allow(s, "/dev/null", LL_READ_FILE | LL_WRITE_FILE);
}

void gpudx_sandbox_open(struct gpudx_sandbox *s, bool any_read)
{
	struct landlock_rules rules = { .handled_access_fs = 0 };
	long version = landlock_version();

	s->handled = handled(version, any_read);
	rules.handled_access_fs = s->handled;
	s->rules = version ? (int)syscall(LL_CREATE, &rules, sizeof(rules), 0) : -1;
	allow_system(s);
}

void gpudx_sandbox_reads(struct gpudx_sandbox *s, const char *path)
{
	if (path && strcmp(path, "-") != 0)
		allow(s, path, READ);
}

/* "dir/name" -> "dir/", "name" -> "." */
static bool directory_of(const char *path, char dir[PATH_MAX])
{
	const char *slash = strrchr(path, '/');
	int n = slash ? snprintf(dir, PATH_MAX, "%.*s", (int)(slash - path) + 1, path)
		      : snprintf(dir, PATH_MAX, ".");

	return n > 0 && n < PATH_MAX;
}

void gpudx_sandbox_writes(struct gpudx_sandbox *s, const char *path)
{
	char dir[PATH_MAX];
	struct stat st;

	if (!path || strcmp(path, "-") == 0)
		return;
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		allow(s, path, LL_READ_FILE | LL_WRITE_FILE);
	else if (directory_of(path, dir))
		allow(s, dir, FILL);
}

void gpudx_sandbox_fills(struct gpudx_sandbox *s, const char *dir)
{
	char bare[PATH_MAX], parent[PATH_MAX];
	size_t n = dir ? strlen(dir) : 0;
	struct stat st;

	if (!n || n >= sizeof(bare))
		return;
	if (stat(dir, &st) == 0) {
		allow(s, dir, FILL);
		return;
	}
	memcpy(bare, dir, n + 1);
	while (n > 1 && bare[n - 1] == '/')
		bare[--n] = '\0';
	if (directory_of(bare, parent))
		allow(s, parent, FILL | LL_MAKE_DIR);
}

static bool restrict_files(struct gpudx_sandbox *s)
{
	bool done = s->rules >= 0 && syscall(LL_RESTRICT, s->rules, 0) == 0;

	give_up(s);
	return done;
}

/* ---- calls: seccomp ---- */

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__i386__)
#define ARCH AUDIT_ARCH_I386
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#elif defined(__arm__)
#define ARCH AUDIT_ARCH_ARM
#elif defined(__s390x__)
#define ARCH AUDIT_ARCH_S390X
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCH AUDIT_ARCH_RISCV64
#endif

#ifdef ARCH

#define LOW_HALF(arg)                                         \
	(uint32_t)(offsetof(struct seccomp_data, args[arg]) + \
		   (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0))

/* Calls that nothing here makes once it has begun to read: programs, sockets, other processes, the
 * kernel's own state, and ways around this filter. */
static const uint16_t denied[] = {
	SYS_execve,
	SYS_execveat,
#ifdef SYS_fork
	SYS_fork,
#endif
#ifdef SYS_vfork
	SYS_vfork,
#endif
	SYS_socket,
	SYS_socketpair,
	SYS_connect,
	SYS_bind,
	SYS_listen,
	SYS_accept4,
#ifdef SYS_accept
	SYS_accept,
#endif
#ifdef SYS_socketcall
	SYS_socketcall,
#endif
	SYS_ptrace,
	SYS_process_vm_readv,
	SYS_process_vm_writev,
	SYS_kcmp,
	SYS_setns,
	SYS_unshare,
	SYS_mount,
	SYS_umount2,
	SYS_pivot_root,
	SYS_chroot,
	SYS_keyctl,
	SYS_add_key,
	SYS_request_key,
	SYS_bpf,
	SYS_perf_event_open,
	SYS_userfaultfd,
	SYS_init_module,
	SYS_finit_module,
	SYS_delete_module,
	SYS_kexec_load,
	SYS_reboot,
	SYS_swapon,
	SYS_swapoff,
	SYS_acct,
	SYS_settimeofday,
	SYS_clock_settime,
	SYS_sethostname,
	SYS_setdomainname,
	SYS_syslog,
	SYS_quotactl,
	SYS_open_by_handle_at,
	SYS_name_to_handle_at,
	SYS_personality,
	425,
	426,
	427, /* io_uring: setup, enter, register */
	434,
	438, /* pidfd_open, pidfd_getfd */
};
enum { DENIED = sizeof(denied) / sizeof(denied[0]) };

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(field))
#define IF_EQUAL(k, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(k), yes, no)
#define IF_LEAST(k, yes, no) BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, (uint32_t)(k), yes, no)
#define IF_BITS(k, yes, no) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (uint32_t)(k), yes, no)
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)
#define FAIL_WITH(e) RETURN(SECCOMP_RET_ERRNO | (e))

enum {
	CLONE3 = 435,
#ifdef __s390x__
	CLONE_FLAGS = 1, /* which argument */
#else
	CLONE_FLAGS = 0,
#endif
	ALIEN = 0x40000000, /* calls of x32 on x86-64; no other machine counts so far */
};

static const struct sock_filter prologue[] = {
	LOAD(offsetof(struct seccomp_data, arch)),
	IF_EQUAL(ARCH, 1, 0),
	RETURN(SECCOMP_RET_KILL_PROCESS),
	LOAD(offsetof(struct seccomp_data, nr)),
	IF_LEAST(ALIEN, 0, 1),
	FAIL_WITH(ENOSYS),
	/* Its arguments are out of sight; libc goes on with clone. */
	IF_EQUAL(CLONE3, 0, 1),
	FAIL_WITH(ENOSYS),
	/* Threads yes, processes no. */
	IF_EQUAL(SYS_clone, 0, 4),
	LOAD(LOW_HALF(CLONE_FLAGS)),
	IF_BITS(CLONE_THREAD, 0, 1),
	RETURN(SECCOMP_RET_ALLOW),
	FAIL_WITH(EPERM),
	/* No typing at the terminal of whoever started this. */
	IF_EQUAL(SYS_ioctl, 0, 4),
	LOAD(LOW_HALF(1)),
	IF_EQUAL(TIOCSTI, 0, 1),
	FAIL_WITH(EPERM),
	RETURN(SECCOMP_RET_ALLOW),
};
enum { PROLOGUE = sizeof(prologue) / sizeof(prologue[0]) };

static bool restrict_calls(void)
{
	struct sock_filter code[PROLOGUE + 2 * DENIED + 1];
	struct sock_fprog program = { .filter = code };

	memcpy(code, prologue, sizeof(prologue));
	program.len = PROLOGUE;
	for (size_t i = 0; i < DENIED; i++) {
		code[program.len++] = (struct sock_filter)IF_EQUAL(denied[i], 0, 1);
		code[program.len++] = (struct sock_filter)FAIL_WITH(EPERM);
	}
	code[program.len++] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
	return SANDBOX_FITS && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

#else

static bool restrict_calls(void)
{
	return false;
}

#endif

unsigned gpudx_sandbox_enter(struct gpudx_sandbox *s)
{
	unsigned holds = 0;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
		give_up(s);
		return 0;
	}
	if (restrict_files(s))
		holds |= GPUDX_SANDBOX_FILES;
	if (restrict_calls())
		holds |= GPUDX_SANDBOX_CALLS;
	return holds;
}
