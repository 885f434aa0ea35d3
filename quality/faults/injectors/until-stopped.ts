import type { FaultWorld, Running } from '../injector.ts'

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
  // The error reaches the caller of `stop`.
  running.catch(() => own.abort())
  return {
    async stop() {
      own.abort()
      await running.finally(mend)
    },
  }
}

function onlyWhen({ aborted }: AbortSignal, error: unknown): void {
  if (!aborted) throw error
}
