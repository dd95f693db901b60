"""The pages of the product, one row each. `test_pages.py` opens every row on every screen.

To add a page, add a row. `{name}` in a path stands for what `world.py` made under that
name. A pattern of `conderis.urls` without a row stands in `EXEMPT` with its reason.
"""

import re
from dataclasses import dataclass
from fnmatch import fnmatch

from django.urls import Resolver404, resolve


@dataclass(frozen=True, slots=True)
class Page:
    """A page as one person sees it; `who` None is somebody who has not signed in.

    `status` is the one that it must answer with. `lighthouse` puts it on the short list
    that Lighthouse judges in every run.
    """

    name: str
    path: str
    who: str | None = None
    status: int = 200
    lighthouse: bool = False

    @property
    def view_name(self) -> str:
        """The name of the URL pattern that answers; "" where none does."""
        try:
            return resolve(re.sub(r"\{\w+\}", "1", self.path.partition("?")[0])).view_name
        except Resolver404:
            return ""


PROJECT = "/alice/shop"
SETTINGS = f"{PROJECT}/settings"
MODERATION = f"{PROJECT}/moderation"
ORGANIZATION = "/organizations/guild"
HARBOUR = "/organizations/harbour-and-hinterland"
EMPTY = "/harbour-and-hinterland/cranes"  # a project without an item
PUBLIC = "/alice/commons"
COMMONS = f"{PUBLIC}/settings"
COMPARED = f"{PROJECT}/items/{{shop_compared}}/history"
KEY = "/settings/keys/{key}"
FACTORS = "/account/2fa"

PAGES = (
    Page("welcome", "/", lighthouse=True),
    Page("start", "/", who="alice", lighthouse=True),
    Page("start-of-nobody", "/", who="mallory"),
    Page("start-of-a-contributor", "/", who="bob"),
    Page("start-of-a-moderator", "/", who="carol"),
    Page("shortcuts", "/shortcuts/", who="alice"),
    Page("404", "/no/such/page/here", status=404),
    Page("404-of-a-stranger", f"{PROJECT}/", who="mallory", status=404),
    # Getting in.
    Page("sign-in", "/sign-in/", lighthouse=True),
    Page("sign-in-link", "/sign-in/{sign_in_link}", lighthouse=True),
    Page("sign-in-link-gone", "/sign-in/gone", status=404),
    Page("sign-out", "/sign-out/", who="rita"),
    Page("sign-up", "/sign-up/"),
    Page("invitation-gone", "/join/gone", status=404),
    Page("invitation", "/join/{invitation}", lighthouse=True),
    Page("invitation-for-a-person", "/join/{invitation}", who="mallory"),
    Page("account-inactive", "/account/inactive/"),
    Page("address-to-confirm", "/account/confirm-email/"),
    Page("password-reset", "/account/password/reset/"),
    Page("password-reset-done", "/account/password/reset/done/"),
    Page("password-reset-key-gone", "/account/password/reset/key/1-gone/"),
    Page("password-reset-key-done", "/account/password/reset/key/done/"),
    Page("confirmation-gone", "/account/confirm-email/gone/"),
    Page("reauthenticate", "/account/reauthenticate/", who="quinn"),
    Page("reauthenticate-by-code", f"{FACTORS}/reauthenticate/", who="quinn"),
    Page("reauthenticate-by-passkey", f"{FACTORS}/passkeys/reauthenticate/", who="quinn"),
    Page("sign-in-anew", "/account/sign-in-anew/", who="alice"),
    Page("provider-cancelled", "/account/sso/login/cancelled/"),
    Page("provider-error", "/account/sso/login/error/", status=401),
    # One's own settings.
    Page("settings", "/settings/", who="alice", lighthouse=True),
    Page("settings-security", "/settings/security/", who="alice"),
    Page("settings-security-all", "/settings/security/", who="quinn"),
    Page("settings-security-400", "/settings/security/?before=x", who="alice", status=400),
    Page("settings-keys", "/settings/keys/", who="alice"),
    Page("settings-keys-none", "/settings/keys/", who="mallory"),
    Page("settings-key", f"{KEY}/", who="alice"),
    Page("settings-key-revoke", f"{KEY}/revoke/", who="alice"),
    Page("settings-appearance", "/settings/appearance/", who="alice"),
    Page("settings-account", "/settings/account/", who="alice"),
    Page("settings-delete", "/settings/account/delete/", who="mallory"),
    Page("settings-delete-refused", "/settings/account/delete/", who="alice"),
    Page("sessions", "/account/sessions/", who="alice"),
    Page("address", "/account/email/", who="alice"),
    Page("password-set", "/account/password/set/", who="alice"),
    Page("password-change", "/account/password/change/", who="quinn"),
    Page("factors", f"{FACTORS}/", who="quinn"),
    Page("factors-none", f"{FACTORS}/", who="alice"),
    Page("app-on", f"{FACTORS}/totp/activate/", who="alice"),
    Page("app-off", f"{FACTORS}/totp/deactivate/", who="quinn"),
    Page("codes", f"{FACTORS}/recovery-codes/", who="quinn"),
    Page("codes-new", f"{FACTORS}/recovery-codes/generate/", who="quinn"),
    Page("passkeys", f"{FACTORS}/passkeys/", who="quinn"),
    Page("passkeys-none", f"{FACTORS}/passkeys/", who="alice"),
    Page("passkey-add", f"{FACTORS}/passkeys/add/", who="quinn"),
    Page("passkey-rename", f"{FACTORS}/passkeys/keys/{{passkey}}/edit/", who="quinn"),
    Page("passkey-remove", f"{FACTORS}/passkeys/keys/{{passkey}}/remove/", who="quinn"),
    Page("providers", "/account/sso/", who="alice"),
    # Agents.
    Page("connect", "/connect/", who="alice"),
    Page("connect-codex", "/connect/codex/", who="alice"),
    Page("connect-state", "/connect/state/{key}/", who="alice"),
    Page("guide", "/guide/", who="alice"),
    Page("tools", "/tools/", who="alice"),
    Page("api-docs", "/api/docs/", who="alice"),
    Page("api-shapes", "/api/docs/shapes/", who="alice"),
    # Organizations.
    Page("organizations", "/organizations/", who="alice"),
    Page("organizations-none", "/organizations/", who="mallory"),
    Page("organization-new", "/organizations/new/", who="alice"),
    Page("organization", f"{ORGANIZATION}/", who="alice"),
    Page("organization-as-member", f"{ORGANIZATION}/", who="bob"),
    Page("organization-leave", f"{ORGANIZATION}/leave/", who="bob"),
    Page("organization-instructions", f"{ORGANIZATION}/instructions/", who="alice"),
    Page("organization-instructions-edit", f"{ORGANIZATION}/instructions/edit/", who="alice"),
    Page("organization-settings", f"{ORGANIZATION}/settings/", who="alice"),
    Page("organization-log", f"{ORGANIZATION}/log/", who="alice"),
    Page("organization-busy", f"{HARBOUR}/", who="alice"),
    Page("organization-member", f"{HARBOUR}/members/bob/", who="alice"),
    Page("organization-busy-instructions", f"{HARBOUR}/instructions/", who="alice"),
    Page("organization-busy-instructions-edit", f"{HARBOUR}/instructions/edit/", who="alice"),
    Page("organization-instructions-history", f"{HARBOUR}/instructions/history/", who="alice"),
    Page("organization-instructions-version", f"{HARBOUR}/instructions/versions/1/", who="alice"),
    # Projects.
    Page("projects", "/projects/", who="alice"),
    Page("projects-none", "/projects/", who="mallory"),
    Page("project-new", "/projects/new/", who="alice"),
    Page("project", f"{PROJECT}/", who="alice"),
    Page("project-as-reader", f"{PROJECT}/", who="rita"),
    Page("project-public", "/alice/commons/", who="mallory"),
    Page("project-picture", f"{PROJECT}/picture/", who="alice", lighthouse=True),
    Page("project-picture-as-reader", f"{PROJECT}/picture/", who="rita"),
    Page("project-picture-none", "/alice/commons/picture/", who="mallory"),
    Page("hygiene", f"{PROJECT}/hygiene/", who="alice"),
    Page("hygiene-as-reader", f"{PROJECT}/hygiene/", who="rita"),
    Page("hygiene-none", "/alice/commons/hygiene/", who="mallory"),
    Page("hygiene-mend", f"{PROJECT}/hygiene/{{shop_page}}/archive/", who="alice"),
    Page("hygiene-rewrite", f"{PROJECT}/hygiene/{{shop_hostile_page}}/rewrite/", who="bob"),
    # Items.
    Page("project-tasks", f"{PROJECT}/tasks/", who="alice"),
    Page("project-tasks-found", f"{PROJECT}/tasks/?q=tea&includeClosed=true", who="rita"),
    Page("project-tasks-400", f"{PROJECT}/tasks/?sort=x", who="alice", status=400),
    Page("project-memories", f"{PROJECT}/memories/", who="alice"),
    Page("project-docs", f"{PROJECT}/docs/", who="alice"),
    Page("project-tasks-board", f"{PROJECT}/tasks/?view=board&includeClosed=true", who="alice"),
    Page("project-tasks-narrowed", f"{PROJECT}/tasks/?priority=urgent&due=overdue", who="bob"),
    Page("project-docs-as-reader", f"{PROJECT}/docs/?at={{shop_page}}", who="rita"),
    Page("project-docs-list", f"{PROJECT}/docs/?sort=title", who="alice"),
    Page("project-memories-archived", f"{PROJECT}/memories/?includeArchived=true", who="rita"),
    Page("project-empty", f"{EMPTY}/", who="alice"),
    Page("project-tasks-empty", f"{EMPTY}/tasks/", who="alice"),
    Page("project-memories-empty", f"{EMPTY}/memories/", who="bob"),
    Page("project-docs-empty", f"{EMPTY}/docs/", who="alice"),
    Page("project-activity-empty", f"{EMPTY}/activity/", who="alice"),
    Page("project-docs-none", "/alice/commons/docs/?q=nothing-of-that-name", who="mallory"),
    Page("item", f"{PROJECT}/items/{{shop_page}}/", who="alice"),
    Page("item-task", f"{PROJECT}/items/{{shop_hostile_task}}/", who="alice"),
    Page("item-marked", f"{PROJECT}/items/{{shop_marked_page}}/", who="rita"),
    Page("item-memory", f"{PROJECT}/items/{{shop_right_to_left_memory}}/", who="rita"),
    Page("item-new", f"{PROJECT}/items/new/task/", who="bob"),
    Page("item-new-memory", f"{PROJECT}/items/new/memory/", who="alice"),
    Page("item-edit", f"{PROJECT}/items/{{shop_hostile_page}}/edit/", who="alice"),
    Page("item-around", f"{PROJECT}/items/{{shop_around}}/", who="alice"),
    Page("item-overdue", f"{PROJECT}/items/{{shop_hostile_task}}/", who="rita"),
    Page("item-locked", f"{PROJECT}/items/{{shop_locked}}/", who="alice"),
    Page("item-locked-history", f"{PROJECT}/items/{{shop_locked}}/history/", who="rita"),
    Page("item-archived", f"{PROJECT}/items/{{shop_archived}}/", who="alice"),
    Page("item-archived-as-reader", f"{PROJECT}/items/{{shop_archived}}/", who="rita"),
    Page("item-private", f"{PROJECT}/items/{{shop_mine}}/?similar", who="alice"),
    Page("item-relate", f"{PROJECT}/items/{{shop_around}}/relate/", who="alice"),
    Page(
        "item-relate-found",
        f"{PROJECT}/items/{{shop_around}}/relate/?relation=blocks&q=the",
        who="bob",
    ),
    Page(
        "item-relate-none",
        f"{PROJECT}/items/{{shop_around}}/relate/?relation=blocks&q=%234711",
        who="alice",
        status=400,
    ),
    Page("item-share", f"{PROJECT}/items/{{shop_mine}}/share/", who="alice"),
    Page("item-history", f"{PROJECT}/items/{{shop_page}}/history/", who="alice"),
    Page("item-history-long", f"{COMPARED}/", who="alice"),
    Page("item-version", f"{PROJECT}/items/{{shop_page}}/history/1/", who="rita"),
    Page("item-version-old", f"{COMPARED}/2/", who="alice"),
    Page("item-compare", f"{COMPARED}/compare/?from=1&to=4", who="alice", lighthouse=True),
    Page("item-compare-inline", f"{COMPARED}/compare/?from=2&to=4&view=inline", who="alice"),
    Page("item-compare-lines", f"{COMPARED}/compare/?from=4&to=1&view=lines", who="alice"),
    Page("item-compare-one", f"{PROJECT}/items/{{shop_page}}/history/compare/", who="rita"),
    Page("item-version-restore", f"{COMPARED}/1/restore/", who="alice"),
    Page("item-version-restore-proposed", f"{COMPARED}/2/restore/", who="bob"),
    Page("item-move", f"{PROJECT}/items/{{shop_page}}/move/", who="alice"),
    Page("item-move-404", f"{PROJECT}/items/{{shop_task}}/move/", who="alice", status=404),
    Page("item-none", f"{PROJECT}/items/4711/", who="alice", status=404),
    Page("moderation", f"{MODERATION}/", who="alice"),
    Page("moderation-of-own", f"{MODERATION}/", who="bob"),
    Page("moderation-none", "/alice/commons/moderation/", who="alice"),
    Page("moderation-proposal", f"{MODERATION}/{{proposal}}/", who="alice"),
    Page("moderation-proposal-of-own", f"{MODERATION}/{{proposal}}/", who="bob"),
    Page("moderation-hostile", f"{MODERATION}/{{hostile_proposal}}/", who="alice"),
    Page("moderation-conflict", f"{MODERATION}/{{torn_proposal}}/", who="alice"),
    Page("moderation-batch", f"{MODERATION}/{{batch_proposal}}/", who="alice"),
    Page("moderation-batch-of-own", f"{MODERATION}/{{batch_proposal}}/", who="bob"),
    Page("moderation-rejected", f"{MODERATION}/{{rejected_proposal}}/", who="bob"),
    Page("moderation-list-rejected", f"{MODERATION}/?state=rejected", who="bob"),
    Page("moderation-400", f"{MODERATION}/?state=pending&cursor=x", who="alice", status=400),
    Page("moderation-runs", f"{MODERATION}/runs/", who="alice"),
    Page("moderation-run", f"{MODERATION}/runs/?{{run}}", who="alice"),
    Page("project-settings", f"{SETTINGS}/", who="alice"),
    Page("project-members", f"{SETTINGS}/members/", who="alice"),
    Page("project-member", f"{SETTINGS}/members/bob/", who="alice"),
    Page("project-leave", f"{SETTINGS}/leave/", who="rita"),
    Page("project-instructions", f"{SETTINGS}/instructions/", who="alice"),
    Page("project-instructions-edit", f"{SETTINGS}/instructions/edit/", who="alice"),
    Page("project-instructions-history", f"{COMMONS}/instructions/history/", who="alice"),
    Page("project-instructions-version", f"{COMMONS}/instructions/versions/1/", who="alice"),
    Page("project-instructions-compare", f"{COMMONS}/instructions/history/compare/", who="alice"),
    Page(
        "project-instructions-restore", f"{COMMONS}/instructions/versions/1/restore/", who="alice"
    ),
    Page("project-instructions-hostile", f"{COMMONS}/instructions/", who="alice"),
    Page("project-instructions-hostile-edit", f"{COMMONS}/instructions/edit/", who="alice"),
    Page("project-exchange", f"{SETTINGS}/exchange/", who="alice"),
    Page("project-exchange-as-reader", f"{SETTINGS}/exchange/", who="rita"),
    Page("project-import-checked", f"{SETTINGS}/exchange/imports/{{checked_import}}/", who="alice"),
    Page("project-import-busy", f"{SETTINGS}/exchange/imports/{{busy_import}}/", who="alice"),
    Page("project-import-done", f"{SETTINGS}/exchange/imports/{{done_import}}/", who="alice"),
    Page("project-import-failed", f"{SETTINGS}/exchange/imports/{{failed_import}}/", who="alice"),
    Page(
        "project-import-404",
        f"{SETTINGS}/exchange/imports/{{done_import}}/",
        who="carol",
        status=404,
    ),
    Page("project-policies", f"{SETTINGS}/policies/", who="alice"),
    Page("project-visibility", f"{SETTINGS}/visibility/", who="alice"),
    Page("project-private", f"{COMMONS}/visibility/private/", who="alice"),
    Page("project-visibility-public", f"{COMMONS}/visibility/", who="alice"),
    Page("project-ending", f"{SETTINGS}/ending/", who="alice"),
    Page("project-settings-403", f"{SETTINGS}/", who="rita", status=403),
    Page("project-activity", f"{PROJECT}/activity/", who="alice"),
    Page("project-activity-of-a-kind", f"{PROJECT}/activity/?kind=page&by=people", who="rita"),
    Page("project-activity-none", f"{PROJECT}/activity/?person=person:none", who="rita"),
    Page("project-log", f"{PROJECT}/activity/log/", who="alice"),
    # A public project, signed out.
    Page("public-project", f"{PUBLIC}/", lighthouse=True),
    Page("public-tasks", f"{PUBLIC}/tasks/"),
    Page("public-memories", f"{PUBLIC}/memories/"),
    Page("public-docs", f"{PUBLIC}/docs/"),
    Page("public-item", f"{PUBLIC}/items/{{commons_page}}/", lighthouse=True),
    Page("public-item-history", f"{PUBLIC}/items/{{commons_page}}/history/"),
    Page("public-hygiene", f"{PUBLIC}/hygiene/"),
    Page("public-instructions", f"{PUBLIC}/settings/instructions/"),
    Page("public-activity", f"{PUBLIC}/activity/"),
    Page("public-activity-400", f"{PUBLIC}/activity/?kind=none", status=400),
    # Search, and what is a person's own.
    Page("search", "/search/", who="alice"),
    Page("search-found", "/search/?q=tea", who="alice"),
    Page("search-number", "/search/?q=%231", who="alice"),
    Page("search-narrowed", "/search/?q=tea&kind=page&project=alice/shop&all=true", who="rita"),
    Page("search-none", "/search/?q=nothing-of-that-name", who="mallory"),
    Page("search-400", "/search/?q=tea&kind=x", who="alice", status=400),
    Page("memories", "/memories/", who="alice"),
    Page("memories-none", "/memories/", who="mallory"),
    Page("memories-found", "/memories/?q=hostile&includeArchived=true", who="alice"),
    Page("memory", "/memories/{personal}/", who="alice"),
    Page("memory-child", "/memories/{personal_child}/", who="alice"),
    Page("memory-404", "/memories/{personal}/", who="bob", status=404),
    Page("memory-new", "/memories/new/", who="alice"),
    Page("memory-edit", "/memories/{personal}/edit/", who="alice"),
    Page("memory-history", "/memories/{personal}/history/", who="alice"),
    Page("memory-version", "/memories/{personal}/history/1/", who="alice"),
    Page("memory-compare", "/memories/{personal}/history/compare/", who="alice"),
    Page("memory-version-restore", "/memories/{personal}/history/1/restore/", who="alice"),
    Page("memories-400", "/memories/?type=x&sort=x", who="alice", status=400),
    # Deletions.
    Page("deletions", "/deletions/", who="alice"),
    Page("deletions-decided", "/deletions/?state=decided&mine=1", who="bob"),
    Page("deletions-none", "/deletions/", who="mallory"),
    Page("deletions-of-project", f"{MODERATION}/deletions/", who="carol"),
    Page("deletion", "/deletions/{deletion}/", who="alice"),
    Page("deletion-of-own", "/deletions/{deletion}/", who="bob"),
    Page("deletion-refused", "/deletions/{refused_deletion}/", who="bob"),
    Page("deletion-404", "/deletions/{deletion}/", who="mallory", status=404),
    Page("deletion-erase", "/deletions/{deletion}/erase/", who="alice"),
    Page("deletion-new", "/deletions/new/?what=alice/shop%231&version=1", who="bob"),
    # Administration: the first page, and one of every kind that follows.
    Page("administration", "/admin/", who="adam"),
    Page("administration-area", "/admin/projects/", who="adam"),
    Page("administration-list", "/admin/accounts/person/", who="adam"),
    Page("administration-row", "/admin/items/item/1/change/", who="adam"),
    Page("administration-items", "/admin/items/item/", who="adam"),
    Page("administration-log", "/admin/accounts/auditevent/", who="adam"),
)

# Names of patterns (`*` for all that begin so) that show no page of ours to GET: why not.
EXEMPT = {
    "api-v1:*": "JSON, for programs: /api/docs/ shows it to people",
    "item-act": "takes POST alone",
    "batch-example": "answers JSON",
    "batch-schema": "answers JSON",
    "admin:*": "Django's own pages; some of each kind have a row",
    "django.contrib.admin.sites.AdminSite.catch_all_view": "answers 404 or adds a slash",
    "health": "answers JSON",
    "ready": "answers JSON",
    "tools-schema": "answers JSON",
    "tool-schema": "answers JSON",
    "memory-act": "takes POST alone",
    "mfa_authenticate": "in the midst of a sign-in; see `arriving`",
    "mfa_download_recovery_codes": "answers plain text",
    "mfa_login_webauthn": "answers JSON",
    "moderation-approve": "takes POST alone",
    "moderation-decide": "takes POST alone",
    "moderation-reject": "takes POST alone",
    "moderation-undo": "takes POST alone",
    "moderation-withdraw": "takes POST alone",
    "deletion-refuse": "takes POST alone",
    "deletion-reveal": "shows its page to POST alone",
    "deletion-withdraw": "takes POST alone",
    "deletions-decide": "takes POST alone",
    "deletions-erase": "takes POST alone",
    "moderation-deletions-decide": "takes POST alone",
    "openid_connect_login": "sends to another server",
    "openid_connect_callback": "comes from another server",
    "organization-delete": "takes POST alone",
    "organization-invitation-revoke": "takes POST alone",
    "organization-invite": "takes POST alone",
    "organization-member-remove": "takes POST alone",
    "project-delete": "takes POST alone",
    "project-export": "takes POST alone",
    "project-feed": "answers XML",
    "project-import-do": "takes POST alone",
    "project-import-report": "answers plain text",
    "project-imports": "sends to the page of its form",
    "project-invitation-revoke": "takes POST alone",
    "project-invite": "takes POST alone",
    "project-member-remove": "takes POST alone",
    "project-restore": "takes POST alone",
    "project-transfer": "takes POST alone",
    "robots": "answers plain text",
    "settings-deleted": "shown once, to whose account has ended; see `arriving`",
    "settings-email": "takes POST alone",
    "settings-export": "takes POST alone",
    "settings-handle": "takes POST alone",
    "settings-key-replace": "shows its page to POST alone",
    "socialaccount_signup": "in the midst of a sign-in by another server",
    "theme": "takes POST alone",
}


def exempt(view_name: str) -> bool:
    """Whether a pattern needs no row."""
    return any(fnmatch(view_name, pattern) for pattern in EXEMPT)
