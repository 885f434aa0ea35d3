/**
 * Milliseconds that this thread worked for `run`, of the quickest of some tries. Unlike the time on the clock it leaves out
 * whatever else the machine does; a try of less than `enough` needs no other.
 */
export async function processorTime(run: () => unknown, { tries = 4, enough = 10 } = {}): Promise<number> {
  let best = Infinity
  for (let count = 0; count < tries && best > enough; count++) {
    const before = process.threadCpuUsage()
    await run()
    const { user, system } = process.threadCpuUsage(before)
    best = Math.min(best, (user + system) / 1_000)
  }
  return best
}
