import { parentPort, Worker } from 'node:worker_threads'

type ThreadRequest = { id: number; input: unknown }
type ThreadResponse = { id: number } & ({ output: unknown } | { error: unknown })

/**
 * Runs a module's work on its own thread, one call after another, because the work would block other requests for too long. The thread
 * starts with the first call and is then kept. `module` must call `serveThreadCalls`.
 * @throws any error the work throws, or an error if the thread has ended; the next call starts a new thread
 */
export function createWorkerThread<Input, Output>(module: URL) {
  let thread: { worker: Worker; waiting: Map<number, PromiseWithResolvers<Output>> } | null = null
  let calls = 0

  function startWorker() {
    /*
     * The thread does not get the process's options, environment or secrets. Its garbage collection may be slow, because nobody waits for
     * it.
     */
    const worker = new Worker(module, { execArgv: [], env: {}, resourceLimits: { maxYoungGenerationSizeMb: 8 } })
    const startedThread = { worker, waiting: new Map<number, PromiseWithResolvers<Output>>() }
    const end = (error: Error): void => {
      if (thread === startedThread) thread = null
      for (const { reject } of startedThread.waiting.values()) reject(error)
      startedThread.waiting.clear()
    }
    worker.on('message', (answer: ThreadResponse) => {
      const call = startedThread.waiting.get(answer.id)
      startedThread.waiting.delete(answer.id)
      if ('error' in answer) call?.reject(answer.error)
      else call?.resolve(answer.output as Output)
    })
    worker.on('error', end)
    worker.on('exit', (code) => end(new Error(`the thread of ${module.pathname} ended with ${code}`)))
    worker.unref()
    return startedThread
  }

  return {
    begin: (): void => void (thread ??= startWorker()),
    call(input: Input): Promise<Output> {
      const { worker, waiting } = (thread ??= startWorker())
      const call = Promise.withResolvers<Output>()
      const id = calls++
      waiting.set(id, call)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- no window
      worker.postMessage({ id, input } satisfies ThreadRequest)
      return call.promise
    },
  }
}

export function handleThreadRequests<Input, Output>(work: (input: Input) => Promise<Output>): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- no window
  const postResponse = (answer: ThreadResponse): void => parentPort?.postMessage(answer)
  parentPort?.on('message', ({ id, input }: ThreadRequest) => {
    work(input as Input).then(
      (output) => postResponse({ id, output }),
      (error: unknown) => postResponse({ id, error }),
    )
  })
}
