import { join } from 'node:path'
import * as v from 'valibot'
import type { Market } from '../contract/bootstrap.ts'
import type { CardType } from '../contract/card-types.ts'
import { type CertificateExpiry, readCertificateExpiries } from './config/certificates.ts'
import { readDatabaseSettings, type DatabaseSettings } from './config/databases.ts'
import { type DeskConfig, buildDeskConfig } from './config/desk.ts'
import { estimateEntropyBits } from './config/key-entropy.ts'
import { type OperatorConfig, readOperatorConfig } from './config/operator.ts'
import { type OpsConfig, readOpsConfig } from './config/ops.ts'
import { findProxyFaults } from './config/proxies.ts'
import {
  type Environment,
  type ReportFault,
  isOrigin,
  splitList,
  oneOf,
  type SettingsReader,
  readSetting,
  wholeNumber,
} from './config/setting.ts'
import {
  type CardConfig,
  readCardConfig,
  readAcceptedCardTypes,
  type MailConfig,
  readMailConfig,
  type NetworkConfig,
  readNetworkConfig,
  type SmsConfig,
  readSmsConfig,
} from './config/service-configs.ts'
import { isHex, isUnencryptedHttp, isPathSecret, settingSchemas } from './config/setting-schemas.ts'
import { type TasksConfig, readTasksConfig } from './config/tasks.ts'
import { type TracingConfig, readTracingConfig } from './config/tracing.ts'
import { markets } from './markets.ts'

export type Config = DatabaseSettings & {
  mode: 'demo' | 'production'
  role: 'web' | 'worker' | 'all'
  host: string
  port: number
  /** The origin that customers see, without a trailing slash. `null` stands for the address that the process listens on. */
  publicUrl: string | null
  dataDir: string
  /** File that lists erased customers. Restoring a database backup must not overwrite this file. */
  erasuresFile: string
  /** Folder with the brand, catalogue and texts. `null` only in the demo, which ships with its own. */
  providerDir: string | null
  market: Market
  /** The secret key. `null` only in the demo, which generates and stores its own key. */
  secretKey: string | null
  /** The previous secret key. Keep it set while data encrypted or signed with it may still be in use. */
  secretKeyPrevious: string | null
  trustedProxies: string[]
  logLevel: string
  demoCustomers: 'all' | 'none'
  /** Milliseconds between an order's states in the demo's simulated network. */
  demoStepMs: number
  leaseSeconds: number
  /** Maximum number of due items that a process handles in parallel, and of requested jobs that it runs in parallel in each queue. */
  workAtOnce: number
  /** Days that a phone number stays reserved for its customer after the plan ends. */
  numberKeptDays: number
  /** Card gateway settings; `null` in a demo without them, which starts its own simulator. */
  card: CardConfig | null
  cardTypes: CardType[]
  network: NetworkConfig | null
  mail: MailConfig | null
  sms: SmsConfig | null
  errorReportingDsn: string | null
  tasks: TasksConfig
  operator: OperatorConfig | null
  desk: DeskConfig | null
  /** Separate listener for health checks and metrics. If `null`, only health checks are served, on the customers' port. */
  ops: OpsConfig | null
  tracing: TracingConfig | null
  certificates: CertificateExpiry[]
}

export class ConfigError extends Error {
  readonly faults: string[]
  constructor(faults: string[]) {
    super(faults.join('\n'))
    this.name = 'ConfigFault'
    this.faults = faults
  }
}

export const defaultStepMs = 150

/**
 * Reads and validates the settings from the environment.
 * @throws ConfigError listing every fault
 */
export function readConfig(env: Environment): Config {
  const faults: string[] = []
  const fault = (text: string): void => void faults.push(text)
  const read: SettingsReader = { env, fault }
  const mode = readSetting(read, 'MODE', oneOf(['demo', 'production']), 'demo')
  const port = readSetting(read, 'PORT', wholeNumber(0, 65_535), 3000)
  const operator = readOperatorConfig(env, port, fault)
  const config: Config = {
    mode,
    role: readSetting(read, 'ROLE', oneOf(['web', 'worker', 'all']), 'all'),
    host: env['HOST'] || (mode === 'demo' ? '127.0.0.1' : '0.0.0.0'),
    port,
    publicUrl: readSetting(read, 'PUBLIC_URL', publicUrlSchema, null),
    dataDir: env['DATA_DIR'] || '.data',
    erasuresFile: env['ERASURES_FILE'] || join(env['DATA_DIR'] || '.data', 'erasures.jsonl'),
    providerDir: env['PROVIDER_DIR'] || null,
    ...readDatabaseSettings(read),
    market: markets[readSetting(read, 'MARKET', oneOf(['NZ', 'AU']), 'NZ')],
    secretKey: env['SECRET_KEY'] || null,
    secretKeyPrevious: env['SECRET_KEY_PREVIOUS'] || null,
    trustedProxies: splitList(env['TRUSTED_PROXIES'] ?? ''),
    logLevel: readSetting(
      read,
      'LOG_LEVEL',
      oneOf(['debug', 'info', 'warn', 'error', 'silent']),
      mode === 'demo' ? 'warn' : 'info',
    ),
    demoStepMs: readSetting(read, 'DEMO_STEP_MS', wholeNumber(1, 10_000), defaultStepMs),
    demoCustomers: readSetting(read, 'DEMO_CUSTOMERS', oneOf(['all', 'none']), 'all'),
    leaseSeconds: readSetting(read, 'LEASE_SECONDS', wholeNumber(1, 600), 30),
    workAtOnce: readSetting(read, 'WORK_AT_ONCE', wholeNumber(1, 16), 4),
    numberKeptDays: readSetting(read, 'NUMBER_KEPT_DAYS', wholeNumber(1, 3_650), 50),
    card: readCardConfig(read, mode),
    cardTypes: readAcceptedCardTypes(read),
    network: readNetworkConfig(read, mode),
    mail: readMailConfig(read, mode),
    sms: readSmsConfig(read, mode),
    errorReportingDsn: env['ERROR_REPORTING_DSN'] || null,
    tasks: readTasksConfig(env, mode, fault),
    operator,
    desk: null,
    ops: readOpsConfig(env, { PORT: port, OPERATOR_PORT: operator?.port ?? null }, fault),
    tracing: readTracingConfig(env, fault),
    certificates: readCertificateExpiries(env),
  }
  config.desk = readDeskConfig(config, read)
  for (const [name, schema] of Object.entries(settingSchemas)) readSetting(read, name, schema, null)
  checkPlainHttp(read)
  if (config.role !== 'all' && !config.databaseUrl)
    fault(`ROLE=${config.role} works only with other processes that share its database: set DATABASE_URL.`)
  findProxyFaults(config.trustedProxies).forEach(fault)
  if (mode === 'production') checkProductionSettings(config, read)
  else if (Boolean(config.card) !== Boolean(config.network))
    fault('Set both CARD_URL and NETWORK_URL, or neither: the demo starts either both of its simulators or none.')
  if (faults.length > 0) throw new ConfigError(faults)
  return config
}

function checkPlainHttp({ env, fault }: SettingsReader): void {
  for (const name of ['CARD_URL', 'NETWORK_URL', 'NETWORK_TOKEN_URL', 'SMS_URL', 'SMS_TOKEN_URL']) {
    if (isUnencryptedHttp(env[name]))
      fault(
        `${name} must start with https://. Plain http is for an address of this machine only, such as http://127.0.0.1:8080.`,
      )
  }
}

function readDeskConfig({ role, mode, host, port, operator, ops }: Config, read: SettingsReader): DeskConfig | null {
  const takenPorts = { PORT: port, OPERATOR_PORT: operator?.port ?? null, OPS_PORT: ops?.port ?? null }
  return role === 'worker' ? null : buildDeskConfig(read, mode, { host, taken: takenPorts })
}

function checkProductionSettings(config: Config, { env, fault }: SettingsReader): void {
  if (!config.databaseUrl) fault('DATABASE_URL is missing: production needs a PostgreSQL database.')
  if (!config.providerDir)
    fault('PROVIDER_DIR is missing: set it to the folder that contains the brand, catalogue and texts.')
  if (!env['PUBLIC_URL']) fault('PUBLIC_URL is missing: links in emails are built from it.')
  if (config.publicUrl && !config.publicUrl.startsWith('https://'))
    fault('PUBLIC_URL must start with https:// in production.')
  if (!config.secretKey || config.secretKey.length < 32) fault('SECRET_KEY is missing or shorter than 32 characters.')
  else if (estimateEntropyBits(config.secretKey) < 80)
    fault('SECRET_KEY can be guessed. `openssl rand -hex 32` prints a good one.')
  if (config.secretKey && config.secretKey === config.secretKeyPrevious)
    fault('SECRET_KEY_PREVIOUS is the same as SECRET_KEY. Set it to the previous key, or leave it out.')
  checkProviderKeys(config, fault)
}

/** Checks that the webhook keys are strong. An attacker who guesses one could forge payment webhooks or network events. */
function checkProviderKeys({ card, network }: Config, fault: ReportFault): void {
  for (const [name, key] of [
    ['CARD_HMAC_KEY', card?.hmacKey],
    ['CARD_HMAC_KEY_PREVIOUS', card?.hmacKeyPrevious],
  ])
    if (key && isHex(key) && (key.length < 64 || estimateEntropyBits(key) < 80))
      fault(`${name} must be 32 random bytes in hexadecimal: the key that the gateway generated for its webhooks.`)
  const { callbackSecret } = network ?? { callbackSecret: '' }
  if (isPathSecret(callbackSecret) && estimateEntropyBits(callbackSecret) < 40)
    fault('NETWORK_CALLBACK_SECRET can be guessed. `openssl rand -hex 16` prints a good one.')
}

// PUBLIC_URL must be an origin without a path, because the portal's paths start at the root.
const publicUrlSchema = v.pipe(
  v.string(),
  v.check(isOrigin, ({ input }) => `is ${JSON.stringify(input)}; it must be an address such as https://my.example.nz.`),
  v.transform((url) => new URL(url).origin),
)

export type DatabaseConfig = Pick<Config, 'mode'> & DatabaseSettings

/**
 * Reads the settings for `npm run migrate`. Gateway and network keys are not required, because a deploy job doesn't have them.
 * @throws ConfigError listing every fault
 */
export function readDatabaseConfig(env: Environment): DatabaseConfig & { databaseUrl: string } {
  const faults: string[] = []
  const read: SettingsReader = { env, fault: (text) => void faults.push(text) }
  const mode = readSetting(read, 'MODE', oneOf(['demo', 'production']), 'demo')
  const { databaseUrl, ...settings } = readDatabaseSettings(read)
  if (!databaseUrl && !settings.migrationDatabaseUrl)
    faults.push('DATABASE_URL is missing: this command can only migrate a PostgreSQL database.')
  if (!databaseUrl || faults.length > 0) throw new ConfigError(faults)
  return { mode, databaseUrl, ...settings }
}
