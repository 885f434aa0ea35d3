import { setTimeout as pause } from 'node:timers/promises'
import type { SupervisedProcess } from './supervise.ts'
import { readPeakMegabytes } from './process-memory.ts'

/** The memory limit for a Fantail process, in megabytes. */
export const maxMegabytes = 450

type Peak = { name: string; megabytes: number; during: string }

export function trackPeakMemory(
  processes: readonly Pick<SupervisedProcess, 'name' | 'pid'>[],
  activeFaults: () => string,
  peakOf: (pid: number | null) => number | null = readPeakMegabytes,
) {
  const peaks = new Map<string, Peak>()
  const abortController = new AbortController()
  function look(): void {
    for (const { name, pid } of processes) {
      const megabytes = peakOf(pid()) ?? 0
      if (megabytes > (peaks.get(name)?.megabytes ?? 0)) peaks.set(name, { name, megabytes, during: activeFaults() })
    }
  }
  async function watch(): Promise<void> {
    for (;;) {
      look()
      await pause(500, undefined, { signal: abortController.signal })
    }
  }
  watch().catch(() => {})
  return {
    peaks: (): Peak[] => [...peaks.values()],
    findings: (): string[] =>
      [...peaks.values()]
        .filter(({ megabytes }) => megabytes > maxMegabytes)
        .map(
          ({ name, megabytes, during }) =>
            `${name} used ${megabytes.toFixed(0)} MB of memory${during && ` during ${during}`}, above the limit of ${maxMegabytes} MB`,
        ),
    look,
    stop: () => abortController.abort(),
  }
}

export type MemoryWatch = ReturnType<typeof trackPeakMemory>
