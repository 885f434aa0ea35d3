import type { FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import { csrfError } from './csrf.ts'
import { generateSession } from './session.ts'
import { createSecrets } from './secrets.ts'

const session = { ...generateSession(createSecrets('secret')), fresh: false }

const isServed = (publicUrl: string, origin: string | undefined, host: string): boolean =>
  csrfError(
    { headers: { 'x-csrftoken': session.csrfToken, origin, host } } as unknown as FastifyRequest,
    session,
    publicUrl,
  ) === null

describe('CSRF checks over TLS', () => {
  const from = (origin: string | undefined, host = 'my.example.nz') => isServed('https://my.example.nz', origin, host)

  test("accepts a request from the portal's own origin or without an Origin header", () =>
    expect([from('https://my.example.nz'), from(undefined)]).toEqual([true, true]))

  test.each([
    'http://my.example.nz',
    'http://my.example.nz:443',
    'https://my.example.nz:8443',
    'https://www.my.example.nz',
    'https://my.example.nz.evil.example',
    'ws://my.example.nz',
    'null',
    '',
    'https://my.example.nz, https://evil.example',
  ])('rejects a request from the origin %s over TLS', (origin) => expect(from(origin)).toBe(false))

  test.each(['http://localhost:3000', 'https://localhost:3000', 'https://evil.example'])(
    'rejects a request from %s over TLS, even if it was sent to that host',
    (origin) => expect(from(origin, new URL(origin).host)).toBe(false),
  )
})

describe('CSRF checks without TLS', () => {
  const from = (origin: string, host = 'localhost:3000') => isServed('http://localhost:3000', origin, host)

  test('accepts a request without TLS whose origin matches the host that received it', () => {
    expect([
      from('http://localhost:3000'),
      from('http://127.0.0.1:3000', '127.0.0.1:3000'),
      from('http://fantail.localhost:8080', 'fantail.localhost:8080'),
    ]).toEqual([true, true, true])
  })

  test.each([
    'https://localhost:3000',
    'ftp://localhost:3000',
    'http://localhost',
    'http://localhost:3001',
    'http://127.0.0.1:3000',
    'null',
    'file://localhost:3000',
  ])("rejects a request without TLS from %s, which is not the host's origin", (origin) =>
    expect(from(origin)).toBe(false),
  )
})
