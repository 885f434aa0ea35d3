type RequestedFailure<Operation, Kind> = { operation: Operation; kind: Kind; times: number; delay_ms: number }

export type FailureQueue<Operation extends string, Kind extends string> = {
  add(failure: RequestedFailure<Operation, Kind>): void
  pending(): RequestedFailure<Operation, Kind>[]
  clear(): void
  take(operation: Operation): { kind: Kind; delayMs: number } | null
}

/** Creates a queue of requested failures, which are used oldest first. It is kept in memory, so a restart empties it. */
export function createFailureQueue<Operation extends string, Kind extends string>(): FailureQueue<Operation, Kind> {
  const queue: RequestedFailure<Operation, Kind>[] = []
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
