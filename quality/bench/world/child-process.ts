import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export type Child<Ask, Answer> = {
  /** Sends a request to the child process and returns its response. @throws any error that the child reports */
  ask(question: Ask): Promise<Answer>
  pid: number | null
  end(): Promise<void>
}

type Told<Answer> = { nth: number; answer: Answer } | { nth: number; fault: string }

export function startChild<Ask, Answer>(file: string): Child<Ask, Answer> {
  const child = fork(join(import.meta.dirname, '..', file), {
    serialization: 'advanced',
    // Use production mode, because some libraries behave differently depending on this variable.
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const pendingRequests = new Map<number, PromiseWithResolvers<Answer>>()
  const gone = once(child, 'exit')
  child.on('message', (told: Told<Answer>) => {
    const asked = pendingRequests.get(told.nth)
    pendingRequests.delete(told.nth)
    if ('fault' in told) asked?.reject(new Error(`${file}: ${told.fault}`))
    else asked?.resolve(told.answer)
  })
  child.once('exit', () => {
    for (const { reject } of pendingRequests.values()) reject(new Error(`${file} has ended`))
  })
  let count = 0
  return {
    pid: child.pid ?? null,
    ask(question) {
      const asked = Promise.withResolvers<Answer>()
      const nth = count++
      pendingRequests.set(nth, asked)
      child.send({ nth, question })
      return asked.promise
    },
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill()
      await gone
    },
  }
}

export function answerParentProcess<Ask, Answer>(answer: (question: Ask) => Promise<Answer>): void {
  process.once('disconnect', () => process.exit())
  process.on('message', ({ nth, question }: { nth: number; question: Ask }) => {
    answer(question).then(
      (answer) => process.send?.({ nth, answer }),
      (error: unknown) =>
        process.send?.({ nth, fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    )
  })
}
