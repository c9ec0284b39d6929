"""The rules room: hands, houses, and what every bet is owed. Pure: no clocks, no hardware."""

from kiosk.rules.houses import list_houses, load_house, load_house_file
from kiosk.rules.settle import settle_case

__all__ = ["list_houses", "load_house", "load_house_file", "settle_case"]
