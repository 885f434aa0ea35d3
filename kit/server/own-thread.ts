import { parentPort, Worker } from 'node:worker_threads'

type Asked = { id: number; input: unknown }
type Answered = { id: number } & ({ output: unknown } | { error: unknown })

/**
 * Runs a module's work on its own thread, one call after the other, because it occupies the processor too long for other requests. The
 * thread starts with the first call and stays. `module` must call `answerOnThread`.
 * @throws errors of the work, or an error when the thread has ended; the next call starts another thread
 */
export function onOwnThread<Input, Output>(module: URL) {
  let thread: { worker: Worker; waiting: Map<number, PromiseWithResolvers<Output>> } | null = null
  let calls = 0

  function begin() {
    // The thread gets none of the process's options, environment and secrets. Its garbage collection may be slow, because nobody waits for
    // it.
    const worker = new Worker(module, { execArgv: [], env: {}, resourceLimits: { maxYoungGenerationSizeMb: 8 } })
    const begun = { worker, waiting: new Map<number, PromiseWithResolvers<Output>>() }
    const end = (error: Error): void => {
      if (thread === begun) thread = null
      for (const { reject } of begun.waiting.values()) reject(error)
      begun.waiting.clear()
    }
    worker.on('message', (answer: Answered) => {
      const call = begun.waiting.get(answer.id)
      begun.waiting.delete(answer.id)
      if ('error' in answer) call?.reject(answer.error)
      else call?.resolve(answer.output as Output)
    })
    worker.on('error', end)
    worker.on('exit', (code) => end(new Error(`the thread of ${module.pathname} ended with ${code}`)))
    worker.unref()
    return begun
  }

  return {
    begin: (): void => void (thread ??= begin()),
    call(input: Input): Promise<Output> {
      const { worker, waiting } = (thread ??= begin())
      const call = Promise.withResolvers<Output>()
      const id = calls++
      waiting.set(id, call)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- no window
      worker.postMessage({ id, input } satisfies Asked)
      return call.promise
    },
  }
}

export function answerOnThread<Input, Output>(work: (input: Input) => Promise<Output>): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- no window
  const tell = (answer: Answered): void => parentPort?.postMessage(answer)
  parentPort?.on('message', ({ id, input }: Asked) => {
    work(input as Input).then(
      (output) => tell({ id, output }),
      (error: unknown) => tell({ id, error }),
    )
  })
}
