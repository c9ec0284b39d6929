/* The shift registers: six lights out, sixteen contacts in. */
#ifndef SHIFT_H
#define SHIFT_H

#include <stdint.h>

void shift_init(void);
/* Bit 0 is box 1. */
void shift_lights(uint8_t lights);
/* A pressed button is 1; bit 0 is box1. */
uint16_t shift_contacts(void);

#endif
