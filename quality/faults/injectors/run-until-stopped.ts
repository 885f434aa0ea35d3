import type { FaultWorld, ActiveFault } from '../injector.ts'

export function runUntilStopped(
  { signal }: Pick<FaultWorld, 'signal'>,
  act: (stopping: AbortSignal) => Promise<void>,
  mend: () => Promise<void> | void = () => {},
): ActiveFault {
  const own = new AbortController()
  const stopping = AbortSignal.any([own.signal, signal])
  async function run(): Promise<void> {
    while (!stopping.aborted) await act(stopping).catch((error: unknown) => ignoreWhenAborted(stopping, error))
  }
  const running = run()
  // Stop if there is an error, which `stop` passes on to its caller.
  running.catch(() => own.abort())
  return {
    async stop() {
      own.abort()
      await running.finally(mend)
    },
  }
}

function ignoreWhenAborted({ aborted }: AbortSignal, error: unknown): void {
  if (!aborted) throw error
}
