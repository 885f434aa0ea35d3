/**
 * Returns how much processor time this thread uses for `run`, in milliseconds; the fastest of several attempts counts. Unlike elapsed time,
 * it is not affected by other work on the machine. Once an attempt takes less than `enough` milliseconds, there are no further ones.
 */
export async function measureCpuMs(run: () => unknown, { tries = 4, enough = 10 } = {}): Promise<number> {
  let best = Infinity
  for (let count = 0; count < tries && best > enough; count++) {
    const initialUsage = process.threadCpuUsage()
    await run()
    const { user, system } = process.threadCpuUsage(initialUsage)
    best = Math.min(best, (user + system) / 1_000)
  }
  return best
}
