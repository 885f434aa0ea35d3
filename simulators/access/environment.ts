import { readFileSync } from 'node:fs'
import type { Demand, SimulatorAccess } from './demand.ts'
import type { ServerTls } from './server.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Access options of a standalone simulator, from the environment. AUTH is none, header, basic or oauth2.
 * `header` uses API_KEY_HEADER (default: Authorization) and API_KEY, the header's whole value.
 * `basic` uses BASIC_USER and BASIC_PASSWORD. `oauth2` uses TOKEN_SECRET and optionally TOKEN_SCOPE. `tlsOf` reads the TLS settings.
 * Prints an error and ends the process if the settings are incomplete.
 */
export function accessOf(env: Environment): SimulatorAccess {
  const tls = tlsOf(env)
  return { demand: demandOf(env), ...(tls && { tls }) }
}

export function tlsOf(env: Environment): ServerTls | undefined {
  if (!env['TLS_CERT'] && !env['TLS_KEY'] && !env['TLS_CLIENT_CA']) return undefined
  const read = (name: string): string => {
    try {
      return readFileSync(needed(env, name), 'utf8')
    } catch (error) {
      return end(`${name} cannot be read: ${String(error)}`)
    }
  }
  return {
    cert: read('TLS_CERT'),
    key: read('TLS_KEY'),
    ...(env['TLS_CLIENT_CA'] && { clientCa: read('TLS_CLIENT_CA') }),
  }
}

export const needed = (env: Environment, name: string): string => env[name] || end(`${name} is missing.`)

function demandOf(env: Environment): Demand {
  const { AUTH = 'none', API_KEY_HEADER = 'Authorization', TOKEN_SCOPE } = env
  switch (AUTH) {
    case 'none':
      return { kind: 'none' }
    case 'header':
      return { kind: 'header', header: API_KEY_HEADER, value: needed(env, 'API_KEY') }
    case 'basic':
      return { kind: 'basic', user: needed(env, 'BASIC_USER'), password: needed(env, 'BASIC_PASSWORD') }
    case 'oauth2':
      return { kind: 'oauth2', tokenSecret: needed(env, 'TOKEN_SECRET'), ...(TOKEN_SCOPE && { scope: TOKEN_SCOPE }) }
    default:
      return end(`AUTH must be none, header, basic or oauth2, not "${AUTH}".`)
  }
}

function end(line: string): never {
  console.error(line)
  process.exit(1)
}
