import { readFileSync } from 'node:fs'
import type { Demand, SimulatorAccess } from './demand.ts'
import type { ServerTls } from './server.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * What a simulator that runs alone is told of its callers: AUTH (none, header, basic, oauth2), for `header` API_KEY_HEADER
 * (Authorization) and API_KEY, the header's whole value; for `basic` BASIC_USER and BASIC_PASSWORD; for `oauth2` TOKEN_SECRET
 * and, if there is one, TOKEN_SCOPE; and what `tlsOf` reads. Ends the process with a line when that is not whole.
 */
export function accessOf(env: Environment): SimulatorAccess {
  const tls = tlsOf(env)
  return { demand: demandOf(env), ...(tls && { tls }) }
}

/** TLS_CERT and TLS_KEY, and TLS_CLIENT_CA for the CA whose certificates clients must have: files in PEM. */
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

/** A setting that must be there. */
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
