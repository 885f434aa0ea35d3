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
const maxOutputLength = 20_000

const runningGroups = new Set<number>()
process.once('exit', () => {
  for (const id of runningGroups) send(id, 'SIGKILL')
})

const exitWithParentModuleUrl = pathToFileURL(join(import.meta.dirname, 'end-with-parent.mjs')).href

/**
 * Starts a command in its own process group. If it is a Node program, such as npm, it ends with the benchmark even if the benchmark is
 * killed.
 */
export function startGroup(command: string, args: readonly string[], { cwd, env }: SpawnOptions): Group {
  // Give the command its own process group, so that the group id equals the command's process id.
  const child = spawn(command, args, {
    cwd,
    env: { ...env, NODE_OPTIONS: `--import=${exitWithParentModuleUrl}` },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const id = child.pid ?? null
  if (id !== null) runningGroups.add(id)
  let [said, isOver] = ['', false]
  const say = (text: string): void => void (said = (said + text).slice(-maxOutputLength))
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
      // Don't signal an id that has been released, because it may already belong to a different process.
      if (id === null || !runningGroups.has(id)) return
      send(id, 'SIGTERM')
      await Promise.race([ended, pause(graceMs, null, { ref: false })])
      send(id, 'SIGKILL')
      await ended
      runningGroups.delete(id)
    },
  }
}

/** Waits until a command ends. @throws an error with a one-line reason if the command fails or takes too long */
export async function waitForExit(group: Group, withinMs: number): Promise<void> {
  const late = Symbol('late')
  const end = await Promise.race([group.ended, pause(withinMs, late, { ref: false })])
  await group.stop()
  if (end === late) throw new Error(`not done after ${withinMs / 1_000} s`)
  if (end !== 0) throw new Error(whyOf(group.output()))
}

/** Waits until the URL responds. @throws an error with a one-line reason if the command ends first or takes too long */
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
  // Skip the warnings and error details that npm prints line by line before the actual reason.
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
    // Ignore the error: the process group has already ended.
  }
}
