#include "frame.h"

#include <string.h>

static const char HEX_DIGITS[] PROGMEM = "0123456789ABCDEF";

/* Eight characters a button, the rest zeros; in the order of the bits. */
static const char BUTTON_NAMES[BUTTONS][9] PROGMEM = {
    "box1", "box2", "box3",  "box4",     "box5",    "box6",   "plus", "minus",
    "bet",  "fold", "sixth", "exchange", "confirm", "reveal", "next", "hold",
};

uint16_t crc16(const char *data, uint8_t length)
{
    uint16_t crc = 0xFFFF;
    while (length--) {
        crc ^= (uint16_t)((uint16_t)(uint8_t)*data++ << 8);
        for (uint8_t bit = 0; bit < 8; bit++)
            crc = (uint16_t)(crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1);
    }
    return crc;
}

static char hex_digit(uint8_t value)
{
    return (char)pgm_read_byte(&HEX_DIGITS[value & 15]);
}

/* The value of a capital hexadecimal digit, or 255. */
static uint8_t hex_value(char digit)
{
    if (digit >= '0' && digit <= '9')
        return (uint8_t)(digit - '0');
    if (digit >= 'A' && digit <= 'F')
        return (uint8_t)(digit - 'A' + 10);
    return 255;
}

static bool hex_word(const char *digits, uint16_t *value)
{
    *value = 0;
    for (uint8_t at = 0; at < 4; at++) {
        uint8_t digit = hex_value(digits[at]);
        if (digit > 15)
            return false;
        *value = (uint16_t)(*value << 4 | digit);
    }
    return true;
}

static void count(uint16_t *counter)
{
    if (*counter != 0xFFFF)
        ++*counter;
}

/* One character of escaped text at *at; steps over it. False if it is not written the one way. */
static bool text_char(const char *text, uint8_t length, uint8_t *at, char *out)
{
    char first = text[(*at)++];
    if (first != '%') {
        *out = first;
        return first != '*';
    }
    if (length - *at < 2)
        return false;
    uint8_t high = hex_value(text[*at]), low = hex_value(text[*at + 1]);
    if (high > 15 || low > 15)
        return false;
    *at = (uint8_t)(*at + 2);
    uint8_t value = (uint8_t)(high << 4 | low);
    *out = (char)value;
    return value < 0x20 || value > 0x7E || value == '%' || value == ':' || value == '*';
}

static bool text_good(const char *text, uint8_t length)
{
    uint8_t at = 0, characters = 0;
    char ignored;
    while (at < length)
        if (!text_char(text, length, &at, &ignored) || ++characters > COLUMNS)
            return false;
    return true;
}

void frame_text(const frame_t *frame, char text[COLUMNS])
{
    uint8_t at = 2, column = 0;
    memset(text, ' ', COLUMNS);
    while (at < frame->length && column < COLUMNS)
        (void)text_char(frame->fields, frame->length, &at, &text[column++]);
}

uint32_t frame_kept(const frame_t *frame)
{
    uint16_t high, low;
    (void)hex_word(frame->fields, &high);
    (void)hex_word(frame->fields + 4, &low);
    return (uint32_t)high << 16 | low;
}

bool serial_good(const char *serial, uint8_t length)
{
    if (length < 1 || length > SERIAL_MAX)
        return false;
    for (uint8_t at = 0; at < length; at++) {
        char one = serial[at];
        if (!((one >= '0' && one <= '9') || (one >= 'A' && one <= 'Z') || one == '-'))
            return false;
    }
    return true;
}

static bool lights_good(const char *lights, uint8_t length)
{
    for (uint8_t at = 0; at < length; at++)
        if (lights[at] < '0' || lights[at] > '3')
            return false;
    return length == LIGHTS;
}

static bool version_good(const char *digits, uint8_t length)
{
    if (length < 1 || length > 2 || digits[0] < '1' || digits[0] > '9')
        return false;
    return length == 1 || (digits[1] >= '0' && digits[1] <= '9');
}

/* Are the fields of the kind right? `fields` is 0 when the body ends after the session. */
static bool fields_good(const frame_t *frame)
{
    const char *fields = frame->fields;
    uint8_t length = frame->length;
    switch (frame->kind) {
    case 'K':
    case 'A':
        return !fields;
    case 'N': {
        uint16_t ignored;
        return fields && length == 8 && hex_word(fields, &ignored)
               && hex_word(fields + 4, &ignored);
    }
    case 'Q':
        return fields && !frame->number && frame->session && version_good(fields, length);
    case 'D':
        return fields && length >= 2 && fields[0] >= '1' && fields[0] <= '4' && fields[1] == ' '
               && text_good(fields + 2, (uint8_t)(length - 2));
    case 'G':
        return fields && lights_good(fields, length);
    case 'W':
        return fields && serial_good(fields, length);
    default:
        return false;
    }
}

static bool parse(const char *body, uint8_t length, frame_t *frame)
{
    if (length < 10 || body[1] != ' ' || body[5] != ' ')
        return false;
    uint16_t number = 0;
    for (uint8_t at = 2; at < 5; at++) {
        if (body[at] < '0' || body[at] > '9')
            return false;
        number = (uint16_t)(number * 10 + (uint16_t)(body[at] - '0'));
    }
    if (number > 255 || !hex_word(body + 6, &frame->session))
        return false;
    if (length > 10 && body[10] != ' ')
        return false;
    frame->kind = body[0];
    frame->number = (uint8_t)number;
    frame->fields = length > 10 ? body + 11 : 0;
    frame->length = length > 10 ? (uint8_t)(length - 11) : 0;
    return true;
}

static bool from_panel(char kind)
{
    return kind == 'H' || kind == 'P' || kind == 'R' || kind == 'L' || kind == 'S' || kind == 'T'
           || kind == 'Y' || kind == 'M';
}

static bool finish(decoder_t *decoder, frame_t *frame)
{
    counters_t *counters = &decoder->counters;
    uint8_t length = decoder->length;
    uint16_t check;
    if (length < 5 || decoder->body[length - 5] != '*'
        || !hex_word(decoder->body + length - 4, &check)
        || check != crc16(decoder->body, (uint8_t)(length - 5))) {
        count(&counters->bad_crc);
        return false;
    }
    if (!parse(decoder->body, (uint8_t)(length - 5), frame)) {
        count(&counters->bad_syntax);
    } else if (from_panel(frame->kind)) {
        count(&counters->wrong_way);
    } else if (!fields_good(frame)) {
        count(&counters->bad_syntax);
    } else {
        count(&counters->frames);
        return true;
    }
    return false;
}

bool decoder_push(decoder_t *decoder, uint8_t byte, frame_t *frame)
{
    counters_t *counters = &decoder->counters;
    if (byte == ':') {
        if (decoder->inside)
            count(&counters->cut);
        decoder->inside = true;
        decoder->length = 0;
    } else if (!decoder->inside) {
        if (byte != '\n' && byte != '\r')
            count(&counters->stray_bytes);
    } else if (byte == '\n') {
        decoder->inside = false;
        return finish(decoder, frame);
    } else if (byte < 0x20 || byte > 0x7E) {
        count(&counters->noise);
        decoder->inside = false;
    } else if (decoder->length == MAX_BODY) {
        count(&counters->overlong);
        decoder->inside = false;
    } else {
        decoder->body[decoder->length++] = (char)byte;
    }
    return false;
}

uint16_t decoder_faults(const decoder_t *decoder)
{
    const counters_t *counters = &decoder->counters;
    uint32_t sum = (uint32_t)counters->cut + counters->noise + counters->overlong
                   + counters->bad_crc + counters->bad_syntax + counters->wrong_way;
    return sum > 0xFFFF ? 0xFFFF : (uint16_t)sum;
}

static void put(line_t *line, char one)
{
    /* Room is kept for the star, the check and the newline. */
    if (line->length < MAX_LINE - 6)
        line->text[line->length++] = one;
}

void line_begin(line_t *line, char kind, uint8_t number, uint16_t session)
{
    line->length = 0;
    put(line, ':');
    put(line, kind);
    put(line, ' ');
    put(line, (char)('0' + number / 100));
    put(line, (char)('0' + number / 10 % 10));
    put(line, (char)('0' + number % 10));
    line_hex(line, session);
}

void line_word(line_t *line, const char *word)
{
    put(line, ' ');
    while (*word)
        put(line, *word++);
}

void line_word_P(line_t *line, const char *word)
{
    char one;
    put(line, ' ');
    while ((one = (char)pgm_read_byte(word++)))
        put(line, one);
}

void line_button(line_t *line, uint8_t button)
{
    line_word_P(line, BUTTON_NAMES[button % BUTTONS]);
}

void line_decimal(line_t *line, uint32_t value)
{
    char digits[10];
    uint8_t used = 0;
    do {
        digits[used++] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    put(line, ' ');
    while (used)
        put(line, digits[--used]);
}

void line_hex(line_t *line, uint16_t value)
{
    put(line, ' ');
    for (int8_t shift = 12; shift >= 0; shift = (int8_t)(shift - 4))
        put(line, hex_digit((uint8_t)(value >> shift)));
}

void line_end(line_t *line)
{
    uint16_t crc = crc16(line->text + 1, (uint8_t)(line->length - 1));
    line->text[line->length++] = '*';
    for (int8_t shift = 12; shift >= 0; shift = (int8_t)(shift - 4))
        line->text[line->length++] = hex_digit((uint8_t)(crc >> shift));
    line->text[line->length++] = '\n';
}
