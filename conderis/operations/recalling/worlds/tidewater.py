"""Tidewater: berths of a harbour planned on the web (Django, PostgreSQL, Celery)."""

from conderis.operations.recalling.worlds.world import Words, World, memory, page, pinned, task

TIDEWATER = World(
    name="tidewater",
    instructions="""# Working on Tidewater

Run `make check` before you say that something is done. Ask before you add a dependency.

## Language

Texts for the harbour office are Dutch, everything else is English.
""",
    known=(
        pinned("utc", "All times are stored in UTC",
               "Berth times are UTC in the database and turned into Europe/Amsterdam only in "
               "templates. A naive datetime in berths/ has moored two ships at one quay.", 310),
        pinned("live", "Production writes go through the change window",
               "Nothing is migrated or deployed on production between 04:00 and 09:00 UTC: the "
               "morning tide is planned then, and pilots read the board.", 260),
        pinned("draught", "Draught checks must never be skipped",
               "planner.check_draught runs for every assignment, imports too. Skipping it once "
               "let a 14 m ship into a 12 m berth.", 400, category="gotcha"),
        pinned("ais", "AIS keys are licensed per host",
               "The AIS feed key works on tw-ingest-1 alone. Using it elsewhere ends the licence; "
               "in development use fixtures/ais/*.jsonl.", 190, category="reference"),
        task("board", "Rewrite the berth board with server-sent events",
             "The board polls every 5 s and falls over with 40 screens.", 1,
             status="in_progress", priority="high", tags=("board",)),
        task("tides", "Import tide tables for 2027",
             "Rijkswaterstaat has changed the format; the parser refuses it.", 3,
             status="blocked", priority="high", tags=("tides",)),
        task("lock", "Double booking under two planners at once",
             "Two planners saved quay 7 within a second, and both were told yes.", 2,
             status="open", priority="urgent", tags=("planner",)),
        task("audit", "Hand the audit log to the port authority",
             "Export of all assignments since January.", 12, due_in=-2, priority="high"),
        task("celery", "Move the nightly replan off Celery beat",
             "Beat has run it twice after each restart.", 5, status="in_progress"),
        memory("sse", "The proxy buffers event streams",
               "HAProxy on tw-edge buffers responses of unknown length: an event stream needs "
               "`option http-no-delay` and a comment line every 15 s, or screens freeze.", 205,
               category="gotcha", about=("board",), tags=("ops",)),
        memory("screens", "Screens on the quay run Chromium 92",
               "The quay screens cannot be updated before the spring contract; no CSS nesting, "
               "no structuredClone.", 330, about=("board",), tags=("board",)),
        memory("rws", "Tide tables come as semicolon CSV from 2027 on",
               "Rijkswaterstaat sends ISO-8859-15 with decimal commas and a footer line. Heights "
               "are against NAP, no longer against LAT: subtract 2.31 m at our gauge.", 96,
               category="decision", about=("tides",), tags=("tides",)),
        memory("advisory", "Booking locks are advisory locks by quay",
               "We decided against row locks: planner.assign takes pg_advisory_xact_lock(quay_id) "
               "and reads again after it. Any new way to assign has to do the same.", 240,
               category="decision", about=("lock",), tags=("planner",)),
        memory("replan", "The nightly replan is not idempotent",
               "Running it twice moves every provisional berth by one slot. It needs the run id "
               "in planner_run before it starts.", 150, category="gotcha", about=("celery",)),
        memory("cutover", "Pilots keep the old board until 1 December",
               "Decided with the harbour master on Friday: both boards run side by side, and the "
               "old one stays the reference in any dispute.", 2, category="decision"),
        memory("flag", "Quay 12 is closed for dredging",
               "Closed from this week until further notice; seeds and demos must not use it.", 4),
        memory("freeze", "No schema changes on assignments this sprint",
               "The port authority certifies the schema next week; columns of assignments stay "
               "as they are until then.", 1, category="decision"),
        memory("money", "Harbour dues are integers in cents",
               "dues.Amount holds cents; floats have lost a cent a ship for a year. Rounding is "
               "half up, as the tariff says.", 280, category="convention", tags=("dues",)),
        memory("tests", "Planner tests need a frozen tide",
               "Use the fixture `spring_tide`: without it tests pass or fail by the moon.", 175,
               category="gotcha", tags=("tests",)),
        page("setup", "Setting up a development machine", "How to get the harbour running.", 140),
        page("release", "How a release is made", "Tag, window, board check, pilots' call.", 60),
        page("runbook", "Runbook: the board is down", "Whom to call, and the paper plan.", 220),
    ),
    words=Words(
        parts=("berth planner", "tide importer", "AIS ingest", "quay map", "dues calculator",
               "pilot roster", "tug scheduler", "crew list", "cargo manifest", "harbour log",
               "notice mailer", "customs export", "ship registry", "berth history"),
        tools=("Django", "Celery", "PostgreSQL", "HAProxy", "Leaflet", "pytest", "GeoDjango",
               "Redis", "Sentry", "nginx"),
        places=("tw-edge", "tw-ingest-1", "tw-db-2", "staging", "the harbour office", "CI",
                "the pilots' tablet"),
        troubles=("slow queries", "a time zone slip", "lost AIS messages", "stale map tiles",
                  "duplicate ships", "wrong call signs", "a full disk", "a broken CSV",
                  "missing tariffs", "memory growth"),
        works=("split", "cache", "index", "rename", "document", "test", "retry", "translate",
               "measure", "remove"),
        people=("Joost", "Marieke", "the harbour master", "the port authority", "Sanne"),
        tags=("planner", "tides", "ais", "dues", "map", "ops", "tests", "board", "mail"),
    ),
)  # fmt: skip
