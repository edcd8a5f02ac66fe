/*
 * extract_header: what stands around the events: rank, world size, devices, clock.
 *
 * The few values that matter are read by json-c; they are small, and it is not
 * the hot path.
 */
#ifndef TPA_EXTRACT_HEADER_H
#define TPA_EXTRACT_HEADER_H

#include "extract_run.h"

/* A top-level value other than the events, as it stands in the trace. */
void extract_header_value(struct extract *extract, const char *key, const char *text,
			  size_t length);

#endif
