export type Queue = <T>(work: () => Promise<T>) => Promise<T>

export function createQueue(maxConcurrent: number): Queue {
  const pendingStarts: (() => void)[] = []
  let runningCount = 0

  return async (work) => {
    if (runningCount < maxConcurrent) runningCount++
    // The slot passes directly to the next task, so that a task that arrives in between cannot take it.
    else await new Promise<void>((resolve) => pendingStarts.push(resolve))
    try {
      return await work()
    } finally {
      const next = pendingStarts.shift()
      if (next) next()
      else runningCount--
    }
  }
}
