import type { FaultWorld, ActiveFault } from '../injector.ts'

export function runUntilStopped(
  { signal }: Pick<FaultWorld, 'signal'>,
  act: (stopping: AbortSignal) => Promise<void>,
  mend: () => Promise<void> | void = () => {},
): ActiveFault {
  const own = new AbortController()
  const stopSignal = AbortSignal.any([own.signal, signal])
  async function run(): Promise<void> {
    while (!stopSignal.aborted) await act(stopSignal).catch((error: unknown) => rethrowUnlessAborted(stopSignal, error))
  }
  const runPromise = run()
  // Stop if there is an error, which `stop` passes on to its caller.
  runPromise.catch(() => own.abort())
  return {
    async stop() {
      own.abort()
      await runPromise.finally(mend)
    },
  }
}

function rethrowUnlessAborted({ aborted }: AbortSignal, error: unknown): void {
  if (!aborted) throw error
}
