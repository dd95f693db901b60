"""Addresses of everything that lets people in."""

from allauth.account import views as account
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes import views as recovery_codes
from allauth.mfa.totp import views as totp
from allauth.mfa.webauthn import views as webauthn
from allauth.socialaccount import views as socialaccount
from allauth.socialaccount.providers.openid_connect import views as openid_connect
from allauth.usersessions import views as usersessions
from django.urls import path, re_path

from conderis.web.signing_in import links, views
from conderis.web.signing_in.invitations import invitation
from conderis.web.signing_in.views import SECURITY

FACTORS = "account/2fa"
SSO = "account/sso"

urlpatterns = [
    path("sign-in/", account.login, name="account_login"),
    path("sign-in/<str:token>", links.sign_in, name="sign-in"),
    path("sign-out/", account.logout, name="account_logout"),
    path("sign-up/", views.SignUpView.as_view(), name="account_signup"),
    path("join/<str:token>", invitation, name="invitation"),
    path("account/inactive/", account.account_inactive, name="account_inactive"),
    path("account/reauthenticate/", account.reauthenticate, name="account_reauthenticate"),
    path("account/sign-in-anew/", views.sign_in_anew, name="account_sign_in_anew"),
    path("account/email/", views.address, name="account_email"),
    path(
        "account/confirm-email/",
        account.email_verification_sent,
        name="account_email_verification_sent",
    ),
    re_path(
        r"^account/confirm-email/(?P<key>[-:\w]+)/$",
        views.ConfirmAddressView.as_view(),
        name="account_confirm_email",
    ),
    path(
        "account/password/change/",
        account.PasswordChangeView.as_view(extra_context=SECURITY),
        name="account_change_password",
    ),
    path(
        "account/password/set/",
        account.PasswordSetView.as_view(extra_context=SECURITY),
        name="account_set_password",
    ),
    path("account/password/reset/", views.password_reset, name="account_reset_password"),
    path(
        "account/password/reset/done/",
        account.password_reset_done,
        name="account_reset_password_done",
    ),
    re_path(
        r"^account/password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        account.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path(
        "account/password/reset/key/done/",
        account.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    path(f"{FACTORS}/", mfa.IndexView.as_view(extra_context=SECURITY), name="mfa_index"),
    path(f"{FACTORS}/authenticate/", mfa.authenticate, name="mfa_authenticate"),
    path(f"{FACTORS}/reauthenticate/", mfa.reauthenticate, name="mfa_reauthenticate"),
    path(
        f"{FACTORS}/totp/activate/",
        totp.ActivateTOTPView.as_view(extra_context=SECURITY),
        name="mfa_activate_totp",
    ),
    path(
        f"{FACTORS}/totp/deactivate/",
        totp.DeactivateTOTPView.as_view(extra_context=SECURITY),
        name="mfa_deactivate_totp",
    ),
    path(
        f"{FACTORS}/recovery-codes/",
        recovery_codes.ViewRecoveryCodesView.as_view(extra_context=SECURITY),
        name="mfa_view_recovery_codes",
    ),
    path(
        f"{FACTORS}/recovery-codes/generate/",
        recovery_codes.GenerateRecoveryCodesView.as_view(extra_context=SECURITY),
        name="mfa_generate_recovery_codes",
    ),
    path(
        f"{FACTORS}/recovery-codes/download/",
        recovery_codes.download_recovery_codes,
        name="mfa_download_recovery_codes",
    ),
    path(
        f"{FACTORS}/passkeys/",
        webauthn.ListWebAuthnView.as_view(extra_context=SECURITY),
        name="mfa_list_webauthn",
    ),
    path(
        f"{FACTORS}/passkeys/add/",
        webauthn.AddWebAuthnView.as_view(extra_context=SECURITY),
        name="mfa_add_webauthn",
    ),
    path(f"{FACTORS}/passkeys/login/", webauthn.login_webauthn, name="mfa_login_webauthn"),
    path(
        f"{FACTORS}/passkeys/reauthenticate/",
        webauthn.reauthenticate_webauthn,
        name="mfa_reauthenticate_webauthn",
    ),
    path(
        f"{FACTORS}/passkeys/keys/<int:pk>/remove/",
        webauthn.RemoveWebAuthnView.as_view(extra_context=SECURITY),
        name="mfa_remove_webauthn",
    ),
    path(
        f"{FACTORS}/passkeys/keys/<int:pk>/edit/",
        webauthn.EditWebAuthnView.as_view(extra_context=SECURITY),
        name="mfa_edit_webauthn",
    ),
    path(
        "account/sessions/",
        usersessions.ListUserSessionsView.as_view(extra_context=SECURITY),
        name="usersessions_list",
    ),
    path(
        f"{SSO}/login/cancelled/",
        socialaccount.login_cancelled,
        name="socialaccount_login_cancelled",
    ),
    path(f"{SSO}/login/error/", socialaccount.login_error, name="socialaccount_login_error"),
    path(f"{SSO}/signup/", socialaccount.signup, name="socialaccount_signup"),
    path(
        f"{SSO}/",
        socialaccount.ConnectionsView.as_view(extra_context=SECURITY),
        name="socialaccount_connections",
    ),
    path(
        "account/oidc/<str:provider_id>/login/",
        views.provider_sign_in,
        name="openid_connect_login",
    ),
    path(
        "account/oidc/<str:provider_id>/login/callback/",
        openid_connect.callback,
        name="openid_connect_callback",
    ),
]
