import { describe, expect, test } from 'vitest'
import { productionSettings as production, randomHex } from '#quality/support/production-settings.ts'
import { ConfigError, readConfig, readDatabaseConfig } from './config.ts'

function faultsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

const without = (name: keyof typeof production) =>
  Object.fromEntries(Object.entries(production).filter(([key]) => key !== name))

test('ROLE defaults to "all", accepts only web, worker and all, and web requires a shared database', () => {
  const DATABASE_URL = 'postgres://db.internal/fantail'
  expect(readConfig({}).role).toBe('all')
  for (const ROLE of ['web', 'worker', 'all']) expect(readConfig({ ROLE, DATABASE_URL }).role).toBe(ROLE)
  expect(faultsOf({ ROLE: 'mailer', DATABASE_URL })).toEqual(['ROLE is "mailer"; it must be one of web, worker, all.'])
  expect(faultsOf({ ROLE: 'web' })).toEqual([
    'ROLE=web works only with other processes that share its database: set DATABASE_URL.',
  ])
})

describe('staff desk settings', () => {
  const desk = { DESK_PORT: '8443', DESK_URL: 'https://desk.example.nz' }
  test('production runs a staff desk only if both DESK_PORT and DESK_URL are set, and DESK_URL requires https', () => {
    expect(readConfig(production).desk).toBeNull()
    expect(readConfig({ ...production, ...desk }).desk).toEqual({
      host: '0.0.0.0',
      port: 8443,
      url: 'https://desk.example.nz',
    })
    expect(faultsOf({ ...production, DESK_URL: desk.DESK_URL })).toEqual([
      'DESK_PORT must be a whole number from 0 to 65535, or off.',
    ])
    expect(readConfig({ ...production, DESK_PORT: desk.DESK_PORT }).desk).toBeNull()
    expect(faultsOf({ ...production, ...desk, DESK_URL: 'http://desk.example.nz' })).toEqual([
      'DESK_URL must be an https:// address, because passkeys are tied to it.',
    ])
  })

  test('rejects a DESK_PORT that another listener uses and a DESK_URL with a path', () => {
    expect(faultsOf({ PORT: '3000', DESK_PORT: '3000' })).toEqual(['DESK_PORT must be different from PORT.'])
    expect(faultsOf({ OPS_PORT: '9000', DESK_PORT: '9000' })).toEqual(['DESK_PORT must be different from OPS_PORT.'])
    expect(faultsOf({ DESK_PORT: 'many' })).toHaveLength(1)
    expect(faultsOf({ DESK_URL: 'https://desk.example.nz/here' })).toEqual([
      'DESK_URL must be an address without a path, such as https://desk.example.nz.',
    ])
  })

  test('a demo runs a staff desk unless DESK_PORT is off, and a worker process never runs one', () => {
    expect(readConfig({}).desk).toEqual({ host: '127.0.0.1', port: 0, url: null })
    expect(readConfig({ DESK_PORT: 'off' }).desk).toBeNull()
    expect(readConfig({ ROLE: 'worker', DATABASE_URL: 'postgres://db.internal/fantail' }).desk).toBeNull()
  })
})

describe('demo settings', () => {
  test('starts the demo without any settings', () => {
    expect(readConfig({})).toMatchObject({
      mode: 'demo',
      host: '127.0.0.1',
      port: 3000,
      publicUrl: null,
      dataDir: '.data',
      databaseUrl: null,
      providerDir: null,
      market: { code: 'NZ', currency: 'NZD', zone: 'Pacific/Auckland' },
      card: null,
      network: null,
      mail: null,
      sms: null,
      errorReportingDsn: null,
    })
  })

  test('treats an empty setting as missing', () =>
    expect(readConfig({ PORT: '', DATABASE_URL: '', MARKET: '' })).toEqual(readConfig({})))

  test("uses Australia's currency and tax when MARKET is AU", () => {
    expect(readConfig({ MARKET: 'AU' }).market).toMatchObject({
      code: 'AU',
      currency: 'AUD',
      taxPart: [1, 11],
      phoneRegion: 'AU',
    })
  })

  test('accepts the card types in CARD_TYPES, or all three when it is missing', () => {
    expect(readConfig({}).cardTypes).toEqual(['visa', 'mc', 'amex'])
    expect(readConfig({ CARD_TYPES: 'mc, visa' }).cardTypes).toEqual(['visa', 'mc'])
  })

  test.each([
    'https://a1b2@errors.example.nz/42',
    'https://a1b2@errors.example.nz/path/42',
    'http://a1b2@127.0.0.1:9000/1',
    'http://a1b2@[::1]:9000/1',
  ])('accepts %s as the address for error reports', (dsn) => {
    expect(readConfig({ ERROR_REPORTING_DSN: dsn }).errorReportingDsn).toBe(dsn)
  })

  test('accepts port 0, which lets the system pick a free port', () => expect(readConfig({ PORT: '0' }).port).toBe(0))

  test("rejects settings that would replace only one of the demo's two simulators", () => {
    const { CARD_GATEWAY, CARD_URL, CARD_API_KEY, CARD_MERCHANT_ACCOUNT, CARD_HMAC_KEY, CARD_PUBLIC_KEY } = production
    const card = { CARD_GATEWAY, CARD_URL, CARD_API_KEY, CARD_MERCHANT_ACCOUNT, CARD_HMAC_KEY, CARD_PUBLIC_KEY }
    expect(faultsOf(card)).toEqual([
      'Set both CARD_URL and NETWORK_URL, or neither: the demo starts either both of its simulators or none.',
    ])
  })
})

describe('reports each invalid setting in a single line that names the setting', () => {
  test.each([
    [{ PORT: 'eighty' }, 'PORT is "eighty"; it must be a whole number from 0 to 65535.'],
    [{ PORT: '70000' }, 'PORT is "70000"; it must be a whole number from 0 to 65535.'],
    [{ PORT: '80.5' }, 'PORT is "80.5"; it must be a whole number from 0 to 65535.'],
    [{ MODE: 'live' }, 'MODE is "live"; it must be one of demo, production.'],
    [{ MARKET: 'UK' }, 'MARKET is "UK"; it must be one of NZ, AU.'],
    [{ CARD_TYPES: 'visa,diners' }, 'CARD_TYPES has "diners"; each must be one of visa, mc, amex.'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL is "loud"; it must be one of debug, info, warn, error, silent.'],
    [{ LEASE_SECONDS: '0' }, 'LEASE_SECONDS is "0"; it must be a whole number from 1 to 600.'],
    [
      { PUBLIC_URL: 'my.example.nz' },
      'PUBLIC_URL is "my.example.nz"; it must be an address such as https://my.example.nz.',
    ],
    [
      { PUBLIC_URL: 'ftp://my.example.nz' },
      'PUBLIC_URL is "ftp://my.example.nz"; it must be an address such as https://my.example.nz.',
    ],
    [
      { PUBLIC_URL: 'https://example.nz/portal' },
      'PUBLIC_URL is "https://example.nz/portal"; it must be an address such as https://my.example.nz.',
    ],
    [{ DATABASE_URL: 'mysql://db/fantail' }, 'DATABASE_URL must start with postgres:// or postgresql://.'],
    [
      { DATABASE_URL: 'postgres://db/fantail', MIGRATION_DATABASE_URL: 'db/fantail' },
      'MIGRATION_DATABASE_URL must start with postgres:// or postgresql://.',
    ],
    [
      { MIGRATION_DATABASE_URL: 'postgres://owner@db/fantail' },
      'MIGRATION_DATABASE_URL needs DATABASE_URL, which is missing.',
    ],
    [{ SMTP_URL: 'smtp://mail.example.nz' }, 'MAIL_FROM is missing.'],
    [{ SMS_URL: 'https://sms.example.com', SMS_SENDER: '4567' }, 'SMS_API_KEY is missing.'],
  ])('reports the invalid or missing setting in %o', (env, line) =>
    expect(faultsOf(env as Record<string, string>)).toEqual([line]),
  )

  test.each([
    ['CARD_URL', 'pal-test', 'CARD_URL must be an http or https address.'],
    ['CARD_HMAC_KEY', 'not hex', 'CARD_HMAC_KEY must be in hexadecimal.'],
    [
      'CARD_PUBLIC_KEY',
      '10001',
      'CARD_PUBLIC_KEY must be an exponent and a modulus in hexadecimal, separated by a bar.',
    ],
    ['NETWORK_URL', '/network', 'NETWORK_URL must be an http or https address.'],
    [
      'NETWORK_CALLBACK_SECRET',
      'short',
      'NETWORK_CALLBACK_SECRET must be at least 16 letters, digits, hyphens or underscores.',
    ],
    ['SMTP_URL', 'mail.example.nz', 'SMTP_URL must be an address such as smtps://user:password@mail.example.nz.'],
    ['SMS_URL', 'sms.example.com', 'SMS_URL must be an http or https address.'],
    [
      'SMS_API_KEY',
      'two words',
      'SMS_API_KEY must contain only ASCII letters, digits and punctuation, without spaces.',
    ],
    ['SMS_API_KEY_HEADER', 'x-api-key: ', 'SMS_API_KEY_HEADER must be a header name.'],
    ...[
      'https://errors.example.nz/42',
      'http://key@errors.example.nz/42',
      'https://key@errors.example.nz/',
      'https://key:secret@errors.example.nz/42',
      'https://key@errors.example.nz/42?x=1',
      'key',
    ].map((value): [string, string, string] => [
      'ERROR_REPORTING_DSN',
      value,
      'ERROR_REPORTING_DSN must be an address such as https://key@errors.example.nz/42.',
    ]),
    ['SMS_SENDER', 'Fantail Mobile', 'SMS_SENDER must be a number, a short code, or a name of 11 characters at most.'],
  ])('reports an invalid %s without showing its value, which may be a secret', (name, value, line) => {
    expect(faultsOf({ ...production, [name]: value })).toEqual([line])
  })

  test('reports all invalid settings at once', () => {
    expect(faultsOf({ PORT: 'x', MARKET: 'UK', DATABASE_URL: 'sqlite:x' })).toHaveLength(3)
    expect(() => readConfig({ PORT: 'x', MARKET: 'UK' })).toThrow(/^PORT .*\nMARKET .*$/)
  })
})

describe('database settings for a deploy job', () => {
  const database = {
    DATABASE_URL: 'postgres://fantail@db/fantail',
    MIGRATION_DATABASE_URL: 'postgres://owner@db/fantail',
  }

  test('migrating the database requires no settings other than DATABASE_URL and MIGRATION_DATABASE_URL', () =>
    expect(readDatabaseConfig({ MODE: 'production', ...database })).toEqual({
      mode: 'production',
      databaseUrl: database.DATABASE_URL,
      migrationDatabaseUrl: database.MIGRATION_DATABASE_URL,
      keepsStatements: true,
    }))

  test.each([
    [{}, 'DATABASE_URL is missing: this command can only migrate a PostgreSQL database.'],
    [{ ...database, DATABASE_URL: '' }, 'MIGRATION_DATABASE_URL needs DATABASE_URL, which is missing.'],
    [{ ...database, MODE: 'live' }, 'MODE is "live"; it must be one of demo, production.'],
  ])('rejects the incomplete or invalid database settings %o', (env, line) =>
    expect(() => readDatabaseConfig(env)).toThrow(line),
  )
})

describe('production settings', () => {
  test('accepts a complete set of production settings', () => {
    expect(readConfig(production)).toMatchObject({
      mode: 'production',
      host: '0.0.0.0',
      providerDir: '/etc/fantail/provider',
      publicUrl: 'https://my.example.nz',
      card: { gateway: 'adyen' },
      network: { access: { credentials: { kind: 'none' } } },
      sms: { sender: 'Fantail', access: { credentials: { kind: 'header', header: null, key: 'sms-key' } } },
    })
    expect(readConfig({ ...production, SMS_SENDER: '+6421555000', SMS_API_KEY_HEADER: 'X-Api-Key' }).sms).toMatchObject(
      { sender: '+6421555000', access: { credentials: { kind: 'header', header: 'X-Api-Key', key: 'sms-key' } } },
    )
  })

  test.each([
    ['DATABASE_URL', 'DATABASE_URL is missing: production needs a PostgreSQL database.'],
    ['PROVIDER_DIR', 'PROVIDER_DIR is missing: set it to the folder that contains the brand, catalogue and texts.'],
    ['PUBLIC_URL', 'PUBLIC_URL is missing: links in emails are built from it.'],
    ['SECRET_KEY', 'SECRET_KEY is missing or shorter than 32 characters.'],
    ['CARD_GATEWAY', 'CARD_GATEWAY is missing.'],
    ['CARD_API_KEY', 'CARD_API_KEY is missing.'],
    ['CARD_HMAC_KEY', 'CARD_HMAC_KEY is missing.'],
    ['NETWORK_URL', 'NETWORK_URL is missing.'],
    ['NETWORK_CALLBACK_SECRET', 'NETWORK_CALLBACK_SECRET is missing.'],
    ['SMTP_URL', 'SMTP_URL is missing.'],
    ['MAIL_FROM', 'MAIL_FROM is missing.'],
    ['SMS_URL', 'SMS_URL is missing.'],
    ['SMS_API_KEY', 'SMS_API_KEY is missing.'],
    ['SMS_SENDER', 'SMS_SENDER is missing.'],
  ] as const)('does not start production without %s', (name, line) => expect(faultsOf(without(name))).toEqual([line]))

  test('production requires https and a SECRET_KEY of at least 32 characters', () => {
    expect(faultsOf({ ...production, PUBLIC_URL: 'http://my.example.nz' })).toEqual([
      'PUBLIC_URL must start with https:// in production.',
    ])
    expect(faultsOf({ ...production, SECRET_KEY: 'short' })).toEqual([
      'SECRET_KEY is missing or shorter than 32 characters.',
    ])
  })

  test.each([
    ['one repeated character', 'k'.repeat(64)],
    ['a repeated group', 'x7Qp'.repeat(12)],
    ['letters and digits in order', 'abcdefghijklmnopqrstuvwxyz0123456789'],
    ['a sentence', 'a secret that is long enough for this'],
    ['words', 'correct-horse-battery-staple-and-two-more'],
    ['neighbouring keys of a keyboard', 'qwertyuiopasdfghjklzxcvbnm1234567890'],
    ['placeholder words', 'please-change-me-please-change-me-1234'],
  ])('rejects a SECRET_KEY made of %s', (_what, key) => {
    expect(faultsOf({ ...production, SECRET_KEY: key })).toEqual([
      'SECRET_KEY can be guessed. `openssl rand -hex 32` prints a good one.',
    ])
  })

  test('accepts previous values of SECRET_KEY and the webhook key, under the same rules as the current ones', () => {
    const before = { SECRET_KEY_PREVIOUS: randomHex('before'), CARD_HMAC_KEY_PREVIOUS: randomHex('hmac before') }
    expect(readConfig({ ...production, ...before })).toMatchObject({
      secretKeyPrevious: randomHex('before'),
      card: { hmacKey: randomHex('hmac'), hmacKeyPrevious: randomHex('hmac before') },
    })
    expect(readConfig(production)).toMatchObject({ secretKeyPrevious: null, card: { hmacKeyPrevious: null } })
    expect(faultsOf({ ...production, CARD_HMAC_KEY_PREVIOUS: '00'.repeat(32) })).toEqual([
      'CARD_HMAC_KEY_PREVIOUS must be 32 random bytes in hexadecimal: the key that the gateway generated for its webhooks.',
    ])
    expect(faultsOf({ ...production, CARD_HMAC_KEY_PREVIOUS: 'a key' })).toEqual([
      'CARD_HMAC_KEY_PREVIOUS must be in hexadecimal.',
    ])
    expect(faultsOf({ ...production, SECRET_KEY_PREVIOUS: production.SECRET_KEY })).toEqual([
      'SECRET_KEY_PREVIOUS is the same as SECRET_KEY. Set it to the previous key, or leave it out.',
    ])
  })

  test.each(['00', 'ff'.repeat(16), randomHex('short').slice(0, 62), '00'.repeat(32), '0123456789abcdef'.repeat(4)])(
    'rejects the webhook key %s as too short or guessable',
    (key) => {
      expect(faultsOf({ ...production, CARD_HMAC_KEY: key })).toEqual([
        'CARD_HMAC_KEY must be 32 random bytes in hexadecimal: the key that the gateway generated for its webhooks.',
      ])
    },
  )

  test.each(['sixteen-letters-or-more', 'networknetworknetwork', '1234567812345678'])(
    'rejects %s as a callback secret because it can be guessed',
    (secret) => {
      expect(faultsOf({ ...production, NETWORK_CALLBACK_SECRET: secret })).toEqual([
        'NETWORK_CALLBACK_SECRET can be guessed. `openssl rand -hex 16` prints a good one.',
      ])
    },
  )

  test('reports all 17 missing settings when only MODE=production is set', () =>
    expect(faultsOf({ MODE: 'production' })).toHaveLength(17))
})

describe.each([
  ['the demo', {}],
  ['production', production],
])('network addresses and proxies in %s', (_mode, mode) => {
  const simulators = {
    ...Object.fromEntries(Object.entries(production).filter(([name]) => /^(?:CARD|NETWORK)_/.test(name))),
    SMS_URL: 'https://sms.example.com',
    SMS_API_KEY: 'key',
    SMS_SENDER: '4567',
  }
  const whole: Record<string, string> = { ...simulators, ...mode }

  test.each(['CARD_URL', 'NETWORK_URL', 'SMS_URL'])(
    '%s may use plain http only for an address on this machine',
    (name) => {
      for (const here of [
        'http://127.0.0.1:8080',
        'http://localhost:8080',
        'http://[::1]:8080',
        'https://pal.example.com',
      ])
        expect(faultsOf({ ...whole, [name]: here })).toEqual([])
      for (const elsewhere of [
        'http://pal.example.com',
        'http://10.0.0.7',
        'http://127.0.0.1.example.com',
        'http://localhost.example.com',
        'HTTP://Pal.Example.com',
        'http://localhost@pal.example.com',
        'http://[2001:db8::1]',
      ]) {
        expect(faultsOf({ ...whole, [name]: elsewhere })).toEqual([
          `${name} must start with https://. Plain http is for an address of this machine only, such as http://127.0.0.1:8080.`,
        ])
      }
    },
  )

  test.each([
    '10.0.0.0/8',
    '192.168.1.1',
    '127.0.0.1',
    '::1',
    'fd00::/8',
    'fc00::/7',
    '104.16.0.0/13',
    '2400:cb00::/32',
    '::ffff:10.0.0.0/104',
    '10.1.2.3, 172.16.0.0/12,fe80::/10',
    '',
  ])('accepts the trusted proxies %j', (proxies) => {
    expect(faultsOf({ ...whole, TRUSTED_PROXIES: proxies })).toEqual([])
  })

  test.each([
    '0.0.0.0/0',
    '::/0',
    '0.0.0.0/1',
    '128.0.0.0/1',
    '10.0.0.0/7',
    '8.0.0.0/8',
    '2000::/3',
    '2001::/16',
    '::ffff:0.0.0.0/96',
    '::ffff:0:0/97',
    '::/64',
    '::/80',
    'fc00::/6',
    '1.2.3.4/0',
  ])('rejects the proxy range %s as too wide', (proxy) => {
    expect(faultsOf({ ...whole, TRUSTED_PROXIES: `127.0.0.1, ${proxy}` })).toEqual([
      `TRUSTED_PROXIES has "${proxy}", which is too large: name your own proxies, or ranges of /12 (IPv6: /28) or smaller.`,
    ])
  })

  test.each([
    '*',
    'true',
    'all',
    'loopback',
    'proxy.internal',
    '10.0.0.0/33',
    '::1/129',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0',
    '010.0.0.1',
    '1',
    '10.0.0.1:80',
    '[::1]',
    'fe80::1%eth0',
    '10.0.0.1 10.0.0.2',
  ])('rejects %s, which is not a proxy address', (proxy) => {
    expect(faultsOf({ ...whole, TRUSTED_PROXIES: proxy })).toEqual([
      `TRUSTED_PROXIES has "${proxy}"; each must be an address, or a range such as 10.0.0.0/8.`,
    ])
  })
})
