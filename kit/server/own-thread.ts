import { parentPort, Worker } from 'node:worker_threads'

type Asked = { id: number; input: unknown }
type Answered = { id: number } & ({ output: unknown } | { error: unknown })

/**
 * Has a module's work done on a thread of its own, one after the other: for what takes the processor so long that others would wait. The
 * thread begins with the first call, and stays. `module` says `answerOnThread`.
 * @throws what the work throws, and that the thread has ended; the next call begins another
 */
export function onOwnThread<Input, Output>(module: URL) {
  let thread: { worker: Worker; waiting: Map<number, PromiseWithResolvers<Output>> } | null = null
  let calls = 0

  function begin() {
    // What a process was told at its start, and what it keeps secret, is not for it. Nobody waits for how soon it tidies up.
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
    // It keeps no process from ending.
    worker.unref()
    return begun
  }

  return {
    /** Begins the thread: the first call does not wait for it. */
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

/** In the thread: does this for each call. */
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
