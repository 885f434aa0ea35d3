import { setTimeout as pause } from 'node:timers/promises'
import type { ProductProcess } from '#quality/support/product-process.ts'

/**
 * The environment variable that sets how many seconds pass between two kills of a fleet's processes. If it is not set, no process is
 * killed.
 */
export const fleetKillsVariable = 'FLEET_KILLS'

export function killRepeatedly(processes: readonly ProductProcess[], seconds: number): { stop(): Promise<void> } {
  const abortController = new AbortController()
  async function run(): Promise<void> {
    for (let turn = 0; !abortController.signal.aborted; turn++) {
      await pause(seconds * 1_000, undefined, { signal: abortController.signal }).catch(() => {})
      const next = processes[turn % processes.length]
      if (abortController.signal.aborted || !next) return
      await next.kill()
      await next.start()
    }
  }
  const runPromise = run()
  return {
    async stop() {
      abortController.abort()
      await runPromise
    },
  }
}
