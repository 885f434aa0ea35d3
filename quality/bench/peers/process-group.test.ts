import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { pollUntil } from '#quality/support/poll-until.ts'
import { waitForUrl, type Group, startGroup, waitForExit, whyOf } from './process-group.ts'

function begin(program: string): Group {
  const group = startGroup(process.execPath, ['-e', program], { cwd: '.', env: process.env })
  onTestFinished(group.stop)
  return group
}

const lives = (id: number): boolean => {
  try {
    process.kill(id, 0)
    return true
  } catch {
    return false
  }
}

test('stopping a command also ends any processes that it started, even if they ignore SIGTERM', async () => {
  const stubborn = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)`
  const group = begin(`
    const child = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(stubborn)}])
    console.log(child.pid)
    setInterval(() => {}, 1000)`)
  const child = await pollUntil(async () => Number(group.output()) || null)
  expect([group.pid, child].map((id) => lives(id ?? 0))).toEqual([true, true])
  await group.stop()
  expect(group.hasEnded()).toBe(true)
  expect(await pollUntil(async () => !lives(child))).toBe(true)
})

test('a command does not outlive the process that started it', async () => {
  const forever = `['-e', 'setInterval(() => {}, 1000)'], { cwd: '.', env: process.env }`
  const starter = begin(`
    import { startGroup } from '${pathToFileURL(join(import.meta.dirname, 'process-group.ts')).href}'
    console.log(startGroup(process.execPath, ${forever}).pid)`)
  const child = await pollUntil(async () => Number(starter.output()) || null)
  process.kill(starter.pid ?? 0, 'SIGKILL')
  expect(await pollUntil(async () => !lives(child))).toBe(true)
})

test('waiting for a command succeeds if it exits with 0, and fails on an error, a timeout or a missing program', async () => {
  await expect(waitForExit(begin(''), 30_000)).resolves.toBeUndefined()
  await expect(waitForExit(begin(`throw new Error('no table')`), 30_000)).rejects.toThrow('Error: no table')
  await expect(waitForExit(begin('setInterval(() => {}, 1000)'), 300)).rejects.toThrow('not done after 0.3 s')
  const absent = startGroup('no-such-command', [], { cwd: '.', env: process.env })
  await expect(waitForExit(absent, 30_000)).rejects.toThrow('ENOENT')
})

test('waiting for a server succeeds once its URL responds, and fails if the server’s command ends first', async () => {
  const server = createServer((_, response) => response.end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  await expect(waitForUrl(begin('setInterval(() => {}, 1000)'), url, 30_000)).resolves.toBe(true)
  const dead = begin(`throw new Error('no password')`)
  await expect(waitForUrl(dead, 'http://127.0.0.1:1/', 30_000)).rejects.toThrow('no password')
})

test.each([
  ['', 'it said nothing'],
  ['one\n  two \n\n', 'two'],
  [
    'npm warn old\nnpm error code ENOTFOUND\nnpm error syscall connect\nnpm error network request failed\nnpm error a log',
    'npm error network request failed',
  ],
  ['at a.js:1\nError: refusing to start\n  at b.js:2\n\nNode.js v26', 'Error: refusing to start'],
])('if a command fails with the output %j, the summary is %j', (output, line) => expect(whyOf(output)).toBe(line))
