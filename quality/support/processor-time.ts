/**
 * The milliseconds that this thread worked for `run`, in the quickest of some tries. Unlike clock time, they leave out everything else
 * that the machine does. After a try of less than `enough`, no other is made.
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
