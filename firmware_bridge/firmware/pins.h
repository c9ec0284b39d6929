/* Which wire goes where on an Arduino Uno or Nano (docs/panel.md, Wiring). */
#ifndef PINS_H
#define PINS_H

#include <avr/io.h>

/* Display HD44780, four-bit, R/W to ground: D4..D7 of the display on board pins D4..D7. */
#define LCD_DATA_PORT PORTD
#define LCD_DATA_DDR DDRD
#define LCD_DATA_MASK 0xF0
#define LCD_PORT PORTB
#define LCD_DDR DDRB
#define LCD_RS (1 << PB0) /* D8 */
#define LCD_E (1 << PB1)  /* D9 */

/* Box lights: 74HC595. */
#define LIGHT_PORT PORTB
#define LIGHT_DDR DDRB
#define LIGHT_DATA (1 << PB2)  /* D10 */
#define LIGHT_CLOCK (1 << PB3) /* D11 */
#define LIGHT_LATCH (1 << PB4) /* D12 */

/* Buttons: two 74HC165 in a chain, a pressed button pulls its input to ground. */
#define KEY_PORT PORTC
#define KEY_DDR DDRC
#define KEY_PIN PINC
#define KEY_LOAD (1 << PC0)  /* A0 */
#define KEY_CLOCK (1 << PC1) /* A1 */
#define KEY_DATA (1 << PC2)  /* A2 */

#endif
