"""Who is asking: the session of a request, the rights it has, and the tokens of its forms.

For other pages: ``current()`` is the person signed in (or None), ``role()`` what they may be
taken for, ``require(RIGHT)`` guards one view (whole paths stand in ``kiosk.web.rights``).
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar
from urllib.parse import urlencode, urlsplit

from flask import Flask, Response, current_app, g, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from kiosk.errors import ActionError
from kiosk.people import People, PeopleError, Person, Role, Session, may
from kiosk.people.locks import AT_KIOSK
from kiosk.table.deeds import RIGHTS
from kiosk.web.context import kiosk, settings
from kiosk.web.guard import SAFE_METHODS
from kiosk.web.people_texts import clock, role_name
from kiosk.web.rights import BY_ITSELF, right_for, right_from_elsewhere
from kiosk.web.texts import gettext

P = ParamSpec("P")
R = TypeVar("R")

COOKIE = "kiosk_session"
FORM_COOKIE = "kiosk_form"
HEADER = "X-CSRF-Token"
APPROVAL = "X-Approval"
FIELD = "csrf"


def people() -> People:
    """The accounts of the running kiosk."""
    return kiosk().people


def session() -> Session | None:
    """The session of this request."""
    found: Session | None = g.get("session")
    return found


def current() -> Person | None:
    """The person signed in, None when nobody is."""
    found = session()
    return None if found is None else found.person


def role() -> Role | None:
    """What the session may be taken for: less than the person's own role after a mere PIN."""
    found = session()
    return None if found is None else found.role


def allowed(right: str) -> bool:
    """Whether the session of this request has the right (see ``kiosk.people.roles.NEEDS``)."""
    found = session()
    return found is not None and found.may(right)


def require(right: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Guards one view with a right, beyond what its path needs anyway."""

    def guard(view: Callable[P, R]) -> Callable[P, R]:
        @wraps(view)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
            demand(right)
            return view(*args, **kwargs)

        return guarded

    return guard


def demand(right: str) -> None:
    """Raises ActionError (401 or 403) when the session of this request has not the right."""
    if allowed(right):
        return
    if session() is None:
        raise ActionError("sign-in", gettext("Sign in first."), 401)
    if may(session_person().role, right):
        raise ActionError("sign-in", gettext("Sign in with your password for this."), 403)
    raise ActionError("not-allowed", gettext("Your role may not do this."), 403)


def session_person() -> Person:
    found = current()
    assert found is not None
    return found


def at_kiosk() -> bool:
    """Whether the request comes from the kiosk itself (or a screen that the settings name)."""
    found = _remote()
    return found is not None and (found.is_loopback or str(found) in settings().kiosk_addresses)


def address() -> str:
    """Where the request comes from, for counting wrong tries. The kiosk's own screens count as
    one; so does a whole IPv6 network: whoever has one address of it has them all."""
    found = _remote()
    if found is None:
        return "?"
    if at_kiosk():
        return AT_KIOSK
    if found.version == 6:
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)


def _remote() -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address of the request, an IPv4 one within IPv6 as itself; None when it has none."""
    try:
        found = ipaddress.ip_address(request.remote_addr or "")
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found


def is_set_up() -> bool:
    """Whether there is an admin. While the accounts cannot be read the answer is yes: nothing
    opens because a disk failed."""
    try:
        return people().has_admin()
    except PeopleError:
        return True


def form_token() -> str:
    """The token that forms and scripts of this visitor send back."""
    found = session()
    if found is not None:
        return found.csrf
    seed = request.cookies.get(FORM_COOKIE) or g.get("form_seed")
    if not seed or len(seed) > 100:
        seed = g.form_seed = secrets.token_urlsafe(24)
    key: bytes = current_app.extensions["kiosk_form_key"]
    return hmac.new(key, seed.encode(), hashlib.sha256).hexdigest()


def safe_next(wish: str | None) -> str:
    """Where to go after signing in: a page of this server, else the live table."""
    text = wish or "/"
    parts = urlsplit(text)
    clean = text.startswith("/") and not text.startswith("//") and text.isprintable()
    if not clean or "\\" in text or parts.scheme or parts.netloc or len(text) > 500:
        return "/"
    return text


def language_link(code: str) -> str:
    """This page in another language, with all else that was asked of it."""
    asked = [(name, text) for name, text in request.args.items(multi=True) if name != "lang"]
    return "?" + urlencode([*asked, ("lang", code)])


def begin(response: BaseResponse, token: str) -> None:
    """Gives the browser its session."""
    response.set_cookie(
        COOKIE, token, httponly=True, samesite="Strict", secure=settings().https, path="/"
    )
    response.delete_cookie(FORM_COOKIE)


def end(response: BaseResponse) -> None:
    """Takes the session away from the browser."""
    response.delete_cookie(COOKIE, httponly=True, samesite="Strict", secure=settings().https)


def install(app: Flask) -> None:
    """Finds the session of each request and lets through what it may ask."""
    app.extensions["kiosk_form_key"] = secrets.token_bytes(32)

    @app.before_request
    def _check() -> BaseResponse | None:
        g.session = _session_of_request()
        refused = _refusal()
        if refused is not None:
            return refused
        if request.method not in SAFE_METHODS:
            _check_token()
        return None

    @app.after_request
    def _seed(response: Response) -> Response:
        seed = g.get("form_seed")
        if seed is not None and COOKIE not in response.headers.get("Set-Cookie", ""):
            response.set_cookie(
                FORM_COOKIE, seed, httponly=True, samesite="Strict", secure=settings().https
            )
        if session() is not None:
            # What a signed-in person sees must not stay in the browser after they left.
            response.headers.setdefault("Cache-Control", "no-store")
        return response

    app.jinja_env.globals.update(
        form_token=form_token,
        language_link=language_link,
        allowed=allowed,
        current_person=current,
        is_set_up=is_set_up,
        role_name=role_name,
        clock=clock,
    )


def _session_of_request() -> Session | None:
    token = request.cookies.get(COOKIE)
    if not token or request.endpoint == "static":
        return None
    try:
        return people().session(token, used=request.endpoint not in BY_ITSELF)
    except PeopleError:
        return None


def _refusal() -> BaseResponse | None:
    """None: the path is open to this session. Pages send people to where they can sign in."""
    rule = request.url_rule
    if rule is not None and request.method not in SAFE_METHODS:
        _check_deed(right_from_elsewhere(rule.rule))
    right = "" if rule is None else right_for(rule.rule)
    if not right or allowed(right):
        return None
    page = request.method in ("GET", "HEAD") and not request.path.startswith("/api/")
    if not page:
        demand(right)
    if not is_set_up():
        return redirect("/setup", 303)
    known = current()
    if known is None or may(known.role, right):
        here = request.full_path if request.query_string else request.path
        return redirect("/signin?" + urlencode({"next": safe_next(here)}), 303)
    demand(right)
    return None


def _check_deed(right: str) -> None:
    """The live table is played at the kiosk itself; from elsewhere only by people signed in."""
    if not right or at_kiosk() or allowed(right):
        return
    if session() is not None:
        demand(right)
    if not is_set_up():
        raise ActionError(
            "not-here",
            gettext("Until there is an admin, the table is played at the kiosk itself only."),
            403,
        )
    raise ActionError(
        "sign-in",
        gettext("Sign in first: without that the table is played at the kiosk itself only."),
        401,
    )


def _check_token() -> None:
    """Whoever is signed in, and every form, must send the token that the page was given."""
    is_api = request.path.startswith("/api/")
    if session() is None and is_api:
        return
    given = request.headers.get(HEADER)
    if given is None and request.mimetype in (
        "application/x-www-form-urlencoded",
        "multipart/form-data",
    ):
        given = request.form.get(FIELD)
    if given is None or not hmac.compare_digest(given.encode(), form_token().encode()):
        raise ActionError(
            "csrf",
            gettext("This page is out of date: load it again, then repeat what you did."),
            403,
        )


def who() -> str:
    """Who acts, as the record keeps it: the id of the person signed in, else of who deals (at the
    kiosk itself), else ``page``."""
    found = current()
    if found is not None:
        return found.id
    return (kiosk().dealer() if at_kiosk() else None) or "page"


def actor() -> tuple[str, Callable[[str], bool] | None]:
    """``who`` acts at the table, and which rights they have: their own, and what an approval of
    somebody else adds, who then counts as who acts.

    Before there is an admin all is possible at the kiosk itself, and only there.
    """
    name = who()
    if not is_set_up():
        return name, None if at_kiosk() else lambda _right: False
    approval = request.headers.get(APPROVAL, "")[:100]
    action = request.path.rpartition("/")[2]
    allows = people().approvals.take(approval, RIGHTS.get(action, "")) if approval else None
    if allows is not None:
        name = allows.id
    mine, theirs = role(), None if allows is None else allows.role
    return name, lambda right: may(mine, right) or may(theirs, right)
