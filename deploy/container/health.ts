/** Health check of the container image, which contains no curl. Exits with 0 if the container's process is ready. */
const answer = await fetch(`http://127.0.0.1:${process.env['PORT'] ?? '3000'}/readyz`, {
  signal: AbortSignal.timeout(3_000),
}).catch(() => null)
process.exitCode = answer?.ok ? 0 : 1
