import { readFileSync } from 'node:fs'
import type { RequiredCredentials, SimulatorAccess } from './require-credentials.ts'
import type { ServerTls } from './server.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads a standalone simulator's access options from environment variables. AUTH is none, header, basic or oauth2. `header` uses
 * API_KEY_HEADER (default: Authorization) and API_KEY, which is the header's whole value. `basic` uses BASIC_USER and BASIC_PASSWORD.
 * `oauth2` uses TOKEN_SECRET and, optionally, TOKEN_SCOPE. `readTls` reads the TLS settings. If any required setting is missing, the
 * function prints an error and exits.
 */
export function readSimulatorAccess(env: Environment): SimulatorAccess {
  const tls = readTlsSettings(env)
  return { demand: readCredentials(env), ...(tls && { tls }) }
}

export function readTlsSettings(env: Environment): ServerTls | undefined {
  if (!env['TLS_CERT'] && !env['TLS_KEY'] && !env['TLS_CLIENT_CA']) return undefined
  const read = (name: string): string => {
    try {
      return readFileSync(requireSetting(env, name), 'utf8')
    } catch (error) {
      return exitWithError(`${name} cannot be read: ${String(error)}`)
    }
  }
  return {
    cert: read('TLS_CERT'),
    key: read('TLS_KEY'),
    ...(env['TLS_CLIENT_CA'] && { clientCa: read('TLS_CLIENT_CA') }),
  }
}

export const requireSetting = (env: Environment, name: string): string =>
  env[name] || exitWithError(`${name} is missing.`)

function readCredentials(env: Environment): RequiredCredentials {
  const { AUTH = 'none', API_KEY_HEADER = 'Authorization', TOKEN_SCOPE } = env
  switch (AUTH) {
    case 'none':
      return { kind: 'none' }
    case 'header':
      return { kind: 'header', header: API_KEY_HEADER, value: requireSetting(env, 'API_KEY') }
    case 'basic':
      return { kind: 'basic', user: requireSetting(env, 'BASIC_USER'), password: requireSetting(env, 'BASIC_PASSWORD') }
    case 'oauth2':
      return {
        kind: 'oauth2',
        tokenSecret: requireSetting(env, 'TOKEN_SECRET'),
        ...(TOKEN_SCOPE && { scope: TOKEN_SCOPE }),
      }
    default:
      return exitWithError(`AUTH must be none, header, basic or oauth2, not "${AUTH}".`)
  }
}

function exitWithError(line: string): never {
  console.error(line)
  process.exit(1)
}
