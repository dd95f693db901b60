"""Addresses of a person's settings."""

from django.urls import path

from conderis.web.settings.views import account, appearance, key, keys, profile, security

urlpatterns = [
    path("", profile.profile, name="settings"),
    path("handle/", profile.handle, name="settings-handle"),
    path("email/", profile.email_address, name="settings-email"),
    path("security/", security.security, name="settings-security"),
    path("keys/", keys.keys, name="settings-keys"),
    path("keys/<str:key_id>/", key.change, name="settings-key"),
    path("keys/<str:key_id>/replace/", key.replace, name="settings-key-replace"),
    path("keys/<str:key_id>/revoke/", key.revoke, name="settings-key-revoke"),
    path("appearance/", appearance.appearance, name="settings-appearance"),
    path("account/", account.account, name="settings-account"),
    path("account/export/", account.export, name="settings-export"),
    path("account/delete/", account.delete, name="settings-delete"),
    path("account/deleted/", account.deleted, name="settings-deleted"),
]
