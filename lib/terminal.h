/*
 * terminal: which characters must not reach one.
 */
#ifndef TPA_TERMINAL_H
#define TPA_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>

/* Controls, line separators, and what turns the direction of writing. */
bool terminal_unsafe(uint32_t code);

#endif
