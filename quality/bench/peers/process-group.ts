import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { pollUntil } from '#quality/support/poll-until.ts'

export type Group = {
  pid: number | null
  ended: Promise<number | null>
  hasEnded(): boolean
  output(): string
  stop(): Promise<void>
}

export type SpawnOptions = { cwd: string; env: Record<string, string | undefined> }

const graceMs = 5_000
const maxOutput = 20_000

const runningGroups = new Set<number>()
process.once('exit', () => {
  for (const id of runningGroups) send(id, 'SIGKILL')
})

const endWithParentUrl = pathToFileURL(join(import.meta.dirname, 'end-with-parent.mjs')).href

/** A Node program such as npm ends with the benchmark, even if the benchmark was killed. */
export function startGroup(command: string, args: readonly string[], { cwd, env }: SpawnOptions): Group {
  // The command has a process group of its own, whose id is that of the command.
  const child = spawn(command, args, {
    cwd,
    env: { ...env, NODE_OPTIONS: `--import=${endWithParentUrl}` },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const id = child.pid ?? null
  if (id !== null) runningGroups.add(id)
  let [said, isOver] = ['', false]
  const say = (text: string): void => void (said = (said + text).slice(-maxOutput))
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', say)
  const { promise: ended, resolve } = Promise.withResolvers<number | null>()
  child.once('error', (error) => {
    say(error.message)
    resolve(null)
  })
  child.once('close', resolve)
  void ended.then(() => (isOver = true))
  return {
    pid: id,
    ended,
    hasEnded: () => isOver,
    output: () => said,
    async stop() {
      // An id that was released may belong to another process by now.
      if (id === null || !runningGroups.has(id)) return
      send(id, 'SIGTERM')
      await Promise.race([ended, pause(graceMs, null, { ref: false })])
      send(id, 'SIGKILL')
      await ended
      runningGroups.delete(id)
    },
  }
}

/** Waits for the end of a command. @throws a line with the reason when it fails or takes too long */
export async function waitForExit(group: Group, withinMs: number): Promise<void> {
  const late = Symbol('late')
  const end = await Promise.race([group.ended, pause(withinMs, late, { ref: false })])
  await group.stop()
  if (end === late) throw new Error(`not done after ${withinMs / 1_000} s`)
  if (end !== 0) throw new Error(whyOf(group.output()))
}

/** Waits until this address answers. @throws a line with the reason when the command ends first or takes too long */
export const waitForUrl = (group: Group, url: string, withinMs: number): Promise<true> =>
  pollUntil(
    async () => {
      if (group.hasEnded()) throw new Error(whyOf(group.output()))
      const answer = await fetch(url, { signal: AbortSignal.timeout(withinMs) }).catch(() => null)
      return answer?.ok ? true : null
    },
    { withinMs },
  )

export function whyOf(output: string): string {
  const lines = output.split('\n').flatMap((line) => line.trim() || [])
  // npm prints the details first, each on a line of its own.
  const told = lines.filter((line) => !/^npm (?:warn|error (?:code|syscall|errno|address|port))\b/i.test(line))
  return (
    told.find((line) => /^(?:(?:npm )?\w*error\b|\{"level":"error")/i.test(line)) ??
    told.at(-1) ??
    'it said nothing'
  ).slice(0, 300)
}

function send(id: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-id, signal)
  } catch {
    // It is gone, with everything that it started.
  }
}
