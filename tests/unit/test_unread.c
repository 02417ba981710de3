#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "head.h"
#include "ingest/unread.h"

static void expect(const char *text, const char *reason)
{
	struct test_head h;
	const char *got = gpudx_unread_look(test_head(&h, text, ""));

	if (!got)
		got = "nothing";
	if (strncmp(got, reason, strlen(reason)) != 0)
		fail_msg("%s instead of %s", got, reason);
}

static void other_makers_are_named(void **state)
{
	(void)state;
	expect("======= ROCm System Management Interface =======\nGPU  Temp\n0    41c\n",
	       "of AMD GPUs");
	expect("\n+------+\n| AMD-SMI 25.3.0  amdgpu version: 6.12  |\n", "of AMD GPUs");
	expect("| HL-SMI Version:   hl-1.18.0-fw-53.1.1.1   |\n", "of Gaudi");
	expect("| npu-smi 23.0.rc3     Version: 23.0.rc3     |\n", "of Ascend");
}

static void tables_without_time_are_no_traces(void **state)
{
	(void)state;
	expect("Clock (MHz),Voltage (mV),Memory (MHz)\n1755,850.0,1593\n1740,845.0,1593\n"
	       "1725,843.8,1593\n",
	       "a table of numbers");
	expect("batch;loss\n1;0.25\n2;0.125\n3;0.0625\n", "a table of numbers");
	expect("x\ty\n1\t2\n3\t4\n5\t6\n", "a table of numbers");
	expect("a,b\n1,2\n3\n", "nothing");
	expect("name,mark\nx,1\ny,2\nz,3\n", "nothing");
	expect("1,2\n3,4\n5,6\n7,8\n", "nothing");
}

static void other_files_are_called_what_they_are(void **state)
{
	(void)state;
	expect("<!DOCTYPE html>\n<html lang=\"en\">\n", "a web page");
	expect("#!/bin/bash\nset -e\n", "a script");
	expect("{\n  \"answer\": 42\n}\n", "JSON of no known kind");
	expect("[{\"answer\": 42}]\n", "JSON of no known kind");
	expect("<?xml version=\"1.0\"?>\n<project/>\n", "XML of no known kind");
	expect("-----BEGIN CERTIFICATE-----\nMIIB\n", "a key or certificate");
	expect("Dear colleague,\nthe node hangs again.\n", "nothing");
	expect("", "nothing");
	expect("\n\n\n", "nothing");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(other_makers_are_named),
		cmocka_unit_test(tables_without_time_are_no_traces),
		cmocka_unit_test(other_files_are_called_what_they_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
