// Lighthouse on a list of pages, each in a Chromium of its own. Reads from stdin a JSON list of
// {name, url, cookie}, and answers one JSON line for each: {name, scores, failing}.
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';

let input = '';
for await (const part of process.stdin) input += part;

// A browser for each page: cookies that an earlier page set would stand in the way of ours.
for (const { name, url, cookie } of JSON.parse(input)) {
  const chromium = await launch({
    chromePath: process.env.CHROMIUM,
    chromeFlags: JSON.parse(process.env.FLAGS),
    logLevel: 'silent',
  });
  try {
    const found = await lighthouse(url, {
      port: chromium.port,
      logLevel: 'silent',
      output: 'json',
      onlyCategories: ['accessibility', 'best-practices'],
      extraHeaders: cookie ? { Cookie: cookie } : undefined,
      // Speed is not judged, so there is little to wait for (every other way to throttle
      // waits five seconds more).
      throttlingMethod: 'simulate',
      pauseAfterFcpMs: 0,
      pauseAfterLoadMs: 0,
      networkQuietThresholdMs: 100,
      cpuQuietThresholdMs: 0,
      maxWaitForLoad: 20_000,
      disableFullPageScreenshot: true,
    });
    const { categories, audits, runtimeError, finalDisplayedUrl } = found.lhr;
    const scores = Object.fromEntries(
      Object.entries(categories).map(([id, { score }]) => [id, Math.round((score ?? 0) * 100)]),
    );
    const weighty = Object.values(categories)
      .flatMap(({ auditRefs }) => auditRefs)
      .filter(({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 1);
    const failing = weighty.map(({ id }) => `${id}: ${audits[id].title}`);
    if (runtimeError) failing.push(`${runtimeError.code}: ${runtimeError.message}`);
    process.stdout.write(JSON.stringify({ name, scores, failing, at: finalDisplayedUrl }) + '\n');
  } finally {
    await chromium.kill();
  }
}
