export type Queue = <T>(work: () => Promise<T>) => Promise<T>

export function createQueue(maxConcurrent: number): Queue {
  const startCallbacks: (() => void)[] = []
  let runningCount = 0

  return async (work) => {
    if (runningCount < maxConcurrent) runningCount++
    // A finished task hands its slot straight to the next waiting task, so that a task that has just arrived cannot take it.
    else await new Promise<void>((resolve) => startCallbacks.push(resolve))
    try {
      return await work()
    } finally {
      const next = startCallbacks.shift()
      if (next) next()
      else runningCount--
    }
  }
}
