"""Lumen: a free photo gallery generator for the command line (Rust), with strangers' patches."""

from conderis.operations.recalling.worlds.world import Words, World, memory, page, pinned, task

LUMEN = World(
    name="lumen",
    instructions="""# Working on Lumen

`cargo xtask ci` is what CI runs. Public items need a doc comment with an example.

## Reviews

Thank people. Say which part of a patch you have not looked at.
""",
    known=(
        pinned("msrv", "Rust 1.74 is the floor",
               "Debian stable builds Lumen: no feature above Rust 1.74 in any crate of the "
               "workspace, dependencies too. cargo-msrv runs in CI.", 230),
        pinned("exif", "Location is stripped unless asked for",
               "GPS tags leave a picture only with --keep-location. A path that copies EXIF "
               "whole has published somebody's home.", 340, category="gotcha"),
        pinned("semver", "Templates are public interface",
               "A changed variable in a theme template is a breaking change and waits for the "
               "next major version; themes of others depend on it.", 150),
        task("avif", "Encode AVIF in parallel without eating all memory",
             "Each encoder takes 400 MB for a 50 MP picture.", 0, status="in_progress",
             priority="high", tags=("encode",)),
        task("win", "Paths over 260 characters on Windows",
             "Albums in albums fail to be written.", 6, status="blocked", tags=("windows",)),
        task("cve", "Upgrade libwebp for the heap overflow",
             "Distributors wait for a release.", 1, status="open", priority="urgent",
             tags=("security",)),
        task("watch", "lumen serve: rebuild only what changed",
             "A changed picture rebuilds the whole site.", 4, status="in_progress",
             tags=("serve",)),
        task("theme", "Release the new default theme with 0.9",
             "Promised in the announcement.", 20, due_in=-5, priority="high"),
        memory("pool", "The encoder pool is bounded by pixels",
               "We settled on a semaphore in megapixels instead of threads: a permit for each "
               "megapixel, half of RAM divided by 8 MB. rayon alone starves the decoder.", 120,
               category="decision", about=("avif",), tags=("encode",)),
        memory("ravif", "ravif ignores its thread setting below 2 MP",
               "Known upstream; measure with pictures above that size, or every benchmark says "
               "that threads do not matter.", 260, category="gotcha", about=("avif",)),
        memory("verbatim", "Verbatim paths break the template loader",
               "The prefix of long paths on Windows turns / into a literal; minijinja then finds "
               "no include. Only the writer may see such paths.", 310, category="gotcha",
               about=("win",), tags=("windows",)),
        memory("vendor", "libwebp is vendored, not linked",
               "crates/lumen-webp carries the C source; to upgrade, run scripts/vendor-webp and "
               "bump the checksum in deny.toml, or cargo-deny fails for everybody.", 400,
               category="reference", about=("cve",), tags=("security",)),
        memory("digest", "Rebuilds are decided by content digests",
               "Timestamps lie after git clone, so .lumen/cache.json holds blake3 digests. It "
               "must be written last, and renamed into place.", 180, category="decision",
               about=("watch",), tags=("serve",)),
        memory("freeze", "Main is frozen for 0.9",
               "Since Monday only fixes and translations are merged; features go to next.", 3,
               category="decision"),
        memory("mirror", "The crates mirror of CI is read-only this week",
               "Their migration; do not add a new dependency before it ends.", 2),
        memory("dco", "Commits need a sign-off",
               "DCO, not CLA: every commit has Signed-off-by, merges are rebased. The bot "
               "cannot be asked to skip it.", 290, category="convention"),
        memory("color", "Pictures are converted to sRGB before resizing",
               "Resizing wide-gamut pictures first has made skin green; lcms2 comes before "
               "fast_image_resize in every pipeline.", 210, category="gotcha", tags=("encode",)),
        memory("snap", "Golden pictures are compared by SSIM",
               "Encoders differ by machine: tests/golden compares by SSIM above 0.995, never by "
               "bytes.", 195, category="convention", tags=("tests",)),
        page("arch", "How a gallery is built", "Scan, decode, plan, encode, render.", 130),
        page("release", "Releasing", "Changelog, tag, crates.io, distributors' list.", 45),
        page("themes", "Writing a theme", "Variables, and what is promised of them.", 90),
    ),
    words=Words(
        parts=("scanner", "decoder", "thumbnailer", "album index", "theme loader", "RSS writer",
               "search page", "EXIF reader", "caption parser", "map view", "video poster",
               "upload command", "configuration", "progress bar"),
        tools=("cargo", "rayon", "minijinja", "image", "clap", "serde", "ravif", "lcms2",
               "insta", "cross"),
        places=("Debian stable", "macOS", "Windows", "CI", "the demo site", "NixOS", "Flathub"),
        troubles=("a panic on empty albums", "wrong orientation", "slow scans", "lost captions",
                  "broken symlinks", "a dead link", "odd file names", "huge panoramas",
                  "flaky tests", "memory peaks"),
        works=("split", "cache", "speed up", "rename", "document", "fuzz", "retry", "translate",
               "measure", "drop"),
        people=("Ines", "a packager", "Oke", "the theme authors", "Yusuf"),
        tags=("encode", "themes", "serve", "windows", "exif", "tests", "cli", "video", "docs"),
    ),
)  # fmt: skip
