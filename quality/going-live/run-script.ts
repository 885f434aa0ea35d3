import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'

/** The result of a command. `said` is its trimmed output, including errors. */
export type ScriptResult = { status: number | null; said: string }

export function run(command: string, args: string[], env: Record<string, string> = {}): ScriptResult {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  return { status, said: error ? error.message : `${stdout}${stderr}`.trim() }
}

export const isInstalled = (command: string): boolean => spawnSync(command, ['--version']).error === undefined
export const script = (name: string): string => resolve('deploy', name)
