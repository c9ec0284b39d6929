#include "keys.h"

/* The event of one key in this sample, or 0. Times fit 16 bits: the longest wait is 15 s, and what
 * is past is remembered in the `told` bits. */
static char step(keys_t *keys, uint8_t key, bool raw, uint16_t now)
{
    uint16_t bit = (uint16_t)(1u << key);
    bool was_raw = keys->raw & bit, down = keys->down & bit;
    if (raw != was_raw) {
        keys->raw ^= bit;
        keys->since[key] = now;
    } else if (keys->before & bit) {
        if ((uint16_t)(now - keys->since[key]) < BOUNCE_MS)
            return 0;
        keys->down = raw ? keys->down | bit : keys->down & (uint16_t)~bit;
        if (!raw)
            keys->before &= (uint16_t)~bit;
        return 0;
    } else if (raw != down && (uint16_t)(now - keys->since[key]) >= BOUNCE_MS) {
        keys->down ^= bit;
        keys->told_long &= (uint16_t)~bit;
        keys->told_stuck &= (uint16_t)~bit;
        keys->pressed_at[key] = now;
        return raw ? 'P' : 'R';
    }
    if (!(keys->down & bit) || ((keys->told_stuck | keys->before) & bit))
        return 0;
    uint16_t held = (uint16_t)(now - keys->pressed_at[key]);
    if (!(keys->told_long & bit)) {
        if (held < LONG_MS)
            return 0;
        keys->told_long |= bit;
        return 'L';
    }
    if (held < STUCK_MS)
        return 0;
    keys->told_stuck |= bit;
    return 'S';
}

void keys_sample(keys_t *keys, uint16_t mask, uint32_t now, void (*event)(key_event_t, uint32_t))
{
    if (!keys->begun)
        keys->before = mask;
    keys->begun = true;
    for (uint8_t key = 0; key < BUTTONS; key++) {
        char kind = step(keys, key, mask >> key & 1, (uint16_t)now);
        if (kind)
            event((key_event_t){kind, key}, now);
    }
}
