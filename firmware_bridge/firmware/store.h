/* The panel's serial number in EEPROM, with a check so that an empty or torn one is not believed. */
#ifndef STORE_H
#define STORE_H

#include "session.h"

/* The number stored, or "-". */
void store_load(char serial[SERIAL_MAX + 1]);
/* Begin to store a number; store_step does the work, a byte at a time. */
void store_begin(const char serial[SERIAL_MAX + 1]);
void store_step(void);

#endif
