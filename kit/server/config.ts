import { join } from 'node:path'
import type { Market } from '../contract/bootstrap.ts'
import { type CardType, cardTypes } from '../contract/card-types.ts'
import { type AccessConfig, readAccess, saysAccess } from './config/access.ts'
import { bitsToGuess } from './config/guessing.ts'
import { type OperatorConfig, operatorConfig } from './config/operator.ts'
import { proxyFaults } from './config/proxies.ts'
import { anHttpAddress } from './config/shape.ts'
import { isHex, isInClear, isPathSecret, shapes } from './config/shapes.ts'
import { markets } from './markets.ts'

export type Config = {
  mode: 'demo' | 'production'
  /** `web` serves and leaves all work to others, `worker` works and serves nobody. */
  role: 'web' | 'worker' | 'all'
  host: string
  port: number
  /** Origin that customers see, without a slash at the end; null: the address it listens on. */
  publicUrl: string | null
  dataDir: string
  /** The list of erased customers, which is not to be restored with the database. */
  erasuresFile: string
  /** Folder with brand, catalogue and texts; null in the demo, which has one of its own. */
  providerDir: string | null
  databaseUrl: string | null
  /** The same database as the role that owns its tables; null: the product's role does. */
  migrationDatabaseUrl: string | null
  market: Market
  /** Null in the demo, which makes and keeps its own. */
  secretKey: string | null
  /** The one before, while something that it has sealed or signed may still be about. */
  secretKeyPrevious: string | null
  trustedProxies: string[]
  logLevel: string
  /** Whether the demo has customers from the start. */
  demoCustomers: 'all' | 'none'
  /** Milliseconds of the demo's network between two states of an order; tests make it short. */
  demoStepMs: number
  /** How long a worker may hold an order without a sign of life. */
  leaseSeconds: number
  /** Days for which a number stays its customer's after the end of its plan. */
  numberKeptDays: number
  /** Null in the demo without an address: it starts its own. */
  card: CardConfig | null
  /** Types of card that the provider takes: those that its contract with the gateway has. */
  cardTypes: CardType[]
  network: NetworkConfig | null
  mail: { smtpUrl: string; from: string } | null
  sms: SmsConfig | null
  /** Service that is told of unexpected errors; null: none is. */
  errorReportingDsn: string | null
  /** Where the operator's tool is heard from other hosts; null: nowhere. */
  operator: OperatorConfig | null
}

export type CardConfig = {
  gateway: string
  baseUrl: string
  apiKey: string
  merchantAccount: string
  hmacKey: string
  /** The key before it, by which the gateway may still be signing. */
  hmacKeyPrevious?: string | null
  publicKey: string
}
export type NetworkConfig = { baseUrl: string; callbackSecret: string; access: AccessConfig }
type SmsConfig = { baseUrl: string; sender: string; access: AccessConfig }

/** What is wrong with the environment, a line for each fault. */
export class ConfigFault extends Error {
  readonly faults: string[]
  constructor(faults: string[]) {
    super(faults.join('\n'))
    this.name = 'ConfigFault'
    this.faults = faults
  }
}

type Environment = Record<string, string | undefined>

/**
 * Reads the environment.
 * @throws ConfigFault with every fault at once
 */
export function readConfig(env: Environment): Config {
  const faults: string[] = []
  const fault = (text: string): void => void faults.push(text)
  const read: Reading = { env, fault }
  const mode = oneOf(read, 'MODE', ['demo', 'production'], 'demo')
  const port = wholeNumber(read, 'PORT', { otherwise: 3000, least: 0, most: 65_535 })
  const config: Config = {
    mode,
    role: oneOf(read, 'ROLE', ['web', 'worker', 'all'], 'all'),
    host: env['HOST'] || (mode === 'demo' ? '127.0.0.1' : '0.0.0.0'),
    port,
    publicUrl: origin(read),
    dataDir: env['DATA_DIR'] || '.data',
    erasuresFile: env['ERASURES_FILE'] || join(env['DATA_DIR'] || '.data', 'erasures.jsonl'),
    providerDir: env['PROVIDER_DIR'] || null,
    ...databaseUrls(read),
    market: markets[oneOf(read, 'MARKET', ['NZ', 'AU'], 'NZ')],
    secretKey: env['SECRET_KEY'] || null,
    secretKeyPrevious: env['SECRET_KEY_PREVIOUS'] || null,
    trustedProxies: list(env['TRUSTED_PROXIES']),
    logLevel: oneOf(read, 'LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], mode === 'demo' ? 'warn' : 'info'),
    demoStepMs: wholeNumber(read, 'DEMO_STEP_MS', { otherwise: 150, least: 1, most: 10_000 }),
    demoCustomers: oneOf(read, 'DEMO_CUSTOMERS', ['all', 'none'], 'all'),
    leaseSeconds: wholeNumber(read, 'LEASE_SECONDS', { otherwise: 30, least: 1, most: 600 }),
    numberKeptDays: wholeNumber(read, 'NUMBER_KEPT_DAYS', { otherwise: 50, least: 1, most: 3_650 }),
    card: cardConfig(read, mode),
    cardTypes: cardTypesTaken(read),
    network: networkConfig(read, mode),
    mail: group(read, mailNames, mode === 'production'),
    sms: smsConfig(read, mode),
    errorReportingDsn: env['ERROR_REPORTING_DSN'] || null,
    operator: operatorConfig(env, port, fault),
  }
  for (const [name, { is, shape }] of Object.entries(shapes)) {
    const value = env[name]
    // A key in a message would end up in a log: the name says enough.
    if (value && !is(value)) fault(`${name} must be ${shape}.`)
  }
  for (const name of ['CARD_URL', 'NETWORK_URL', 'NETWORK_TOKEN_URL', 'SMS_URL', 'SMS_TOKEN_URL']) {
    if (isInClear(env[name]))
      fault(
        `${name} must start with https://. Plain http is for an address of this machine only, such as http://127.0.0.1:8080.`,
      )
  }
  if (config.role !== 'all' && !config.databaseUrl)
    fault(`ROLE is ${config.role}: that takes other processes, and DATABASE_URL for what they share.`)
  proxyFaults(config.trustedProxies).forEach(fault)
  if (mode === 'production') checkProduction(config, read)
  else if (Boolean(config.card) !== Boolean(config.network))
    fault('CARD_URL and NETWORK_URL go together: the demo starts both simulators or neither.')
  if (faults.length > 0) throw new ConfigFault(faults)
  return config
}

const cardNames = {
  gateway: 'CARD_GATEWAY',
  baseUrl: 'CARD_URL',
  apiKey: 'CARD_API_KEY',
  merchantAccount: 'CARD_MERCHANT_ACCOUNT',
  hmacKey: 'CARD_HMAC_KEY',
  publicKey: 'CARD_PUBLIC_KEY',
}
const networkNames = { baseUrl: 'NETWORK_URL', callbackSecret: 'NETWORK_CALLBACK_SECRET' }
const mailNames = { smtpUrl: 'SMTP_URL', from: 'MAIL_FROM' }
const smsNames = { baseUrl: 'SMS_URL', sender: 'SMS_SENDER' }

type Fault = (text: string) => void
/** An environment, and where what is wrong with it is told. */
type Reading = { env: Environment; fault: Fault }

function cardConfig(read: Reading, mode: Config['mode']): CardConfig | null {
  const card = group(read, cardNames, mode === 'production')
  return card && { ...card, hmacKeyPrevious: read.env['CARD_HMAC_KEY_PREVIOUS'] || null }
}

function networkConfig(read: Reading, mode: Config['mode']): NetworkConfig | null {
  const network = group(read, networkNames, mode === 'production' || saysAccess(read.env, 'NETWORK'))
  return network && { ...network, access: readAccess(read.env, 'NETWORK', { otherwise: 'none', fault: read.fault }) }
}

function smsConfig(read: Reading, mode: Config['mode']): SmsConfig | null {
  const sms = group(read, smsNames, mode === 'production' || saysAccess(read.env, 'SMS'))
  // A key was all that there was, before there were other ways.
  return sms && { ...sms, access: readAccess(read.env, 'SMS', { otherwise: 'header', fault: read.fault }) }
}

function checkProduction(config: Config, { env, fault }: Reading): void {
  if (!config.databaseUrl) fault('DATABASE_URL is missing: production keeps its data in PostgreSQL.')
  if (!config.providerDir) fault('PROVIDER_DIR is missing: it names the folder with brand, catalogue and texts.')
  if (!env['PUBLIC_URL']) fault('PUBLIC_URL is missing: links in mails are built from it.')
  if (config.publicUrl && !config.publicUrl.startsWith('https://'))
    fault('PUBLIC_URL must start with https:// in production.')
  if (!config.secretKey || config.secretKey.length < 32) fault('SECRET_KEY is missing or shorter than 32 characters.')
  else if (bitsToGuess(config.secretKey) < 80)
    fault('SECRET_KEY can be guessed. `openssl rand -hex 32` prints a good one.')
  if (config.secretKey && config.secretKey === config.secretKeyPrevious)
    fault('SECRET_KEY_PREVIOUS is SECRET_KEY itself: it is the key before it, or nothing.')
  checkKeysOfOthers(config, fault)
}

/** With one of these an attacker can report payments to us, or events of the network. */
function checkKeysOfOthers({ card, network }: Config, fault: Fault): void {
  for (const [name, key] of [
    ['CARD_HMAC_KEY', card?.hmacKey],
    ['CARD_HMAC_KEY_PREVIOUS', card?.hmacKeyPrevious],
  ])
    if (key && isHex(key) && (key.length < 64 || bitsToGuess(key) < 80))
      fault(`${name} must be 32 random bytes in hexadecimal: the key that the gateway has made for its webhooks.`)
  const { callbackSecret } = network ?? { callbackSecret: '' }
  if (isPathSecret(callbackSecret) && bitsToGuess(callbackSecret) < 40)
    fault('NETWORK_CALLBACK_SECRET can be guessed. `openssl rand -hex 16` prints a good one.')
}

/** Settings that only make sense together: all there, or, where they are not needed, none. */
function group<Names extends Record<string, string>>(
  { env, fault }: Reading,
  names: Names,
  needed: boolean,
): Record<keyof Names, string> | null {
  const missing = Object.values(names).filter((name) => !env[name])
  if (missing.length === Object.keys(names).length && !needed) return null
  for (const name of missing) fault(`${name} is missing.`)
  return Object.fromEntries(Object.entries(names).map(([key, name]) => [key, env[name] ?? ''])) as Record<
    keyof Names,
    string
  >
}

function oneOf<const T extends string>(
  { env, fault }: Reading,
  name: string,
  allowed: readonly T[],
  otherwise: NoInfer<T>,
): T {
  const value = env[name]
  if (!value) return otherwise
  const known = allowed.find((one) => one === value)
  if (!known) fault(`${name} is ${JSON.stringify(value)}; it must be one of ${allowed.join(', ')}.`)
  return known ?? otherwise
}

function cardTypesTaken({ env, fault }: Reading): CardType[] {
  const named = list(env['CARD_TYPES'])
  const unknown = named.filter((name) => !cardTypes.some((type) => type === name))
  if (unknown.length > 0)
    fault(`CARD_TYPES has ${JSON.stringify(unknown[0])}; each must be one of ${cardTypes.join(', ')}.`)
  return cardTypes.filter((type) => named.length === 0 || named.includes(type))
}

function wholeNumber(
  { env, fault }: Reading,
  name: string,
  { otherwise, least, most }: { otherwise: number; least: number; most: number },
): number {
  const value = env[name]
  if (!value) return otherwise
  const number = Number(value)
  if (Number.isInteger(number) && number >= least && number <= most) return number
  fault(`${name} is ${JSON.stringify(value)}; it must be a whole number from ${least} to ${most}.`)
  return otherwise
}

function origin({ env, fault }: Reading): string | null {
  const value = env['PUBLIC_URL']
  if (!value) return null
  // With a path it would be no origin: our paths begin at the root.
  if (anHttpAddress.is(value) && new URL(value).href === `${new URL(value).origin}/`) return new URL(value).origin
  fault(`PUBLIC_URL is ${JSON.stringify(value)}; it must be an address such as https://my.example.nz.`)
  return null
}

/** Where the data is: all that migrating it takes. */
export type DatabaseConfig = Pick<Config, 'mode' | 'databaseUrl' | 'migrationDatabaseUrl'>

/**
 * Reads what `npm run migrate` needs of the environment: a deploy job has no keys of gateway and network.
 * @throws ConfigFault with every fault at once
 */
export function readDatabaseConfig(env: Environment): DatabaseConfig & { databaseUrl: string } {
  const faults: string[] = []
  const read: Reading = { env, fault: (text) => void faults.push(text) }
  const mode = oneOf(read, 'MODE', ['demo', 'production'], 'demo')
  const { databaseUrl, migrationDatabaseUrl } = databaseUrls(read)
  if (!databaseUrl && !migrationDatabaseUrl)
    faults.push('DATABASE_URL is missing: only PostgreSQL is migrated before a start.')
  if (!databaseUrl || faults.length > 0) throw new ConfigFault(faults)
  return { mode, databaseUrl, migrationDatabaseUrl }
}

function databaseUrls(read: Reading): Pick<Config, 'databaseUrl' | 'migrationDatabaseUrl'> {
  const [ours, owners] = [databaseUrl(read, 'DATABASE_URL'), databaseUrl(read, 'MIGRATION_DATABASE_URL')]
  if (owners && !ours) read.fault('MIGRATION_DATABASE_URL goes with DATABASE_URL, which is missing.')
  return { databaseUrl: ours, migrationDatabaseUrl: owners }
}

function databaseUrl({ env, fault }: Reading, name: string): string | null {
  const value = env[name]
  if (!value) return null
  if (!/^postgres(ql)?:\/\//.test(value)) fault(`${name} must start with postgres:// or postgresql://.`)
  return value
}

const list = (value: string | undefined): string[] =>
  value
    ? value
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean)
    : []
