"""What pages may load and do, as settings of the middleware that says so."""

from typing import Any, Final

from csp.constants import NONCE, NONE, SELF

CONTENT_SECURITY_POLICY: Final[dict[str, Any]] = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF, NONCE],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],  # the code that authenticator apps read is a data: image
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "object-src": [NONE],
        "frame-ancestors": [NONE],
    }
}
PERMISSIONS_POLICY: Final[dict[str, list[str]]] = {
    **{
        feature: []
        for feature in (
            "accelerometer", "autoplay", "camera", "display-capture", "encrypted-media",
            "fullscreen", "geolocation", "gyroscope", "magnetometer", "microphone", "midi",
            "payment", "usb",
        )
    },
    "publickey-credentials-create": ["self"],
    "publickey-credentials-get": ["self"],
}  # fmt: skip
