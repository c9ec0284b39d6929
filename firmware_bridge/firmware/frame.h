/* The wire format of docs/protocol.md: reading frames from the kiosk, writing frames to it.
 * Plain C: the same file runs on the board and, in the tests, on the host. */
#ifndef FRAME_H
#define FRAME_H

#include "portable.h"

#define PROTOCOL_VERSION 1
#define MAX_LINE 96
#define MAX_BODY (MAX_LINE - 2)
#define COLUMNS 20
#define ROWS 4
#define LIGHTS 6
#define BUTTONS 16
#define SERIAL_MAX 16

/* A frame from the kiosk. `fields` is what follows the session: `length` characters, not ended by
 * a zero, valid until the next byte is pushed. */
typedef struct {
    char kind;
    uint8_t number;
    uint16_t session;
    const char *fields;
    uint8_t length;
} frame_t;

/* Counts stop at 65535. */
typedef struct {
    uint16_t frames, stray_bytes, cut, noise, overlong, bad_crc, bad_syntax, wrong_way;
} counters_t;

typedef struct {
    char body[MAX_BODY];
    uint8_t length;
    bool inside;
    counters_t counters;
} decoder_t;

/* One byte from the line; true when it completes a good frame for the panel, then in *frame. */
bool decoder_push(decoder_t *decoder, uint8_t byte, frame_t *frame);

/* How many damaged frames have come (T frames tell it). */
uint16_t decoder_faults(const decoder_t *decoder);

/* The display text of a D frame's fields, unescaped and padded with blanks. */
void frame_text(const frame_t *frame, char text[COLUMNS]);

/* The bits of an N frame's field. */
uint32_t frame_kept(const frame_t *frame);

/* A frame being written. `text` holds a whole line after line_end; nothing is ever longer. */
typedef struct {
    char text[MAX_LINE];
    uint8_t length;
} line_t;

void line_begin(line_t *line, char kind, uint8_t number, uint16_t session);
void line_word(line_t *line, const char *word);
void line_word_P(line_t *line, const char *word_in_flash);
void line_button(line_t *line, uint8_t button);
void line_decimal(line_t *line, uint32_t value);
void line_hex(line_t *line, uint16_t value);
void line_end(line_t *line);

uint16_t crc16(const char *data, uint8_t length);
bool serial_good(const char *serial, uint8_t length);

#endif
