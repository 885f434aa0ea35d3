import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { certificateFile } from '#quality/support/certificates.ts'
import { productionSettings } from '#quality/support/production-settings.ts'
import { ConfigError, readConfig } from '../config.ts'

const dir = mkdtempSync(join(tmpdir(), 'settings-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const garbage = join(dir, 'garbage.pem')
writeFileSync(garbage, '-----BEGIN CERTIFICATE-----\nnone\n-----END CERTIFICATE-----\n')
const nowhere = join(dir, 'nowhere.pem')

type Settings = Record<string, string>

function faultsOf(change: Settings): string[] {
  try {
    readConfig({ ...productionSettings, ...change })
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

const oauth2 = (service: 'NETWORK' | 'SMS'): Settings => ({
  ...(service === 'SMS' && { SMS_API_KEY: '' }),
  [`${service}_AUTH`]: 'oauth2',
  [`${service}_TOKEN_URL`]: 'https://tokens.example.com/token',
  [`${service}_CLIENT_ID`]: 'fantail',
  [`${service}_CLIENT_SECRET`]: 'secret',
})
const basic = (service: 'NETWORK' | 'SMS'): Settings => ({
  ...(service === 'SMS' && { SMS_API_KEY: '' }),
  [`${service}_AUTH`]: 'basic',
  [`${service}_USER`]: 'fantail',
  [`${service}_PASSWORD`]: 'secret',
})
const header = { NETWORK_AUTH: 'header', NETWORK_API_KEY: 'key' }
const client = (service: 'NETWORK' | 'SMS'): Settings => ({
  [`${service}_TLS_CERT`]: certificateFile('client.crt'),
  [`${service}_TLS_KEY`]: certificateFile('client.key'),
})
const webhooks = { CARD_WEBHOOK_USER: 'adyen', CARD_WEBHOOK_PASSWORD: 'secret' }
const operator = { OPERATOR_PORT: '3100', OPERATOR_TLS_CERT: 'a.crt', OPERATOR_TLS_KEY: 'a.key' }
const operatorFiles = 'OPERATOR_TLS_CERT and OPERATOR_TLS_KEY are missing: OPERATOR_PORT works over TLS only.'

const desk = { DESK_PORT: '3200', DESK_URL: 'https://desk.example.nz' }

const neededAlways = [
  'CARD_GATEWAY',
  'CARD_URL',
  'CARD_API_KEY',
  'CARD_MERCHANT_ACCOUNT',
  'CARD_HMAC_KEY',
  'CARD_PUBLIC_KEY',
  'NETWORK_URL',
  'NETWORK_CALLBACK_SECRET',
  'SMTP_URL',
  'MAIL_FROM',
  'SMS_URL',
  'SMS_API_KEY',
  'SMS_SENDER',
]

const missing: [name: string, others: Settings, line: string][] = [
  ['DATABASE_URL', {}, 'DATABASE_URL is missing: production needs a PostgreSQL database.'],
  ['PROVIDER_DIR', {}, 'PROVIDER_DIR is missing: set it to the folder that contains the brand, catalogue and texts.'],
  ['PUBLIC_URL', {}, 'PUBLIC_URL is missing: links in emails are built from it.'],
  ['SECRET_KEY', {}, 'SECRET_KEY is missing or shorter than 32 characters.'],
  ...neededAlways.map((name): [string, Settings, string] => [name, {}, `${name} is missing.`]),
  ['CARD_WEBHOOK_USER', webhooks, 'CARD_WEBHOOK_USER is missing: set it together with CARD_WEBHOOK_PASSWORD.'],
  ['CARD_WEBHOOK_PASSWORD', webhooks, 'CARD_WEBHOOK_PASSWORD is missing: set it together with CARD_WEBHOOK_USER.'],
  ['OPERATOR_TLS_CERT', operator, operatorFiles],
  ['OPERATOR_TLS_KEY', operator, operatorFiles],
  ['NETWORK_API_KEY', header, 'NETWORK_API_KEY is missing: NETWORK_AUTH is header.'],
  ...(['NETWORK', 'SMS'] as const).flatMap((service): [string, Settings, string][] => [
    ...['USER', 'PASSWORD'].map((part): [string, Settings, string] => [
      `${service}_${part}`,
      basic(service),
      `${service}_${part} is missing: ${service}_AUTH is basic.`,
    ]),
    ...['TOKEN_URL', 'CLIENT_ID', 'CLIENT_SECRET'].map((part): [string, Settings, string] => [
      `${service}_${part}`,
      oauth2(service),
      `${service}_${part} is missing: ${service}_AUTH is oauth2.`,
    ]),
    [`${service}_TLS_KEY`, client(service), `${service}_TLS_KEY is missing: set it together with ${service}_TLS_CERT.`],
    [
      `${service}_TLS_CERT`,
      client(service),
      `${service}_TLS_CERT is missing: set it together with ${service}_TLS_KEY.`,
    ],
  ]),
]

const wholeNumber = (name: string, least: number, most: number): [string, string, Settings, string] => [
  name,
  'many',
  {},
  `${name} is "many"; it must be a whole number from ${least} to ${most}.`,
]
const inHex = (name: string): [string, string, Settings, string] => [
  name,
  'a key',
  {},
  `${name} must be in hexadecimal.`,
]
const inSigns = 'only ASCII letters, digits and punctuation'

const malformed: [name: string, value: string, others: Settings, line: string][] = [
  ['MODE', 'live', {}, 'MODE is "live"; it must be one of demo, production.'],
  ['MARKET', 'UK', {}, 'MARKET is "UK"; it must be one of NZ, AU.'],
  ['ROLE', 'mailer', {}, 'ROLE is "mailer"; it must be one of web, worker, all.'],
  ['LOG_LEVEL', 'loud', {}, 'LOG_LEVEL is "loud"; it must be one of debug, info, warn, error, silent.'],
  ['DEMO_CUSTOMERS', 'some', {}, 'DEMO_CUSTOMERS is "some"; it must be one of all, none.'],
  ['DATABASE_PREPARED_STATEMENTS', 'yes', {}, 'DATABASE_PREPARED_STATEMENTS is "yes"; it must be one of on, off.'],
  wholeNumber('PORT', 0, 65_535),
  wholeNumber('DEMO_STEP_MS', 1, 10_000),
  wholeNumber('LEASE_SECONDS', 1, 600),
  wholeNumber('WORK_AT_ONCE', 1, 16),
  wholeNumber('NUMBER_KEPT_DAYS', 1, 3_650),
  ['PUBLIC_URL', 'my.example', {}, 'PUBLIC_URL is "my.example"; it must be an address such as https://my.example.nz.'],
  ['DATABASE_URL', 'mysql://db/x', {}, 'DATABASE_URL must start with postgres:// or postgresql://.'],
  [
    'DATABASE_URL',
    'postgres://one,two/x?target_session_attrs=any',
    {},
    'DATABASE_URL asks for target_session_attrs=any; it must be read-write, or left out.',
  ],
  ['MIGRATION_DATABASE_URL', 'db/x', {}, 'MIGRATION_DATABASE_URL must start with postgres:// or postgresql://.'],
  ['SECRET_KEY', 'k'.repeat(64), {}, 'SECRET_KEY can be guessed. `openssl rand -hex 32` prints a good one.'],
  [
    'SECRET_KEY_PREVIOUS',
    productionSettings.SECRET_KEY,
    {},
    'SECRET_KEY_PREVIOUS is the same as SECRET_KEY. Set it to the previous key, or leave it out.',
  ],
  ['TRUSTED_PROXIES', 'all', {}, 'TRUSTED_PROXIES has "all"; each must be an address, or a range such as 10.0.0.0/8.'],
  ['CARD_URL', 'pal-test', {}, 'CARD_URL must be an http or https address.'],
  inHex('CARD_HMAC_KEY'),
  inHex('CARD_HMAC_KEY_PREVIOUS'),
  [
    'CARD_PUBLIC_KEY',
    '10001',
    {},
    'CARD_PUBLIC_KEY must be an exponent and a modulus in hexadecimal, separated by a bar.',
  ],
  ['CARD_TYPES', 'diners', {}, 'CARD_TYPES has "diners"; each must be one of visa, mc, amex.'],
  ['NETWORK_URL', '/network', {}, 'NETWORK_URL must be an http or https address.'],
  [
    'NETWORK_CALLBACK_SECRET',
    'short',
    {},
    'NETWORK_CALLBACK_SECRET must be at least 16 letters, digits, hyphens or underscores.',
  ],
  ['SMTP_URL', 'mail', {}, 'SMTP_URL must be an address such as smtps://user:password@mail.example.nz.'],
  ['SMS_URL', 'sms', {}, 'SMS_URL must be an http or https address.'],
  [
    'SMS_SENDER',
    'Fantail Mobile',
    {},
    'SMS_SENDER must be a number, a short code, or a name of 11 characters at most.',
  ],
  [
    'ERROR_REPORTING_DSN',
    'key',
    {},
    'ERROR_REPORTING_DSN must be an address such as https://key@errors.example.nz/42.',
  ],
  ['OPERATOR_MAIL', 'operations', {}, 'OPERATOR_MAIL must be one address such as operations@example.nz.'],
  ['SIM_STOCK_LEVEL', 'many', {}, 'SIM_STOCK_LEVEL must be a whole number from 0 to 9999999.'],
  ['OPS_PORT', 'x', {}, 'OPS_PORT must be a whole number from 0 to 65535.'],
  ['DESK_PORT', 'x', desk, 'DESK_PORT must be a whole number from 0 to 65535, or off.'],
  ['DESK_URL', 'http://desk', desk, 'DESK_URL must be an https:// address, because passkeys are tied to it.'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector', {}, 'OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address.'],
  ['OPERATOR_PORT', 'x', operator, 'OPERATOR_PORT must be a whole number from 0 to 65535.'],
  ...(['NETWORK', 'SMS'] as const).flatMap((service): [string, string, Settings, string][] => {
    const [cert, key, ca] = [`${service}_TLS_CERT`, `${service}_TLS_KEY`, `${service}_TLS_CA`]
    const keyed = service === 'NETWORK' ? header : {}
    const row = (part: string, value: string, others: Settings, must: string): [string, string, Settings, string] => [
      `${service}_${part}`,
      value,
      others,
      `${service}_${part} must ${must}.`,
    ]
    const file = (name: string, value: string, line: string): [string, string, Settings, string] => [
      name,
      value,
      client(service),
      line,
    ]
    return [
      [`${service}_AUTH`, 'digest', {}, `${service}_AUTH is "digest"; it must be one of none, header, basic, oauth2.`],
      row('API_KEY', 'two words', keyed, 'contain only ASCII letters, digits and punctuation, without spaces'),
      row('API_KEY_HEADER', 'x-api-key: ', keyed, 'be a header name'),
      row('USER', 'a:b', basic(service), `contain ${inSigns}, without a colon`),
      row('PASSWORD', 'a\nb', basic(service), `contain ${inSigns}`),
      row('TOKEN_URL', 'tokens', oauth2(service), 'be an http or https address'),
      [
        `${service}_TOKEN_URL`,
        'http://tokens.example.com/',
        oauth2(service),
        `${service}_TOKEN_URL must start with https://. Plain http is for an address of this machine only, such as http://127.0.0.1:8080.`,
      ],
      row('CLIENT_ID', 'a\nb', oauth2(service), `contain ${inSigns}`),
      row('CLIENT_SECRET', 'a\nb', oauth2(service), `contain ${inSigns}`),
      row('CLIENT_AUTH', 'jwt', oauth2(service), 'be basic or post'),
      row('SCOPE', 'a"b', oauth2(service), 'be scope names separated by spaces'),
      file(cert, nowhere, `${cert}: ${nowhere} cannot be read (ENOENT).`),
      file(cert, garbage, `${cert}: ${garbage} contains no certificate in PEM format.`),
      file(key, nowhere, `${key}: ${nowhere} cannot be read (ENOENT).`),
      file(
        key,
        garbage,
        `${key}: ${garbage} contains no private key in PEM format, or its key is protected by a password.`,
      ),
      file(key, certificateFile('stranger.key'), `${key} is not the private key for ${cert}.`),
      file(ca, nowhere, `${ca}: ${nowhere} cannot be read (ENOENT).`),
      file(ca, garbage, `${ca}: ${garbage} contains no certificate in PEM format.`),
    ]
  }),
]

/** Settings that accept any text, because the code that uses the value checks it later. */
const anyText: Record<string, (config: ReturnType<typeof readConfig>) => unknown> = {
  HOST: (config) => config.host,
  ERASURES_FILE: (config) => config.erasuresFile,
  OPERATOR_HOST: (config) => config.operator?.host,
  OPS_HOST: (config) => config.ops?.host,
  DESK_HOST: (config) => config.desk?.host,
}

test.each(missing)('reports a missing %s', (name, others, line) => {
  expect(faultsOf({ ...others, [name]: '' })).toEqual([line])
})

test.each(malformed)('rejects an invalid %s: %j', (name, value, others, line) => {
  expect(faultsOf({ ...others, [name]: value })).toEqual([line])
})

test.each(Object.entries(anyText))('accepts any text as %s', (name, read) => {
  expect(read(readConfig({ ...productionSettings, ...operator, ...desk, OPS_PORT: '9464', [name]: 'text' }))).toBe(
    'text',
  )
})

test('every setting in docs/running.md is tested in this file', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/running.md'), 'utf8')
  const table = /^## Settings\n([^]*?)\n## /m.exec(page)?.[1] ?? ''
  const documented = table.split('\n').flatMap((line) => {
    const [, names = ''] = /^\| (`[^|]+) \|/.exec(line) ?? []
    return [...names.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name)
  })
  expect(documented.length).toBeGreaterThan(60)
  const held = new Set([...missing, ...malformed].map(([name]) => name).concat(Object.keys(anyText)))
  expect([...held].toSorted()).toEqual([...new Set(documented)].toSorted())
})

describe('settings that the chosen authentication method does not use', () => {
  test.each([
    [{ NETWORK_API_KEY: 'key' }, 'NETWORK_API_KEY is set, but NETWORK_AUTH is none.'],
    [{ ...basic('NETWORK'), NETWORK_SCOPE: 'orders' }, 'NETWORK_SCOPE is set, but NETWORK_AUTH is basic.'],
    [{ SMS_AUTH: 'none' }, 'SMS_API_KEY is set, but SMS_AUTH is none.'],
    [{ ...oauth2('SMS'), SMS_API_KEY: 'key' }, 'SMS_API_KEY is set, but SMS_AUTH is oauth2.'],
  ])('reports settings that the chosen authentication method does not use: %o', (change, line) =>
    expect(faultsOf(change)).toEqual([line]),
  )
})

test("reports a missing service URL if the service's credentials are set, even in the demo", () => {
  expect(() => readConfig({ NETWORK_AUTH: 'none' })).toThrow('NETWORK_URL is missing.')
  expect(() => readConfig({ SMS_API_KEY: 'key' })).toThrow('SMS_URL is missing.')
})

test('an expired certificate does not prevent the process from starting', () => {
  const ended = certificateFile('ended-client.crt')
  const { certificates } = readConfig({
    ...productionSettings,
    NETWORK_TLS_CERT: ended,
    NETWORK_TLS_KEY: certificateFile('ended-client.key'),
    SMS_TLS_CA: ended,
  })
  const endsAt = Temporal.Instant.from('2026-01-01T00:00Z')
  expect(certificates).toEqual([
    { setting: 'NETWORK_TLS_CERT', endsAt },
    { setting: 'SMS_TLS_CA', endsAt },
  ])
})

test('reads the authentication and TLS settings for the network and the SMS service', () => {
  const config = readConfig({
    ...productionSettings,
    ...oauth2('NETWORK'),
    NETWORK_SCOPE: 'orders usage',
    ...client('NETWORK'),
    NETWORK_TLS_CA: certificateFile('localhost.crt'),
    ...basic('SMS'),
  })
  expect(config.network?.access).toEqual({
    credentials: {
      kind: 'oauth2',
      tokenUrl: 'https://tokens.example.com/token',
      clientId: 'fantail',
      clientSecret: 'secret',
      clientAuth: 'basic',
      scope: 'orders usage',
    },
    tls: {
      cert: readFileSync(certificateFile('client.crt'), 'utf8'),
      key: readFileSync(certificateFile('client.key'), 'utf8'),
      ca: readFileSync(certificateFile('localhost.crt'), 'utf8'),
    },
  })
  expect(config.sms?.access).toEqual({
    credentials: { kind: 'basic', user: 'fantail', password: 'secret' },
    tls: { cert: null, key: null, ca: null },
  })
})
