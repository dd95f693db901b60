"""Where things are, what is done to them, and who decides."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from conderis.web.refusal_rules.patterns import rule

# Where something is, and what stands there.
OF_PLACES: Final = (
    rule(
        r"There is no (?P<item>.+) that you may read\.",
        _("There is no %(item)s that you may read."),
    ),
    rule(
        r"<ITEM> was erased for good; nothing of it is left\.",
        _("%(item)s was erased for good. Nothing of it is left."),
    ),
    rule(
        r"<ITEM> is locked by a deletion request until a person has decided it\.",
        _("%(item)s is locked by a deletion request until a person has decided."),
    ),
    rule(
        r"<REF>, or the version that it is based on, is locked by a deletion request .+",
        _("A deletion request has locked it, or the version that it is based on."),
    ),
    rule(
        r"This project has no instructions yet\..*", _("This project has no instructions yet.")
    ),
    rule(r"<NAME> has no instructions yet\. .+", _("%(name)s has no instructions yet.")),
    rule(
        r"<OTHER> is an? (?P<kind2>\w+); the parent of a (?P<kind3>\w+) must be a <KIND>\.",
        _("%(other)s is of another kind: what it stands under must be a %(kind)s too."),
    ),
    rule(
        r"<OTHER> is (?P<state>\w+), so it cannot become a parent\.",
        _("%(other)s is %(state)s, so nothing can be put under it."),
    ),
    rule(
        r"<OTHER> is (?:private|shared); an item and its parent have the same visibility\.",
        _("%(other)s is seen by others than this: an item and its parent have the same readers."),
    ),
    rule(r"<OTHER> stands below this item\.", _("%(other)s stands below this item itself.")),
    rule(
        r"<KIND> can be <LIMIT> levels deep; here it would be <COUNT>\.",
        _("%(kind)s can be %(limit)s levels deep; here it would be %(count)s."),
    ),
    rule(
        r"Name the number of the other one\.",
        _("Enter the number of the other one."),
    ),
    rule(
        r"An item has no place beside or below itself\.",
        _("An item has no place beside or below itself."),
    ),
    rule(
        r"<OTHER> is an? <KIND>; an? \w+ stands among \w+\.",
        _("%(other)s is of another kind, so this cannot stand there."),
    ),
    rule(
        r"<OTHER> is archived, so nothing is placed there\.",
        _("%(other)s is archived, so nothing can be put there."),
    ),
    rule(
        r"<OTHER> already has this title in the same place\. Change the title of #\d+, .+",
        _("%(other)s already has this title in the same place. Rename %(other)s, then restore "
          "this one."),
    ),
    rule(
        r"<OTHER> already has this title in the same place\. .+",
        _("%(other)s already has this title in the same place. Give this one another title."),
    ),
    rule(
        r"A memory's visibility is fixed at its creation\. .+",
        _("Who can see a memory is fixed when it is made. Store a copy, then archive this one."),
    ),
    rule(
        r"A critical memory cannot be in a bag: .+",
        _("A critical memory stands alone: give it normal weight, or no parent."),
    ),
    rule(
        r"<ITEM> stands under <OTHER>, which is archived\. .+",
        _("%(item)s stands under %(other)s, which is archived. Restore %(other)s first."),
    ),
    rule(r"<ITEM> is not archived(?: any more)?\.", _("%(item)s is not archived.")),
    rule(r"it is not archived any more\.", _("It is not archived any more.")),
    rule(
        r"<ITEM> is archived\. Restore it first(?: \(item_action restore\))?\.",
        _("%(item)s is archived. Restore it first."),
    ),
    rule(
        r"<ITEM> has no version (?P<version>\d+); .+",
        _("%(item)s has no version %(version)s."),
    ),
    rule(
        r"Version <NUMBER> is locked or erased\.",
        _("Version %(number)s is locked or erased, so it cannot be restored."),
    ),
    rule(r"Version <NUMBER> of <ITEM> was erased for good already\.",
          _("Version %(number)s of %(item)s was erased for good already.")),
    rule(
        r"<ITEM> has changed since version (?P<version>\d+)\. .+",
        _("%(item)s has changed since version %(version)s, which you have seen."),
    ),
    rule(
        r"Send the version that you read: <ITEM> is now at version <COUNT>\. .+",
        _("%(item)s is now at version %(count)s. Look at it again, then send your change."),
    ),
)  # fmt: skip


# What is done to items, and who works on them.
OF_DEEDS: Final = (
    rule(
        r"<NAME> has already done this: <ITEM> is (?P<what>\w+)\.",
        _("%(name)s has already done this with %(item)s."),
    ),
    rule(
        r"<ITEM> is a <KIND>; its actions are: .+", _("This cannot be done with a %(kind)s.")
    ),
    rule(
        r"(?P<action>\w+) (?:takes no|needs) (?P<what>\w+)(?: \w+|; relate and unrelate do)?\..*",
        _("This cannot be done so."),
    ),
    rule(r"The actions of a proposal are: .+", _("This cannot be done with a proposal.")),
    rule(
        r"<ITEM> is already blocked\. To give another reason, .+",
        _("%(item)s is already blocked. To give another reason, end the block first."),
    ),
    rule(
        r"Nobody who may work in this project has this reference\. .+",
        _("Nobody who works in this project is called so. Choose somebody of the list."),
    ),
    rule(
        r"This task is blocked\. When the reason no longer holds, .+",
        _("This task is blocked. When the reason no longer holds, end the block, then claim it."),
    ),
    rule(
        r"This task is <STATUS>\. To take it up again, .+",
        _("This task is closed (%(status)s). To take it up again, edit its status first."),
    ),
    rule(
        r"This task is canceled\. Reopen it .+",
        _("This task is canceled. To take it up again, edit its status first."),
    ),
    rule(r"This task is held\.", _("Somebody works on this task.")),
    rule(
        r"<NAME> already holds this task\. To take it over on purpose, .+",
        _(
            "%(name)s already works on this task. To take it over, edit who it is assigned to, "
            "then claim it."
        ),
    ),
    rule(
        r"To block a task, send reason: what it waits for\.",
        _("Blocking a task needs a reason: what it waits for."),
    ),
    rule(
        r"This task is <STATUS>; only an active task can be blocked\.",
        _("This task is closed (%(status)s), so it cannot be blocked."),
    ),
    rule(
        r"This task is not blocked; it is <STATUS>\.",
        _("This task is not blocked (%(status)s)."),
    ),
    rule(r"target must be the number of .+", _("Enter the number of the other item.")),
    rule(
        r"An item cannot be related to itself\.", _("An item cannot be related to itself.")
    ),
    rule(
        r"<ITEM> cannot block <OTHER>: .+",
        _("%(item)s cannot block %(other)s, which blocks it already, itself or through others."),
    ),
    rule(
        r"<ITEM> has <LIMIT> relations; no more are taken\.",
        _("%(item)s has %(limit)s relations, and no more are taken."),
    ),
    rule(r"The \w+ have no relations\.", _("Nothing can be related to these.")),
    rule(
        r"A <KIND> has no relation \w+\. .+", _("A %(kind)s cannot be related in this way.")
    ),
    rule(
        r"(?P<other>.+) is an item of another project\. .+",
        _("%(other)s is of another project. Related are items of one project."),
    ),
    rule(
        r"(?P<relation>\w+) joins only: .+\. <OTHER> is a <KIND>\.",
        _("This relation is not for a %(kind)s, as %(other)s is."),
    ),
    rule(
        r"(?:An?|The) <KIND> ha(?:s|ve) no field .+", _("It has no such field. Nothing was stored.")
    ),
    rule(
        r"<ITEM> is a <KIND>, not a .+", _("%(item)s is of another kind.")
    ),
)  # fmt: skip


# Proposals, and who may do what.
OF_PROPOSALS: Final = (
    rule(
        r"(?P<count>\w+)\b.*; no more are taken\. Withdraw some .+",
        _(
            "As many proposals as are taken wait already (%(count)s). Withdraw some, or wait until "
            "they are decided."
        ),
    ),
    rule(
        r"This project has as many proposals of people without a role waiting as it takes .+",
        _(
            "As many proposals of people without a role wait here as are taken. Try again when "
            "the moderators have decided some."
        ),
    ),
    rule(
        r"Without a role here you can propose <LIMIT> changes an hour\. .+",
        _("Without a role here you can propose %(limit)s changes an hour. Wait a while."),
    ),
    rule(
        r"Tasks and private memories are never reviewed\. .+",
        _("Tasks and private memories are never reviewed."),
    ),
    rule(r"A proposal is never changed\. .+", _("A proposal is never changed. Make another one.")),
    rule(
        r"This proposal is your own or one of your agents'(?:; somebody else decides it)?\. .+",
        _("This proposal is your own or one of your agents': somebody else decides it."),
    ),
    rule(
        r"This proposal is of your own person, who alone could approve it, .+",
        _("This proposal is your own, and only you could approve it, in the browser."),
    ),
    rule(
        r"<REF> cannot be approved as things stand: (?P<why>.+)",
        _("It cannot be approved as things stand: %(why)s"),
    ),
    rule(
        r"<REF> cannot be approved whole as things stand: .+, the first since: (?P<why>.+) "
        r"A person can leave them out, in the browser\.",
        _(
            "It cannot be approved whole as things stand. The first item that does not fit: "
            "%(why)s Leave out what does not fit."
        ),
    ),
    rule(
        r"The <KIND> of this batch that it stands under does not fit\.",
        _("The %(kind)s that it stands under does not fit."),
    ),
    rule(
        r"version <NUMBER>, which it was worked out from, has been erased, .+",
        _(
            "Version %(number)s, which it was worked out from, has been erased, so nothing can be "
            "merged."
        ),
    ),
    rule(
        r"there is nothing any more that it would change\.",
        _("There is nothing any more that it would change."),
    ),
    rule(
        r"<REF> is of a new item, which has no version yet\. .+",
        _("It is of a new item, which has no version yet."),
    ),
    rule(
        r"<NAME> has already decided this: <REF> is (?P<what>\w+)\.",
        _("%(name)s has already decided this."),
    ),
    rule(
        r"Send reason: why it is rejected\. .+",
        _("Rejecting needs a reason: the proposer reads it."),
    ),
    rule(
        r"Send reason: why it must be deleted for good\. .+",
        _("Asking for an erasure needs a reason: whoever decides reads it."),
    ),
    rule(
        r"since must come before until, both with a time zone\.",
        _("The beginning must come before the end."),
    ),
    rule(
        r"To (?P<use>.+) in (?P<project>\S+) you need the capability (?P<what>\w+), which .+",
        _("Your role in %(project)s does not let you do this."),
    ),
)
