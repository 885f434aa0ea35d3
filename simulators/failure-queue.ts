/** A requested failure. It affects the next `times` calls of an operation, after or instead of their effect. */
type Asked<Operation, Kind> = { operation: Operation; kind: Kind; times: number; delay_ms: number }

export type FailureQueue<Operation extends string, Kind extends string> = {
  add(failure: Asked<Operation, Kind>): void
  /** Failures that are not used up, oldest first. */
  pending(): Asked<Operation, Kind>[]
  clear(): void
  /** Uses up one failure for the call. `null` if none is queued. */
  take(operation: Operation): { kind: Kind; delayMs: number } | null
}

/** Queue of requested failures, oldest first. It is kept in memory, so a restart empties it. */
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
