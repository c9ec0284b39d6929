"""The typeface of printed pages: DejaVu Sans, cut down to Latin, Cyrillic and card suits."""
