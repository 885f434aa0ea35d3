import { spawnSync } from 'node:child_process'
import { expect, test, vi } from 'vitest'
import { beginLean, leanFlags } from './lean.ts'

const begin = (given: Partial<NodeJS.Process>) => {
  const execve = vi.fn<NonNullable<typeof process.execve>>()
  const asStarted = { env: {}, execPath: '/node', execArgv: ['--a'], argv: ['/node', 'app/main.ts', '--dev'] }
  beginLean({ ...asStarted, execve, ...given } as unknown as NodeJS.Process)
  return execve.mock.calls
}

test.skipIf(process.platform !== 'linux')('a process begins again once, with what it was started with', () => {
  const [[path, args, env] = []] = begin({ env: { PORT: '1' } })
  expect([path, args]).toEqual(['/node', ['/node', ...leanFlags, '--a', 'app/main.ts', '--dev']])
  expect(env).toMatchObject({ PORT: '1' })
  expect(begin({ env })).toEqual([])
})

test.each(leanFlags)('this Node knows %s', (flag) => {
  expect(spawnSync(process.execPath, [flag, '--eval', '0'], { encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  })
})

test('one whose parent talks to it stays as it is', () => {
  expect(begin({ connected: true })).toEqual([])
})

test('one that may begin no other stays as it is', () => {
  expect(begin({ permission: { has: () => false } as never })).toEqual([])
})
