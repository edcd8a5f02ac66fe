/*
 * extract_header: what stands around the events: rank, world size, devices, clock.
 *
 * They are read with the same tolerance as events: what is wrong with one value
 * does not hide the others.
 */
#ifndef TPA_EXTRACT_HEADER_H
#define TPA_EXTRACT_HEADER_H

#include "extract_run.h"

/* More names of devices are not kept. */
#define DEVICES_MAX 64

/* A top-level value other than the events, as it stands in the trace. */
void extract_header_value(struct extract *extract, const char *key, const char *text,
			  size_t length);

#endif
