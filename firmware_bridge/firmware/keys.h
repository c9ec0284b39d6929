/* Sixteen contacts become key events: bounce, long press, stuck key (docs/protocol.md, Buttons).
 * Plain C; the Python twin is firmware_bridge/keys.py. */
#ifndef KEYS_H
#define KEYS_H

#include "session.h"

#define BOUNCE_MS 10
#define LONG_MS 800
#define STUCK_MS 15000

typedef struct {
    uint16_t raw, down;
    bool begun;
    uint16_t before; /* down as the panel started: silent until let go */
    uint16_t told_long, told_stuck;
    uint16_t since[BUTTONS], pressed_at[BUTTONS]; /* low half of the millisecond counter */
} keys_t;

/* One sample of all contacts (bit 0 is box1); `event` is called for each event in bit order. */
void keys_sample(keys_t *keys, uint16_t mask, uint32_t now, void (*event)(key_event_t, uint32_t));

#endif
