"""The web server of a running kiosk."""

from __future__ import annotations

from kiosk import __version__
from kiosk.app import Kiosk
from kiosk.web import WebServer, WebSettings, create_app


class Serving:
    """Pages and API of one kiosk on its host and port. UserError when the port cannot be had."""

    def __init__(self, kiosk: Kiosk) -> None:
        settings = kiosk.settings
        web = WebSettings(
            language=settings.language,
            version=__version__,
            allowed_hosts=settings.web.hosts,
            https=settings.web.https,
            kiosk_addresses=settings.web.kiosk_addresses,
            idle_s=settings.web.idle_s,
        )
        self._server = WebServer(create_app(kiosk, web), settings.host, settings.port)

    @property
    def url(self) -> str:
        """Address for a browser on this machine."""
        return self._server.url

    def run(self) -> None:
        """Serves until closed."""
        self._server.run()

    def close(self) -> None:
        """Ends the server; may be called from any thread."""
        self._server.close()
