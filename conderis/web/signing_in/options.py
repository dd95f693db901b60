"""The settings of allauth: accounts, second factors, another server's sign-in, sessions."""

from typing import Any

_FORMS = "conderis.web.signing_in.forms"


def sign_in_settings(
    *, mail: bool, https: bool, proxy: bool, providers: list[dict[str, Any]]
) -> dict[str, Any]:
    """Django's settings of everything that lets people in.

    `mail` says whether this server can send any: without it no address is asked for, none is
    confirmed, and links are made by commands. `proxy` says whether X-Forwarded-For is
    believed, which the limits on tries count by.
    """
    return {
        **_accounts(mail=mail),
        "ACCOUNT_DEFAULT_HTTP_PROTOCOL": "https" if https else "http",
        "ALLAUTH_TRUSTED_PROXY_COUNT": 1 if proxy else 0,
        **_second_factors(),
        # Browsers allow passkeys without TLS on localhost alone.
        "MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN": not https,
        **_providers(providers),
        "USERSESSIONS_TRACK_ACTIVITY": False,
    }


def _accounts(*, mail: bool) -> dict[str, Any]:
    return {
        "ACCOUNT_ADAPTER": "conderis.web.signing_in.adapters.AccountAdapter",
        "ACCOUNT_USER_MODEL_USERNAME_FIELD": "handle",
        "ACCOUNT_PRESERVE_USERNAME_CASING": False,
        "ACCOUNT_USER_DISPLAY": str,
        "ACCOUNT_LOGIN_METHODS": {"email", "username"},
        "ACCOUNT_SIGNUP_FIELDS": ["username*", "email*" if mail else "email", "password1*"],
        "ACCOUNT_EMAIL_VERIFICATION": "mandatory" if mail else "none",
        "ACCOUNT_EMAIL_SUBJECT_PREFIX": "",
        "ACCOUNT_EMAIL_NOTIFICATIONS": mail,
        "ACCOUNT_MAX_EMAIL_ADDRESSES": 2,  # the one in use, and its successor until confirmed
        "ACCOUNT_CHANGE_EMAIL": True,
        "ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION": True,  # in the browser that signed up alone
        "ACCOUNT_PREVENT_ENUMERATION": True,
        "ACCOUNT_REAUTHENTICATION_REQUIRED": True,
        "ACCOUNT_REAUTHENTICATION_TIMEOUT": 10 * 60,  # seconds
        "ACCOUNT_REAUTHENTICATION_METHODS": ["password", "mfa"],
        "ACCOUNT_SESSION_REMEMBER": True,
        "ACCOUNT_LOGOUT_REDIRECT_URL": "start",
        "ACCOUNT_FORMS": {
            "login": f"{_FORMS}.SignInForm",
            "signup": f"{_FORMS}.SignUpForm",
            "add_email": f"{_FORMS}.AddressForm",
            "change_password": f"{_FORMS}.ChangePasswordForm",
            "set_password": f"{_FORMS}.SetPasswordForm",
            "reset_password": f"{_FORMS}.ResetPasswordForm",
            "reset_password_from_key": f"{_FORMS}.ResetPasswordKeyForm",
            "reauthenticate": f"{_FORMS}.ReauthenticateForm",
        },
    }


def _second_factors() -> dict[str, Any]:
    return {
        "MFA_ADAPTER": "conderis.web.signing_in.second_factors.SecondFactorAdapter",
        "MFA_SUPPORTED_TYPES": ["totp", "webauthn", "recovery_codes"],
        "MFA_PASSKEY_LOGIN_ENABLED": True,
        # Where there is mail an unconfirmed address cannot sign in at all; where there is
        # none no address is ever confirmed.
        "MFA_ALLOW_UNVERIFIED_EMAIL": True,
        "MFA_TOTP_ISSUER": "Conderis",
        "MFA_TOTP_TOLERANCE": 1,  # codes before and after: clocks differ by up to 30 seconds
        "MFA_FORMS": {
            "authenticate": f"{_FORMS}.CodeForm",
            "reauthenticate": f"{_FORMS}.CodeAgainForm",
            "activate_totp": f"{_FORMS}.ActivateAppForm",
            "add_webauthn": f"{_FORMS}.AddPasskeyForm",
            "edit_webauthn": f"{_FORMS}.EditPasskeyForm",
        },
    }


def _providers(providers: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "SOCIALACCOUNT_ADAPTER": "conderis.web.signing_in.providers.ProviderAdapter",
        "SOCIALACCOUNT_PROVIDERS": {"openid_connect": {"APPS": providers}} if providers else {},
        "SOCIALACCOUNT_EMAIL_AUTHENTICATION": False,
        # Neither asked for nor kept: the provider vouches for its people without one.
        "SOCIALACCOUNT_EMAIL_REQUIRED": False,
        "SOCIALACCOUNT_QUERY_EMAIL": False,
        "SOCIALACCOUNT_EMAIL_VERIFICATION": "none",
        "SOCIALACCOUNT_STORE_TOKENS": False,
        "SOCIALACCOUNT_FORMS": {"signup": f"{_FORMS}.ProviderSignUpForm"},
    }
