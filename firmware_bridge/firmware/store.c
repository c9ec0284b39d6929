#include "store.h"

#include <avr/eeprom.h>
#include <string.h>

/* Sixteen characters padded with zeros, then their CRC-16. */
#define RECORD (SERIAL_MAX + 2)

static uint8_t pending[RECORD];
static uint8_t at = RECORD;

static void seal(uint8_t record[RECORD])
{
    uint16_t crc = crc16((const char *)record, SERIAL_MAX);
    record[SERIAL_MAX] = (uint8_t)(crc >> 8);
    record[SERIAL_MAX + 1] = (uint8_t)crc;
}

void store_load(char serial[SERIAL_MAX + 1])
{
    uint8_t record[RECORD], sealed[RECORD];
    eeprom_read_block(record, (const void *)0, RECORD);
    memcpy(sealed, record, RECORD);
    seal(sealed);
    memcpy(serial, record, SERIAL_MAX);
    serial[SERIAL_MAX] = 0;
    if (memcmp(record, sealed, RECORD) || !serial_good(serial, (uint8_t)strlen(serial)))
        strcpy(serial, "-");
}

void store_begin(const char serial[SERIAL_MAX + 1])
{
    memset(pending, 0, RECORD);
    memcpy(pending, serial, strlen(serial));
    seal(pending);
    at = 0;
}

void store_step(void)
{
    if (at < RECORD && eeprom_is_ready()) {
        eeprom_update_byte((uint8_t *)(uint16_t)at, pending[at]);
        at++;
    }
}
