/*
 * extract_report: what a trace's reader has to say about it on standard error.
 *
 * One line a kind, with the count and where the first is.
 */
#ifndef TPA_EXTRACT_REPORT_H
#define TPA_EXTRACT_REPORT_H

#include "extract_run.h"

/* What was lost; true if anything was. */
bool extract_report_damage(const struct extract *extract);

/* What is worth knowing though nothing was lost. */
void extract_report_notes(const struct extract *extract);

/* Why it is no trace at all. */
void extract_report_refusal(const struct extract *extract, enum scan_result result);

#endif
