/** Does work in turn: what is handed over while too much is under way waits until something of it has ended. */
export type Queue = <T>(work: () => Promise<T>) => Promise<T>

/** A queue that does `most` pieces of work at a time, first come, first served. A piece that fails makes room like any other. */
export function queueOf(most: number): Queue {
  const waiting: (() => void)[] = []
  let underWay = 0

  return async (work) => {
    if (underWay < most) underWay++
    // A call that ends hands its place on, so that none that comes meanwhile slips in.
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
