/* Constants live in flash on the board and in plain memory on the host. */
#ifndef PORTABLE_H
#define PORTABLE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __AVR__
#include <avr/pgmspace.h>
#else
#define PROGMEM
#define PSTR(text) (text)
#define pgm_read_byte(at) (*(const uint8_t *)(at))
#endif

#endif
