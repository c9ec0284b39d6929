"""What stands on the printed sheets, in English and Russian; ``|`` parts lines."""

from __future__ import annotations

TEXTS: dict[str, dict[str, str]] = {
    "en": {
        "title": "Markers for setting the camera up",
        "corners": "far left|far right|near right|near left",
        "pieces": "Cut along the dashed lines. Stand on the players' side: the dealer is far.|"
        "Lay each piece flat, its black-tipped corner exactly on its corner of the rectangle,|"
        "its two sides along the edges. Measure that rectangle: width and depth, corner to corner.",
        "board": "The lens board. Lay it anywhere flat on the felt, or hold it flat on stiff card|"
        "to all parts of the picture for the lens series. Do not cut off its white edge.",
        "ruler": "exactly 10 cm|Print at 100 % (“actual size”). If the line is not 10 cm long, "
        "enter its length at set-up.",
    },
    "ru": {
        "title": "Метки для настройки камеры",
        "corners": "дальний левый|дальний правый|ближний правый|ближний левый",
        "pieces": "Разрежьте по пунктиру. Встаньте со стороны игроков, сторона дилера — дальняя.|"
        "Положите каждый листок плашмя, углом с чёрным уголком точно в угол прямоугольника сукна,|"
        "двумя сторонами вдоль краёв. Измерьте прямоугольник: ширину и глубину от угла до угла.",
        "board": "Доска для объектива. Положите её на сукно где угодно или, наклеив на картон,|"
        "покажите во всех частях кадра для серии снимков. Белое поле не отрезайте.",
        "ruler": "ровно 10 см|Печатайте в масштабе 100 % («реальный размер»). Если линия не 10 см, "
        "введите её длину при настройке.",
    },
}
"""Language → key → text."""
