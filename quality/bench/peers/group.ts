import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { until } from '#quality/support/until.ts'

/** A command, with all that it starts in turn. */
export type Group = {
  pid: number | null
  /** Fulfilled when the command itself has ended: its exit code, or null where there is none. */
  ended: Promise<number | null>
  hasEnded(): boolean
  output(): string
  stop(): Promise<void>
}

export type Surroundings = { cwd: string; env: Record<string, string | undefined> }

const graceMs = 5_000
/** What is kept of what it says. */
const mostOutput = 20_000

const running = new Set<number>()
// Whatever ends the bench, nothing of it goes on.
process.once('exit', () => {
  for (const id of running) send(id, 'SIGKILL')
})

const endingWithParent = pathToFileURL(join(import.meta.dirname, 'end-with-parent.mjs')).href

/** A program of Node's, as npm is one, ends with the bench even where that was killed. */
export function startGroup(command: string, args: readonly string[], { cwd, env }: Surroundings): Group {
  // With a group of its own, whose id is that of the command.
  const child = spawn(command, args, {
    cwd,
    env: { ...env, NODE_OPTIONS: `--import=${endingWithParent}` },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const id = child.pid ?? null
  if (id !== null) running.add(id)
  let [said, isOver] = ['', false]
  const say = (text: string): void => void (said = (said + text).slice(-mostOutput))
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
      // An id that was given up may be somebody else's by now.
      if (id === null || !running.has(id)) return
      send(id, 'SIGTERM')
      await Promise.race([ended, pause(graceMs, null, { ref: false })])
      // What it has started and not ended itself.
      send(id, 'SIGKILL')
      await ended
      running.delete(id)
    },
  }
}

/** Waits for its end. @throws a line that says why when that is no good one, or does not come in time */
export async function through(group: Group, withinMs: number): Promise<void> {
  const late = Symbol('late')
  const end = await Promise.race([group.ended, pause(withinMs, late, { ref: false })])
  await group.stop()
  if (end === late) throw new Error(`not done after ${withinMs / 1_000} s`)
  if (end !== 0) throw new Error(whyOf(group.output()))
}

/** Waits until this address answers. @throws a line that says why when the command ends before, or takes longer */
export const answering = (group: Group, url: string, withinMs: number): Promise<true> =>
  until(
    async () => {
      if (group.hasEnded()) throw new Error(whyOf(group.output()))
      const answer = await fetch(url, { signal: AbortSignal.timeout(withinMs) }).catch(() => null)
      return answer?.ok ? true : null
    },
    { withinMs },
  )

/** The one line of what a command has said that tells most: the first that begins as an error does, or else the last. */
export function whyOf(output: string): string {
  const lines = output.split('\n').flatMap((line) => line.trim() || [])
  // npm says the particulars first, each on a line of its own.
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
    // It is gone, and so is all that it has started.
  }
}
