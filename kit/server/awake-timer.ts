/** Later than this a timer is late because the process stood still, or was busy: what it waits for may be there, and not read yet. */
const lateMs = 500
const againMs = 1_000

/** Does something after so long, of which the process has had time to read what came. */
export function whenAwakeFor(ms: number, act: () => void): { clear(): void } {
  let timer: NodeJS.Timeout | undefined
  const wait = (waitMs: number): void => {
    const dueAt = performance.now() + waitMs
    timer = setTimeout(() => (performance.now() - dueAt > lateMs ? wait(againMs) : act()), waitMs)
  }
  wait(ms)
  return { clear: () => clearTimeout(timer) }
}
