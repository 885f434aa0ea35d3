/**
 * Returns the milliseconds of processor time that this thread uses for `run`, in the fastest of several attempts. Unlike clock time,
 * processor time excludes other work of the machine. After an attempt of less than `enough` milliseconds there are no further attempts.
 */
export async function measureProcessorMs(run: () => unknown, { tries = 4, enough = 10 } = {}): Promise<number> {
  let best = Infinity
  for (let count = 0; count < tries && best > enough; count++) {
    const before = process.threadCpuUsage()
    await run()
    const { user, system } = process.threadCpuUsage(before)
    best = Math.min(best, (user + system) / 1_000)
  }
  return best
}
