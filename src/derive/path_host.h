/* Hosts that only paths name: "node01/dmesg.txt" beside "node02/dmesg.txt". */
#ifndef GPUDX_PATH_HOST_H
#define GPUDX_PATH_HOST_H

#include "base/arena.h"
#include "base/sv.h"

struct gpudx_path_host {
	struct gpudx_sv path; /* in */
	struct gpudx_sv name; /* out: the part of the path that names its host; .p NULL none */
	bool lone; /* only its make says so: a name like those of other hosts, if there are such */
};

/* Fills in the names. A word of a path names a host when it looks like a host's name and either
 * says so ("sosreport-NAME-DATE") or the same path, or directory, is there with another such word in
 * its place; words that could number anything must do so in two kinds of files. False when memory is
 * out. */
bool gpudx_path_hosts(struct gpudx_arena *a, struct gpudx_path_host *v, size_t n);

/* The letters in front of the number that ends a host's name: "gpu" of "gpu-17"; .p NULL none. */
struct gpudx_sv gpudx_host_stem(struct gpudx_sv name);

/* The word stands in the path, letters' case apart, and nothing that could be more of it around it. */
bool gpudx_path_has(struct gpudx_sv path, struct gpudx_sv word);

#endif
