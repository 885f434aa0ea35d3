import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { format } from 'node:util'
import { afterAll, afterEach } from 'vitest'

const home = /^(?:127\.|::1$|::ffff:127\.|localhost$)/
const databaseHost = process.env['DATABASE_URL'] ? new URL(process.env['DATABASE_URL']).hostname : ''

/*
 * A test fails if it causes a `console.error`, a `console.warn` or a network request that leaves this machine. If console output is
 * expected, the test replaces the method with `vi.spyOn(console, 'error').mockReturnValue()` and asserts that it was called.
 */

/** This file runs once per test file, but test files can share a process, which must be patched only once. */
const sharedGlobal = globalThis as { heardSoFar?: string[] }
const heard = sharedGlobal.heardSoFar ?? recordConsole()

function recordConsole(): string[] {
  const said: string[] = []
  sharedGlobal.heardSoFar = said
  for (const level of ['error', 'warn'] as const) {
    const print = console[level]
    console[level] = (...args: unknown[]) => {
      said.push(`console.${level}: ${format(...args)}`)
      print(...args)
    }
  }
  const note = (host: string) => {
    if (!home.test(host) && host !== databaseHost) said.push(`a call left for ${host}`)
  }
  subscribe('net.client.socket', (message) => {
    const { socket } = message as { socket: Socket }
    socket.once('lookup', (_error, _address, _family, host) => note(host))
    socket.once('connect', () => note(socket.remoteAddress ?? 'localhost'))
  })
  return said
}

function throwUnexpectedOutput(): void {
  if (heard.length === 0) return
  throw new Error(`This was not expected:\n${heard.splice(0).join('\n')}`)
}

afterEach(throwUnexpectedOutput)
afterAll(throwUnexpectedOutput)
