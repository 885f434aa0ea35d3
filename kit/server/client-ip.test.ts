import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normaliseIp, toNetworkPrefix, parseIpRange, createProxyCheck, getClientIp } from './client-ip.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8::', '2001:db8:0:0::/64'],
  ['1::2:3:4:5', '1:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:FFFF:203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:4711', '203.0.113.7'],
  ['203.0.113.7:', '203.0.113.7'],
  ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::1]:443', '2001:db8:1:2::/64'],
  ['[FE80::1%en0]:443', 'fe80:0:0:0::/64'],
  ['[::ffff:203.0.113.7]:443', '203.0.113.7'],
  ['unknown', 'unknown'],
  ['', ''],
  ['1:2', '1:2'],
])('rate limits count the address %s as %s', (ip, counted) => expect(normaliseIp(ip)).toBe(counted))

test.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['203.0.113.7', '203.0.113.7'],
  ['unknown', 'unknown'],
])('the address %s belongs to the network %s', (ip, network) => expect(toNetworkPrefix(normaliseIp(ip))).toBe(network))

describe('normaliseIp: addresses as counted by rate limits', () => {
  const port = fc.option(fc.integer({ min: 0, max: 65_535 }), { nil: null })
  const withPort = (host: string, number: number | null): string => (number === null ? host : `${host}:${number}`)
  const anyCase = (text: string) =>
    fc
      .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
      .map((upper) => [...text].map((sign, at) => (upper[at] ? sign.toUpperCase() : sign)).join(''))

  test('treats an IPv4 address as the same address with or without a port, and when mapped into IPv6', () => {
    fc.assert(
      fc.property(fc.ipV4(), port, (ip, number) => {
        for (const written of [withPort(ip, number), withPort(`[::ffff:${ip}]`, number), `::FFFF:${ip}`])
          expect(normaliseIp(written)).toBe(ip)
      }),
    )
  })

  test('treats an IPv6 address as the same network whatever its brackets, port, zone and case', () => {
    const written = fc
      .ipV6()
      .chain((ip) =>
        fc.tuple(fc.constant(ip), anyCase(ip), port, fc.option(fc.stringMatching(/^[\w.-]{1,15}$/), { nil: null })),
      )
    fc.assert(
      fc.property(written, ([ip, shouted, number, zone]) => {
        expect(normaliseIp(withPort(`[${shouted}${zone === null ? '' : `%${zone}`}]`, number))).toBe(normaliseIp(ip))
      }),
    )
  })

  test("counts a request against the proxy's own address if the forwarded address is invalid", () => {
    const junk = fc.oneof(
      fc.string(),
      fc.ipV4().map((ip) => `${ip}:http`),
      fc.ipV4().map((ip) => `${ip}:123456`),
      fc.constantFrom('unknown', '_hidden', '', '[', '[]:80', '1.2.3', '1.2.3.4.5', '300.1.1.1'),
    )
    fc.assert(
      fc.property(
        junk.filter((text) => parseIpRange(text) === null && normaliseIp(text) === text),
        (ip) => {
          expect(getClientIp({ ip, socket: { remoteAddress: '::ffff:10.1.2.3' } })).toBe('10.1.2.3')
        },
      ),
    )
    expect(getClientIp({ ip: undefined, socket: {} })).toBe('')
  })
})

describe("createProxyCheck: trusted proxies' addresses", () => {
  const isTrusted = createProxyCheck(['10.0.0.0/8', '192.0.2.7', 'fd00::/8', '::ffff:198.51.100.0/120'])

  test.each([
    '10.1.2.3',
    '10.1.2.3:4711',
    '::ffff:10.1.2.3',
    '[::ffff:10.1.2.3]:80',
    '192.0.2.7',
    'FD12::1',
    '[fd12::1]:80',
    '198.51.100.9',
  ])('trusts the proxy address %s', (ip) => expect(isTrusted(ip)).toBe(true))

  test.each([
    '11.0.0.1',
    '192.0.2.8',
    'fe80::1',
    '198.51.101.1',
    '::a01:203',
    'unknown',
    '',
    '10.1.2.3:x',
    '10.1.2.3, 1.2.3.4',
  ])('does not trust %j as a proxy', (ip) => expect(isTrusted(ip)).toBe(false))
})
