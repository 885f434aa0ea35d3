/** How many milliseconds of processor time some work takes this thread: a busy machine makes it wait, not work. */
export function processorMs(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}
