export type Queue = <T>(work: () => Promise<T>) => Promise<T>

export function queueOf(most: number): Queue {
  const waiting: (() => void)[] = []
  let underWay = 0

  return async (work) => {
    if (underWay < most) underWay++
    // The slot passes directly to the next task, so that a task that arrives in between cannot take it.
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else underWay--
    }
  }
}
