/** A failure that was asked for: it hits the next `times` calls of an operation, after or instead of what they do. */
type Asked<Operation, Kind> = { operation: Operation; kind: Kind; times: number; delay_ms: number }

export type FailureQueue<Operation extends string, Kind extends string> = {
  add(failure: Asked<Operation, Kind>): void
  /** Those still waiting, oldest first. */
  pending(): Asked<Operation, Kind>[]
  clear(): void
  /** Uses up one failure of the call; null when none is due. */
  take(operation: Operation): { kind: Kind; delayMs: number } | null
}

/** Failures that were asked for, oldest first. They are kept in memory: a restart forgets them. */
export function createFailureQueue<Operation extends string, Kind extends string>(): FailureQueue<Operation, Kind> {
  const queue: Asked<Operation, Kind>[] = []
  return {
    add: (failure) => void queue.push({ ...failure }),
    pending: () => queue.map((failure) => ({ ...failure })),
    clear: () => void queue.splice(0),
    take(operation) {
      const found = queue.find((failure) => failure.operation === operation)
      if (!found) return null
      found.times -= 1
      if (found.times === 0) queue.splice(queue.indexOf(found), 1)
      return { kind: found.kind, delayMs: found.delay_ms }
    },
  }
}
