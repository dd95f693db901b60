"""Kestrel: parcels flown by drones, tracked on phones (Go, Kotlin, Kafka)."""

from conderis.operations.recalling.worlds.world import Words, World, memory, page, pinned, task

KESTREL = World(
    name="kestrel",
    instructions="""# Working on Kestrel

Proto files first, then code. `task verify` runs what the pipeline runs.

## Incidents

Flight safety goes before everything: stop and page the duty pilot.
""",
    known=(
        pinned("geo", "No-fly zones are loaded before any route",
               "router refuses to start without zones younger than 24 h. Never cache past that: "
               "the authority fines per flight.", 270),
        pinned("abort", "Abort commands skip every queue",
               "Aborts go over the radio link of flightd, never through Kafka: a lagging consumer "
               "has cost a drone.", 380, category="gotcha"),
        pinned("proto", "Proto fields are never reused",
               "Phones in the field are a year behind. Numbers of removed fields are reserved; "
               "buf breaking runs on every merge.", 210),
        pinned("pii", "Addresses stay in the parcels service",
               "Other services know a drop id, no street and no name. Logs and events with an "
               "address are incidents.", 300),
        pinned("duty", "Flight releases need the duty pilot",
               "flightd goes out only with a pilot's sign-off in #flight-release, staging "
               "flights too.", 160),
        task("battery", "Range estimate ignores cold batteries",
             "Below 0 degrees the estimate is a third too high.", 1, status="in_progress",
             priority="urgent", tags=("router",)),
        task("lag", "Tracking events arrive late on Android",
             "Up to four minutes behind the drone.", 2, status="in_progress", tags=("android",)),
        task("zones", "Switch to the authority's new zone feed",
             "They have not sent the certificate.", 8, status="blocked", priority="high",
             tags=("router",)),
        task("retention", "Delete flight traces after 90 days",
             "The auditor's date.", 25, due_in=-1, priority="high", tags=("privacy",)),
        task("winch", "Winch stops at 2 m on firmware 7",
             "Parcels hang over gardens.", 1, status="open", priority="urgent",
             tags=("firmware",)),
        memory("curve", "Battery curves are per cell maker",
               "cells/*.csv has curves by maker and age; the linear model of router was meant for "
               "the prototype. Interpolate by temperature, and clamp at 20 % reserve.", 170,
               category="decision", about=("battery",), tags=("router",)),
        memory("doze", "Doze batches our pushes",
               "Normal-priority pushes wait for Doze. High priority is rationed by app standby: "
               "use it for arrival alone, and poll while the map is open.", 320,
               category="gotcha", about=("lag",), tags=("android",)),
        memory("cert", "The zone feed wants mutual TLS",
               "Certificate by the authority, key in the HSM slot zone-feed, renewed by hand each "
               "March. Java's client cannot do it; use the Go proxy zonegate.", 140,
               category="reference", about=("zones",), tags=("router",)),
        memory("traces", "Traces are also in the lake",
               "Deleting from Postgres is not enough: the lake keeps Parquet by day, and backups "
               "of it are kept for 30 days more.", 250, category="gotcha",
               about=("retention",), tags=("privacy",)),
        memory("winchapi", "Winch commands are fire and forget",
               "The firmware acknowledges receipt, never completion; the height comes from the "
               "lidar topic. We decided to hold at 2 m when lidar is silent.", 200,
               category="decision", about=("winch",), tags=("firmware",)),
        memory("night", "Night flights are suspended",
               "Until the authority has read the report; the scheduler flag is off since "
               "Wednesday and must stay off.", 3, category="decision"),
        memory("kafka", "Kafka is being moved to new brokers",
               "Two clusters until the weekend; produce to the old one, consume from both.", 1),
        memory("units", "Metres, seconds, WGS84 everywhere",
               "Altitude is above ellipsoid in every proto; only the apps show feet. Mixed "
               "heights have landed a drone on a roof.", 330, category="convention"),
        memory("sim", "The simulator runs at ten times speed in CI",
               "Timeouts in tests are in simulated seconds: use clock.Sim, never time.Sleep.",
               185, category="gotcha", tags=("tests",)),
        memory("mono", "One repository, one version",
               "All services and both apps are released with the same version; a service is "
               "never deployed from a branch.", 240, category="convention"),
        page("start", "First day", "Access, tools, the simulator.", 110),
        page("incident", "What to do in an incident", "Page, stop, write down.", 70),
        page("deploy", "Deploying flightd", "Sign-off, canary drone, fleet.", 35),
    ),
    words=Words(
        parts=("router", "flightd", "parcels service", "tracking API", "Android app", "iOS app",
               "zone proxy", "winch driver", "lidar reader", "charger dock", "dispatch board",
               "invoice job", "weather cache", "simulator"),
        tools=("Kafka", "Go", "Kotlin", "gRPC", "Postgres", "Terraform", "Bazel", "buf",
               "Grafana", "MQTT"),
        places=("the hub in Ghent", "staging", "the test field", "the lake", "CI",
                "the canary drone", "the duty phone"),
        troubles=("late events", "a GPS jump", "a stuck consumer", "wrong heights",
                  "dropped frames", "a reboot in flight", "stale weather", "double invoices",
                  "certificate expiry", "battery swaps"),
        works=("split", "cache", "throttle", "rename", "document", "simulate", "retry", "port",
               "measure", "retire"),
        people=("Lotte", "the duty pilot", "the authority", "Emeka", "the field team"),
        tags=("router", "android", "ios", "firmware", "kafka", "privacy", "tests", "ops",
              "billing"),
    ),
)  # fmt: skip
