#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "walk.h"

#include <sys/socket.h>
#include <sys/un.h>

#include "bundle/container.h"

/* ---- magic ---- */

static const char *kind_of(const char *bytes, size_t n)
{
	return gpudx_container_of(sv_n(bytes, n))->name;
}

static void takes_text_for_text(void **state)
{
	static const char *const texts[] = {
		"begin 644 log.txt\n#0V%T\n`\nend\n",
		"#mtree\n/set type=file uid=0\n./a size=3\n",
		"torch 2.1.0+cu121\ncuda 12.1 size=3 type=file mode=644\n",
		"PK is how zip files begin\n",
		"BZhang wrote this\n",
		"BZh91AY and so on\n",
		"0707 is a number\n",
		"!<archive>\n",
		"7z is a program\n",
		"WARC/1.0\r\nWARC-Type: warcinfo\r\n",
		"<xar>\n",
		"",
		"\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_string_equal(kind_of(texts[i], strlen(texts[i])), "text");
}

static void knows_what_is_not_to_be_read(void **state)
{
	/* clang-format off */
	static const struct {
		struct gpudx_sv head;
		const char *is;
	} files[] = {
		{ SV("\x89PNG\r\n\x1a\n----"), "PNG picture" },
		{ SV("\x7f" "ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0>\0"), "ELF binary" },
		{ SV("\x7f" "ELF\2\1\1\0\0\0\0\0\0\0\0\0\4\0>\0"), "core dump" },
		{ SV("\x7f" "ELF\2\2\1\0\0\0\0\0\0\0\0\0\0\4\0>"), "core dump" },
		{ SV("\x7f" "ELF\2\1\1"), "ELF binary" },
		{ SV("SQLite format 3\0--"), "SQLite database" },
		{ SV("LPKSHHRH\0\0"), "binary systemd journal" },
		{ SV("\xa1\xb2\xc3\xd4\0\2\0\4"), "packet capture" },
		{ SV("\x0a\x0d\x0d\x0a\0\0\0\x1c"), "packet capture" },
		{ SV("%PDF-1.7\n%\xe2\xe3"), "PDF document" },
		{ SV("KDUMP   \6\0\0\0"), "kernel crash dump" },
		{ SV("NVR\0\1\0"), "Nsight Compute report" },
		{ SV("\x96\xd5\x75\x21"), "binary sar data" },
		{ SV("\x80\4\x95\x10\0"), "Python pickle" },
		{ SV("\x80\2}q\0"), "Python pickle" },
		{ SV("Rar!\x1a\x07\x01"), "rar archive" },
	};
	/* clang-format on */

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		assert_string_equal(kind_of(files[i].head.p, files[i].head.n), files[i].is);
}

/* Whatever the bytes, the table names one thing and never reads beyond them. */
static void judges_any_short_head(void **state)
{
	(void)state;
	for (size_t n = 0; n <= 600; n++) {
		char *head = malloc(n + 1);

		assert_non_null(head);
		for (size_t i = 0; i < n; i++)
			head[i] = (char)(i * 151 + n);
		assert_non_null(kind_of(head, n));
		free(head);
	}
}

/* ---- archives ---- */

static void reads_every_format(void **state)
{
	static const struct {
		const char *format, *filter, *want;
	} v[] = {
		{ "ustar", NULL, "d/a.txt: one\nb.txt: two\n" },
		{ "pax", "gzip", "d/a.txt: one\nb.txt: two\n" },
		{ "ustar", "xz", "d/a.txt: one\nb.txt: two\n" },
		{ "ustar", "bzip2", "d/a.txt: one\nb.txt: two\n" },
		{ "gnutar", "zstd", "d/a.txt: one\nb.txt: two\n" },
		{ "v7tar", "lz4", "d/a.txt: one\nb.txt: two\n" },
		{ "zip", NULL, "d/a.txt: one\nb.txt: two\n" },
		{ "7zip", NULL, "d/a.txt: one\nb.txt: two\n" },
		{ "newc", NULL, "d/a.txt: one\nb.txt: two\n" },
		{ "odc", "gzip", "d/a.txt: one\nb.txt: two\n" },
		{ "zip", "gzip", "d/a.txt: one\nb.txt: two\n" },
		{ "7zip", "gzip", "d/a.txt: one\nb.txt: two\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		struct packing p;

		pack_begin(&p, v[i].format, v[i].filter);
		pack_text(&p, "d/a.txt", "one");
		pack_text(&p, "b.txt", "two");
		pack_file(&p, "bundle");
		pack_free(&p);
		expect_walk("bundle", v[i].want);
	}
}

static void reads_one_compressed_file(void **state)
{
	static const char *const filters[] = { "gzip", "xz", "bzip2", "zstd", "lz4" };

	(void)state;
	for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
		struct packing p;

		pack_begin(&p, "raw", filters[i]);
		pack_text(&p, "x", "content");
		pack_file(&p, "log.x");
		pack_free(&p);
		expect_walk("log.x", "log.x: content\n");
	}
}

static void names_what_is_nested_behind_its_archive(void **state)
{
	struct packing inner, outer;
	struct gpudx_sv s;

	(void)state;
	pack_begin(&inner, "zip", NULL);
	pack_text(&inner, "in.txt", "deep");
	s = pack_end(&inner);
	pack_begin(&outer, "ustar", "gzip");
	pack_text(&outer, "a.txt", "flat");
	pack_entry(&outer, "n/inner.zip", 0, NULL, s.p, s.n);
	pack_text(&outer, "z.txt", "last");
	pack_file(&outer, "outer.tgz");
	pack_free(&inner);
	pack_free(&outer);
	expect_walk("outer.tgz", "a.txt: flat\nn/inner.zip/in.txt: deep\nz.txt: last\n");
}

/* The names are labels: nothing is opened or made by them. */
static void takes_names_for_labels_only(void **state)
{
	struct packing p;

	(void)state;
	pack_begin(&p, "ustar", NULL);
	pack_text(&p, "../../escape", "up");
	pack_text(&p, "/etc/absolute", "abs");
	pack_text(&p, "caf\xe9", "latin");
	pack_text(&p, "a\nb\033[1m", "control");
	pack_file(&p, "names.tar");
	pack_free(&p);
	expect_walk("names.tar",
		    "../../escape: up\n/etc/absolute: abs\ncaf\xe9: latin\na\nb\033[1m: control\n");
	assert_int_equal(access("../../escape", F_OK), -1);
	assert_int_equal(access("/etc/absolute", F_OK), -1);
}

static void lists_links_and_special_files(void **state)
{
	struct packing p;

	(void)state;
	pack_begin(&p, "ustar", NULL);
	pack_text(&p, "a", "x");
	pack_entry(&p, "hard", 0, "a", NULL, 0);
	pack_entry(&p, "soft", AE_IFLNK, "/etc/passwd", NULL, 0);
	pack_entry(&p, "pipe", AE_IFIFO, NULL, NULL, 0);
	pack_entry(&p, "dev", AE_IFCHR, NULL, NULL, 0);
	pack_entry(&p, "dir", AE_IFDIR, NULL, NULL, 0);
	pack_file(&p, "links.tar");
	pack_free(&p);
	expect_walk("links.tar", "a: x\nhard! hard link\nsoft! symbolic link\npipe! named pipe\n"
				 "dev! device or special file\n");
}

static void gives_what_was_good_of_a_cut_archive(void **state)
{
	struct walked w = { .rc = GPUDX_OK };
	struct packing p;
	struct gpudx_sv s;

	(void)state;
	pack_begin(&p, "ustar", NULL);
	pack_text(&p, "a", "first");
	pack_text(&p, "b", "second");
	s = pack_end(&p);
	write_file("cut.tar", s.p, 512 * 3 + 3);
	pack_free(&p);
	walk_path(&w, "cut.tar");
	assert_int_equal(w.rc, GPUDX_OK);
	assert_non_null(strstr(w.text.p, "a: first\nb: sec"));
	assert_non_null(strstr(w.text.p, "? "));
	walked_free(&w);
}

/* libarchive throws away what it has when an error follows; the line that matters is the last one.
 */
static void gives_what_was_good_of_a_cut_filter(void **state)
{
	static const char *const filters[] = { "gzip", "xz", "bzip2", "zstd" };
	struct gpudx_buf text = { .max = 4 << 20 };
	unsigned seed = 1;

	(void)state;
	while (text.n < 3000000) {
		seed = seed * 1103515245 + 12345;
		gpudx_buf_printf(&text, "%08x\n", seed);
	}
	for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
		struct walked w = { .rc = GPUDX_OK };
		struct packing p;
		struct gpudx_sv s;

		pack_begin(&p, "raw", filters[i]);
		pack_entry(&p, "x", 0, NULL, text.p, text.n);
		s = pack_end(&p);
		write_file("cut.x", s.p, s.n - s.n / 10);
		pack_free(&p);
		walk_path(&w, "cut.x");
		assert_int_equal(w.rc, GPUDX_OK);
		assert_non_null(strstr(w.text.p, "cut.x? "));
		/* Of bzip2 only whole blocks of 900 kB can be had. */
		if (w.content < (strcmp(filters[i], "bzip2") ? 2500000 : 1700000))
			fail_msg("%s: only %llu bytes", filters[i], (unsigned long long)w.content);
		walked_free(&w);
	}
	gpudx_buf_free(&text);
}

/* ---- limits ---- */

static void says_when_containers_are_nested_too_deeply(void **state)
{
	struct walked w = { .rc = GPUDX_OK };
	struct gpudx_buf b = { .max = 1 << 20 };

	(void)state;
	gpudx_buf_str(&b, "bottom");
	for (int i = 0; i < 12; i++) {
		struct packing p;
		struct gpudx_sv s;

		pack_begin(&p, "raw", "gzip");
		pack_entry(&p, "x", 0, NULL, b.p, b.n);
		s = pack_end(&p);
		gpudx_buf_clear(&b);
		gpudx_buf_sv(&b, s);
		pack_free(&p);
	}
	write_file("deep.gz", b.p, b.n);
	walk_path(&w, "deep.gz");
	assert_string_equal(w.text.p,
			    "deep.gz? limit: containers nested too deeply\ndeep.gz! gzip\n");
	walked_free(&w);
	gpudx_buf_free(&b);
}

static void says_when_there_are_too_many_members(void **state)
{
	struct walked w = { .budget = gpudx_budget_default };
	struct packing p;

	(void)state;
	pack_begin(&p, "ustar", NULL);
	for (int i = 0; i < 20; i++) {
		char name[16];

		snprintf(name, sizeof(name), "m%d", i);
		pack_text(&p, name, "x");
	}
	pack_file(&p, "many.tar");
	pack_free(&p);
	w.budget.members_max = 5;
	walk_path(&w, "many.tar");
	assert_int_equal(w.res.members, 5);
	assert_string_equal(w.budget.hit, "more members than allowed");
	walked_free(&w);
}

static void ends_bombs_of_every_kind(void **state)
{
	static const char *const kinds[][2] = { { "raw", "gzip" },  { "raw", "xz" },
						{ "raw", "bzip2" }, { "raw", "zstd" },
						{ "zip", NULL },    { "7zip", NULL },
						{ "ustar", "gzip" } };
	char *zeros = malloc(32 << 20);

	(void)state;
	assert_non_null(zeros);
	memset(zeros, '0', 32 << 20);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct walked w = { .budget = gpudx_budget_default };
		struct packing p;

		pack_begin(&p, kinds[i][0], kinds[i][1]);
		pack_entry(&p, "zeros", 0, NULL, zeros, 32 << 20);
		pack_file(&p, "bomb");
		pack_free(&p);
		w.budget.ratio_after = 2 << 20;
		walk_path(&w, "bomb");
		assert_int_equal(w.rc, GPUDX_OK);
		if (!w.budget.hit || w.content > 20 << 20)
			fail_msg("%s+%s: %llu bytes came out", kinds[i][0],
				 kinds[i][1] ? kinds[i][1] : "", (unsigned long long)w.content);
		assert_non_null(strstr(w.text.p, "? limit: compressed far beyond"));
		walked_free(&w);
	}
	free(zeros);
}

static void bounds_all_that_is_decoded(void **state)
{
	struct walked w = { .budget = gpudx_budget_default };
	char text[1000];
	struct packing p;

	(void)state;
	memset(text, 'x', sizeof(text));
	pack_begin(&p, "ustar", NULL);
	for (int i = 0; i < 50; i++)
		pack_entry(&p, "m", 0, NULL, text, sizeof(text));
	pack_file(&p, "much.tar");
	pack_free(&p);
	w.budget.decoded_max = 10000;
	walk_path(&w, "much.tar");
	assert_in_range(w.content, 9000, 10000);
	assert_non_null(w.budget.hit);
	walked_free(&w);
}

/* The window stands in the header; the data behind it need not be there. */
static void refuses_an_xz_that_demands_much_memory(void **state)
{
	static const unsigned char xz[] = { 0xfd, '7', 'z', 'X',  'Z', 0,  0, 4, 0xe6, 0xd6, 0xb4,
					    0x46, 2,   0,   0x21, 1,   40, 0, 0, 0,    0,    0,
					    0,	  0,   0,   0,	  0,   0,  0, 0, 0,    0 };
	struct walked w = { .rc = GPUDX_OK };

	(void)state;
	write_file("big.xz", xz, sizeof(xz));
	walk_path(&w, "big.xz");
	assert_non_null(
		strstr(w.text.p, "the decoder would need 4095 MiB of memory, 160 MiB are allowed"));
	walked_free(&w);
}

/* A sparse entry of old GNU tar whose blocks go backwards: libarchive asks to try again for ever.
 */
static void does_not_wait_for_sparse_blocks_out_of_order(void **state)
{
	unsigned char tar[2048] = { 0 };
	struct walked w = { .rc = GPUDX_OK };
	unsigned sum = 0;

	(void)state;
	memcpy(tar, "sparse", 6);
	memcpy(tar + 100, "0000644", 8);
	memcpy(tar + 108, "0000000", 8);
	memcpy(tar + 116, "0000000", 8);
	memcpy(tar + 124, "00000000020", 12);
	memcpy(tar + 136, "00000000000", 12);
	tar[156] = 'S';
	memcpy(tar + 257, "ustar  ", 8);
	memcpy(tar + 386,
	       "00000000100"
	       "\0"
	       "00000000010",
	       24); /* at 64, 8 bytes */
	memcpy(tar + 386 + 24,
	       "00000000000"
	       "\0"
	       "00000000010",
	       24); /* at 0, 8 bytes */
	memcpy(tar + 483, "00000000200", 12);
	memset(tar + 148, ' ', 8);
	for (int i = 0; i < 512; i++)
		sum += tar[i];
	snprintf((char *)tar + 148, 8, "%06o", sum);
	memcpy(tar + 512, "01234567abcdefgh", 16);
	write_file("sparse.tar", tar, sizeof(tar));
	alarm(20);
	walk_path(&w, "sparse.tar");
	alarm(0);
	assert_int_equal(w.rc, GPUDX_OK);
	assert_true(sv_has(sv_n(w.text.p, w.text.n),
			   "sparse? pieces of a sparse file are out of order"));
	walked_free(&w);
}

/* ---- directories ---- */

static void make_socket(const char *path)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(a.sun_path, sizeof(a.sun_path), "%s", path);
	assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	close(fd);
}

static void walks_a_directory_without_waiting_or_following(void **state)
{
	(void)state;
	assert_int_equal(mkdir("dir", 0755) | mkdir("dir/sub", 0755), 0);
	write_file("dir/b.log", "bb", 2);
	write_file("dir/sub/a.log", "aa", 2);
	assert_int_equal(mkfifo("dir/pipe", 0644), 0);
	assert_int_equal(symlink("..", "dir/sub/loop"), 0);
	assert_int_equal(symlink("/etc/passwd", "dir/link"), 0);
	make_socket("dir/socket");
	alarm(20);
	expect_walk("dir", "b.log: bb\nlink! symbolic link\npipe! named pipe\nsocket! socket\n"
			   "sub/a.log: aa\nsub/loop! symbolic link\n");
	expect_walk("dir/", "b.log: bb\nlink! symbolic link\npipe! named pipe\nsocket! socket\n"
			    "sub/a.log: aa\nsub/loop! symbolic link\n");
	alarm(0);
}

static void says_what_it_may_not_read(void **state)
{
	struct walked w = { .rc = GPUDX_OK };

	(void)state;
	assert_int_equal(mkdir("closed", 0755) | mkdir("closed/dir", 0000), 0);
	write_file("closed/file", "x", 1);
	assert_int_equal(chmod("closed/file", 0000), 0);
	/* root may read everything: be nobody */
	if (geteuid() == 0)
		assert_int_equal(seteuid(65534), 0);
	walk_path(&w, "closed");
	if (getuid() == 0)
		assert_int_equal(seteuid(0), 0);
	assert_non_null(strstr(w.text.p, "dir? Permission denied"));
	assert_non_null(strstr(w.text.p, "file? Permission denied"));
	walked_free(&w);
}

static void gives_a_directory_the_same_digest_as_its_copy(void **state)
{
	struct walked a = { .rc = GPUDX_OK }, b = { .rc = GPUDX_OK }, c = { .rc = GPUDX_OK };

	(void)state;
	assert_int_equal(mkdir("one", 0755) | mkdir("two", 0755), 0);
	write_file("one/x", "1", 1);
	write_file("one/y", "2", 1);
	write_file("two/y", "2", 1);
	write_file("two/x", "1", 1);
	walk_path(&a, "one");
	walk_path(&b, "two");
	assert_string_equal(a.res.digest, b.res.digest);
	assert_int_equal(a.stored, 2);
	write_file("two/x", "3", 1);
	walk_path(&c, "two");
	assert_string_not_equal(a.res.digest, c.res.digest);
	walked_free(&a);
	walked_free(&b);
	walked_free(&c);
}

/* A directory, an archive and a file, each below a name of its own; the digest of each is what it is
 * alone, so that a reader can tell which files he was sent. */
static void keeps_several_inputs_apart(void **state)
{
	struct walked all = { .rc = GPUDX_OK }, dir = { .rc = GPUDX_OK }, tar = { .rc = GPUDX_OK };
	const char *const paths[] = { "before/", "after.tar", "before/x" };
	struct packing p;
	char *text;

	(void)state;
	assert_int_equal(mkdir("before", 0755), 0);
	write_file("before/x", "1", 1);
	pack_begin(&p, "ustar", NULL);
	pack_text(&p, "d/x", "2");
	pack_file(&p, "after.tar");
	pack_free(&p);
	walk_path(&dir, "before");
	walk_path(&tar, "after.tar");
	walk_paths(&all, paths, 3);
	assert_int_equal(all.rc, GPUDX_OK);
	assert_true(asprintf(&text,
			     "1-before/x: 1\n= 1-before %s\n2-after.tar/d/x: 2\n= 2-after.tar %s\n"
			     "3-x/x: 1\n= 3-x ",
			     dir.res.digest, tar.res.digest) > 0);
	assert_int_equal(strncmp(all.text.p, text, strlen(text)), 0);
	assert_int_equal(strlen(all.res.digest), 64);
	assert_int_equal(all.res.members, 3);
	free(text);
	walked_free(&all);
	walked_free(&dir);
	walked_free(&tar);
}

static void ends_in_deep_directories(void **state)
{
	char path[800] = "deepdir";
	struct walked w = { .rc = GPUDX_OK };

	(void)state;
	for (int i = 0; i < 80; i++) {
		assert_int_equal(mkdir(path, 0755), 0);
		snprintf(path + strlen(path), sizeof(path) - strlen(path), "/d");
	}
	walk_path(&w, "deepdir");
	assert_int_equal(w.rc, GPUDX_OK);
	assert_non_null(strstr(w.text.p, "? limit: directories nested too deeply"));
	walked_free(&w);
}

static void tells_a_path_that_is_not_there_from_one_that_cannot_be_read(void **state)
{
	struct walked w = { .rc = GPUDX_OK };

	(void)state;
	walk_path(&w, "nowhere");
	assert_int_equal(w.rc, GPUDX_E_USAGE);
	make_socket("sock");
	walk_path(&w, "sock");
	assert_int_equal(w.rc, GPUDX_E_INPUT);
	assert_int_equal(mkfifo("quiet", 0644), 0);
	alarm(20);
	walk_path(&w, "quiet");
	alarm(0);
	assert_int_equal(w.rc, GPUDX_E_INPUT);
	walked_free(&w);
}

static void calls_a_bundle_by_its_base_name(void **state)
{
	(void)state;
	assert_true(sv_is(gpudx_bundle_label("-"), "stdin"));
	assert_true(sv_is(gpudx_bundle_label("a/b.tgz"), "b.tgz"));
	assert_true(sv_is(gpudx_bundle_label("a/b/"), "b"));
	assert_true(sv_is(gpudx_bundle_label("/"), "/"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_text_for_text),
		cmocka_unit_test(knows_what_is_not_to_be_read),
		cmocka_unit_test(judges_any_short_head),
		cmocka_unit_test(reads_every_format),
		cmocka_unit_test(reads_one_compressed_file),
		cmocka_unit_test(names_what_is_nested_behind_its_archive),
		cmocka_unit_test(takes_names_for_labels_only),
		cmocka_unit_test(lists_links_and_special_files),
		cmocka_unit_test(gives_what_was_good_of_a_cut_archive),
		cmocka_unit_test(gives_what_was_good_of_a_cut_filter),
		cmocka_unit_test(says_when_containers_are_nested_too_deeply),
		cmocka_unit_test(says_when_there_are_too_many_members),
		cmocka_unit_test(ends_bombs_of_every_kind),
		cmocka_unit_test(bounds_all_that_is_decoded),
		cmocka_unit_test(refuses_an_xz_that_demands_much_memory),
		cmocka_unit_test(does_not_wait_for_sparse_blocks_out_of_order),
		cmocka_unit_test(walks_a_directory_without_waiting_or_following),
		cmocka_unit_test(says_what_it_may_not_read),
		cmocka_unit_test(gives_a_directory_the_same_digest_as_its_copy),
		cmocka_unit_test(keeps_several_inputs_apart),
		cmocka_unit_test(ends_in_deep_directories),
		cmocka_unit_test(tells_a_path_that_is_not_there_from_one_that_cannot_be_read),
		cmocka_unit_test(calls_a_bundle_by_its_base_name),
	};

	return cmocka_run_group_tests_name("walk", tests, own_dir_enter, own_dir_leave);
}
