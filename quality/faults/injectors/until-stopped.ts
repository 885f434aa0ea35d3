import type { FaultWorld, Running } from '../injector.ts'

/** Does something again and again until it is told to stop, and then puts right what it has broken. */
export function untilStopped(
  { signal }: Pick<FaultWorld, 'signal'>,
  act: (stopping: AbortSignal) => Promise<void>,
  mend: () => Promise<void> | void = () => {},
): Running {
  const own = new AbortController()
  const stopping = AbortSignal.any([own.signal, signal])
  async function run(): Promise<void> {
    while (!stopping.aborted) await act(stopping).catch((error: unknown) => onlyWhen(stopping, error))
  }
  const running = run()
  // Whoever stops it is told.
  running.catch(() => own.abort())
  return {
    async stop() {
      own.abort()
      await running.finally(mend)
    },
  }
}

/** A pause that was broken off is no fault. */
function onlyWhen({ aborted }: AbortSignal, error: unknown): void {
  if (!aborted) throw error
}
