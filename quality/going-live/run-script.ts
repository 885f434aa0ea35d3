import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'

/** A finished command. `said` is its output, including errors, without surrounding white space. */
export type Ran = { status: number | null; said: string }

export function run(command: string, args: string[], env: Record<string, string> = {}): Ran {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  return { status, said: error ? error.message : `${stdout}${stderr}`.trim() }
}

export const isThere = (command: string): boolean => spawnSync(command, ['--version']).error === undefined
export const script = (name: string): string => resolve('deploy', name)
