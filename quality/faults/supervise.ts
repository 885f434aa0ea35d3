import { setTimeout as pause } from 'node:timers/promises'
import { type ProductProcess, createProductProcess } from '#quality/support/product-process.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { FaultProcess } from './injector.ts'

export type SupervisedProcess = FaultProcess & {
  begin(): Promise<void>
  end(): Promise<void>
  lines(): string[]
  starts(): number
}

/** The restart delay in milliseconds, the same as `RestartSec` in deploy/systemd. */
const restartMs = 1_000
const readinessTimeoutMs = 2_500

/** Use the same V8 flags as in production, because the memory of these processes is being monitored. */
export const memoryFlags = ['--max-semi-space-size=8', '--heap-growing-percent=30']

const startProcess = (env: Record<string, string>): ProductProcess => createProductProcess(env, { flags: memoryFlags })

export function supervise(name: string, env: Record<string, string>): SupervisedProcess {
  const state = { current: startProcess(env), isWanted: false, lives: 0, before: [] as string[] }
  let running: Promise<void> = Promise.resolve()

  async function begin(): Promise<void> {
    state.isWanted = true
    running = live(state)
    await ready().catch((error: unknown) => {
      throw new Error(`${name} is not ready: ${readOutputLines(state.current).slice(-5).join('\n')}`, { cause: error })
    })
  }
  async function end(): Promise<void> {
    state.isWanted = false
    state.current.wake()
    await state.current.stop()
    await running
  }
  const ready = async (withinMs = 120_000): Promise<void> =>
    void (await pollUntil(() => isReady(state.current), { withinMs }))

  return {
    name,
    url: state.current.url,
    dataDir: env['DATA_DIR'] ?? '',
    env,
    pid: () => state.current.pid(),
    kill: () => state.current.kill(),
    freeze: () => state.current.pause(),
    thaw: () => state.current.wake(),
    skewClock: (seconds) => state.current.skewClock(seconds),
    async restart(besides = {}) {
      await end()
      state.before.push(...readOutputLines(state.current))
      state.current = startProcess({ ...env, ...besides })
      await begin()
    },
    ready,
    begin,
    end,
    lines: () => [...state.before, ...readOutputLines(state.current)].filter(Boolean),
    starts: () => state.lives,
  }
}

async function live(state: { current: ProductProcess; isWanted: boolean; lives: number }): Promise<void> {
  while (state.isWanted) {
    state.lives += 1
    try {
      await state.current.start()
      if (state.current.pid() !== null) await state.current.death()
    } catch {
      // Ignore the error: the process could not be started, and its output says why.
    }
    if (state.isWanted) await pause(restartMs)
  }
}

const readOutputLines = (one: ProductProcess): string[] => [
  ...one.complaints(),
  ...(one.pid() === null ? [] : one.output().split('\n')),
]

async function isReady({ url }: ProductProcess): Promise<boolean> {
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(readinessTimeoutMs) }).catch(() => null)
  await answer?.body?.cancel().catch(() => {})
  return answer?.status === 200
}
