#include "shift.h"

#include "pins.h"

#include <util/delay.h>

void shift_init(void)
{
    LIGHT_DDR |= LIGHT_DATA | LIGHT_CLOCK | LIGHT_LATCH;
    KEY_DDR |= KEY_LOAD | KEY_CLOCK;
    KEY_DDR &= (uint8_t)~KEY_DATA;
    KEY_PORT |= KEY_LOAD;
    shift_lights(0);
}

void shift_lights(uint8_t lights)
{
    for (uint8_t bit = 0x80; bit; bit >>= 1) {
        if (lights & bit)
            LIGHT_PORT |= LIGHT_DATA;
        else
            LIGHT_PORT &= (uint8_t)~LIGHT_DATA;
        LIGHT_PORT |= LIGHT_CLOCK;
        LIGHT_PORT &= (uint8_t)~LIGHT_CLOCK;
    }
    LIGHT_PORT |= LIGHT_LATCH;
    LIGHT_PORT &= (uint8_t)~LIGHT_LATCH;
}

uint16_t shift_contacts(void)
{
    uint16_t contacts = 0;
    KEY_PORT &= (uint8_t)~KEY_LOAD;
    _delay_us(1);
    KEY_PORT |= KEY_LOAD;
    for (uint8_t bit = 0; bit < 16; bit++) {
        _delay_us(1);
        contacts = (uint16_t)(contacts << 1 | !(KEY_PIN & KEY_DATA));
        KEY_PORT |= KEY_CLOCK;
        KEY_PORT &= (uint8_t)~KEY_CLOCK;
    }
    return contacts;
}
