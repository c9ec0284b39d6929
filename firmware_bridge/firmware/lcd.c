#include "lcd.h"

#include "pins.h"

#include <util/delay.h>

static const uint8_t ROW_START[ROWS] PROGMEM = {0x00, 0x40, 0x14, 0x54};

static void nibble(uint8_t value)
{
    LCD_DATA_PORT = (uint8_t)((LCD_DATA_PORT & ~LCD_DATA_MASK) | (value & LCD_DATA_MASK));
    _delay_us(1);
    LCD_PORT |= LCD_E;
    _delay_us(1);
    LCD_PORT &= (uint8_t)~LCD_E;
}

static void write(uint8_t value, bool is_character)
{
    if (is_character)
        LCD_PORT |= LCD_RS;
    else
        LCD_PORT &= (uint8_t)~LCD_RS;
    nibble(value);
    nibble((uint8_t)(value << 4));
    _delay_us(45);
}

void lcd_init(void)
{
    LCD_DATA_DDR |= LCD_DATA_MASK;
    LCD_DDR |= LCD_RS | LCD_E;
    _delay_ms(50);
    /* Three times eight-bit, then four-bit: from any state, as the data sheet asks. */
    LCD_PORT &= (uint8_t)~LCD_RS;
    nibble(0x30);
    _delay_ms(5);
    nibble(0x30);
    _delay_us(200);
    nibble(0x30);
    _delay_us(200);
    nibble(0x20);
    _delay_us(200);
    write(0x28, false); /* four-bit, two lines (four rows are two lines folded), 5x8 */
    write(0x0C, false); /* on, no cursor */
    write(0x06, false); /* to the right */
    write(0x01, false); /* clear */
    _delay_ms(2);
}

void lcd_step(const char text[ROWS][COLUMNS], uint8_t *dirty)
{
    static uint8_t row = ROWS, column;
    if (row == ROWS) {
        for (row = 0; row < ROWS && !(*dirty & (1 << row)); row++)
            ;
        if (row == ROWS)
            return;
        /* Cleared first: a text that changes meanwhile marks the row anew. */
        *dirty &= (uint8_t)~(1 << row);
        column = 0;
        write(0x80 | pgm_read_byte(&ROW_START[row]), false);
        return;
    }
    write((uint8_t)text[row][column], true);
    if (++column == COLUMNS)
        row = ROWS;
}
