import { describe, expect, test } from 'vitest'
import { createDemoHostCheck, getRequestHost } from './host.ts'

describe('host names accepted by a demo on this machine', () => {
  const answersTo = createDemoHostCheck({ publicUrl: 'http://localhost:3000', listensAt: '127.0.0.1' })

  test.each([
    'localhost',
    'localhost:3000',
    'LocalHost:3000',
    'localhost.:3000',
    'fantail.localhost:3000',
    '127.0.0.1:3000',
    '127.0.0.1',
    '127.1.2.3:80',
    '[::1]:3000',
    '[0:0:0:0:0:0:0:1]',
    'localhost:8080',
  ])('a demo on this machine accepts the host %s', (host) => expect(answersTo(host)).toBe(true))

  test.each([
    undefined,
    '',
    'evil.example',
    'evil.example:3000',
    'localhost.evil.example',
    '127.0.0.1.evil.example:3000',
    '127.0.0.1.nip.io',
    'evillocalhost',
    'localhost@evil.example',
    'evil.example@localhost',
    'localhost/evil',
    'localhost#',
    'localhost:3000:3000',
    'localhost:99999',
    'localhost:',
    'localhost, evil.example',
    'evil.example localhost',
    '[::1',
    '[::1]evil',
    '[evil.example]',
    '192.168.1.20:3000',
    '0.0.0.0:3000',
    '[::]:3000',
    '[::ffff:192.168.1.20]',
    '128.0.0.1',
    'lоcalhost',
    `${'a'.repeat(16_000)}.localhost`,
  ])('a demo on this machine rejects the host %j', (host) => expect(answersTo(host)).toBe(false))
})

describe('host names accepted by a demo with its own name', () => {
  const answersTo = createDemoHostCheck({ publicUrl: 'https://demo.example:8443', listensAt: '127.0.0.1' })

  test.each(['demo.example:8443', 'DEMO.example:8443', 'localhost:3000'])(
    'a demo at demo.example accepts the host %s',
    (host) => expect(answersTo(host)).toBe(true),
  )
  test.each([
    'demo.example',
    'demo.example:3000',
    'www.demo.example:8443',
    'demo.example.evil.example:8443',
    '192.168.1.20:8443',
  ])('a demo at demo.example rejects the host %s', (host) => expect(answersTo(host)).toBe(false))

  test("a demo accepts its host name without a port only if the port is the protocol's default", () => {
    const secure = createDemoHostCheck({ publicUrl: 'https://demo.example', listensAt: '127.0.0.1' })
    expect(['demo.example', 'demo.example:443', 'demo.example:80'].map((host) => secure(host))).toEqual([
      true,
      true,
      false,
    ])
  })
})

describe('host names accepted by a demo that listens on other addresses', () => {
  test.each(['0.0.0.0', '::', '192.168.1.20'])(
    "a demo that listens on %s accepts any IP address as its host, but no one else's host name",
    (listensAt) => {
      const answersTo = createDemoHostCheck({ publicUrl: 'http://localhost:3000', listensAt })
      expect(
        [
          '192.168.1.20:3000',
          '[fd00::20]:3000',
          '0.0.0.0:3000',
          'localhost:8080',
          'evil.example:3000',
          '192.168.1.20.nip.io:3000',
        ].map((host) => answersTo(host)),
      ).toEqual([true, true, true, true, false, false])
    },
  )

  test('a demo that listens on a host name accepts that name', () => {
    const answersTo = createDemoHostCheck({ publicUrl: 'http://localhost:3000', listensAt: 'box.internal' })
    expect(['box.internal:3000', 'evil.example:3000', 'evil.box.internal'].map((host) => answersTo(host))).toEqual([
      true,
      false,
      false,
    ])
  })
})

test.each([
  ['/demo/', 'localhost:3000', 'localhost:3000'],
  ['http://evil.example/demo/', 'localhost:3000', 'evil.example'],
  ['HTTP://evil.example:3000/demo/', 'localhost:3000', 'evil.example:3000'],
  ['//evil.example/', 'localhost:3000', 'localhost:3000'],
  ['*', 'evil.example', 'evil.example'],
  ['/', undefined, undefined],
])('a request for %s with the Host header %s is for %s', (url, host, expected) =>
  expect(getRequestHost({ url, headers: { host } })).toBe(expected),
)
