/* The 20x4 display, written one character at a time so that nothing else has to wait. */
#ifndef LCD_H
#define LCD_H

#include "session.h"

void lcd_init(void);
/* Write at most one character of the rows marked dirty; clears a row's mark when it is done. */
void lcd_step(const char text[ROWS][COLUMNS], uint8_t *dirty);

#endif
