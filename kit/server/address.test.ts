import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countedAddress, countedNetwork, rangeOf, trustOf, visitorAddress } from './address.ts'

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
  // What a proxy may say.
  ['unknown', 'unknown'],
  ['', ''],
  ['1:2', '1:2'],
])('%s counts as %s', (address, counted) => expect(countedAddress(address)).toBe(counted))

test.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['203.0.113.7', '203.0.113.7'],
  ['unknown', 'unknown'],
])('%s is in the network %s', (address, network) => expect(countedNetwork(countedAddress(address))).toBe(network))

describe('one visitor is one address, however a proxy writes it:', () => {
  const port = fc.option(fc.integer({ min: 0, max: 65_535 }), { nil: null })
  const withPort = (host: string, number: number | null): string => (number === null ? host : `${host}:${number}`)
  const anyCase = (text: string) =>
    fc
      .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
      .map((upper) => [...text].map((sign, at) => (upper[at] ? sign.toUpperCase() : sign)).join(''))

  test('with and without a port, by IPv4 or mapped into IPv6', () => {
    fc.assert(
      fc.property(fc.ipV4(), port, (address, number) => {
        for (const written of [withPort(address, number), withPort(`[::ffff:${address}]`, number), `::FFFF:${address}`])
          expect(countedAddress(written)).toBe(address)
      }),
    )
  })

  test('with brackets, port, zone and capitals, by IPv6', () => {
    const written = fc
      .ipV6()
      .chain((address) =>
        fc.tuple(
          fc.constant(address),
          anyCase(address),
          port,
          fc.option(fc.stringMatching(/^[\w.-]{1,15}$/), { nil: null }),
        ),
      )
    fc.assert(
      fc.property(written, ([address, shouted, number, zone]) => {
        expect(countedAddress(withPort(`[${shouted}${zone === null ? '' : `%${zone}`}]`, number))).toBe(
          countedAddress(address),
        )
      }),
    )
  })

  test('and what is no address is the proxy’s own', () => {
    const junk = fc.oneof(
      fc.string(),
      fc.ipV4().map((address) => `${address}:http`),
      fc.ipV4().map((address) => `${address}:123456`),
      fc.constantFrom('unknown', '_hidden', '', '[', '[]:80', '1.2.3', '1.2.3.4.5', '300.1.1.1'),
    )
    fc.assert(
      fc.property(
        junk.filter((text) => rangeOf(text) === null && countedAddress(text) === text),
        (ip) => {
          expect(visitorAddress({ ip, socket: { remoteAddress: '::ffff:10.1.2.3' } })).toBe('10.1.2.3')
        },
      ),
    )
    expect(visitorAddress({ ip: undefined, socket: {} })).toBe('')
  })
})

describe('a configured proxy', () => {
  const isTrusted = trustOf(['10.0.0.0/8', '192.0.2.7', 'fd00::/8', '::ffff:198.51.100.0/120'])

  test.each([
    '10.1.2.3',
    '10.1.2.3:4711',
    '::ffff:10.1.2.3',
    '[::ffff:10.1.2.3]:80',
    '192.0.2.7',
    'FD12::1',
    '[fd12::1]:80',
    '198.51.100.9',
  ])('is also %s', (address) => expect(isTrusted(address)).toBe(true))

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
  ])('is not %j', (address) => expect(isTrusted(address)).toBe(false))
})
