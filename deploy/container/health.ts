/** What a container's health check runs: ends with 0 when the process of this container is ready. There is no curl in it. */
const answer = await fetch(`http://127.0.0.1:${process.env['PORT'] ?? '3000'}/readyz`, {
  signal: AbortSignal.timeout(3_000),
}).catch(() => null)
process.exitCode = answer?.ok ? 0 : 1
