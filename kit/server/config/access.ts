import * as v from 'valibot'
import { type ClientTls, readClientTls } from './client-tls.ts'
import { type Environment, type Fault, httpAddress, matching, oneOf, readSetting } from './setting.ts'

export type AccessConfig = {
  credentials:
    | { kind: 'none' }
    /** `header: null` sends the key as `Authorization: Bearer …`. */
    | { kind: 'header'; header: string | null; key: string }
    | { kind: 'basic'; user: string; password: string }
    | {
        kind: 'oauth2'
        tokenUrl: string
        clientId: string
        clientSecret: string
        clientAuth: 'basic' | 'post'
        scope: string | null
      }
  tls: ClientTls
}

export const withoutCredentials: AccessConfig = {
  credentials: { kind: 'none' },
  tls: { cert: null, key: null, ca: null },
}

export type AccessService = 'NETWORK' | 'SMS'

type Kind = AccessConfig['credentials']['kind']

const takes = {
  none: { needed: [], optional: [] },
  header: { needed: ['API_KEY'], optional: ['API_KEY_HEADER'] },
  basic: { needed: ['USER', 'PASSWORD'], optional: [] },
  oauth2: { needed: ['TOKEN_URL', 'CLIENT_ID', 'CLIENT_SECRET'], optional: ['CLIENT_AUTH', 'SCOPE'] },
} as const satisfies Record<Kind, { needed: readonly string[]; optional: readonly string[] }>

const kinds = Object.keys(takes) as Kind[]
const parts = kinds.flatMap((kind) => [...takes[kind].needed, ...takes[kind].optional])

export const saysAccess = (env: Environment, service: AccessService): boolean =>
  ['AUTH', ...parts, 'TLS_CERT', 'TLS_KEY', 'TLS_CA'].some((part) => env[`${service}_${part}`])

export function readAccess(
  env: Environment,
  service: AccessService,
  { otherwise, fault }: { otherwise: Kind; fault: Fault },
): AccessConfig {
  const name = (part: string): string => `${service}_${part}`
  const value = (part: string): string => env[name(part)] ?? ''
  const asked = value('AUTH')
  const kind = asked === '' ? otherwise : readSetting({ env, fault }, name('AUTH'), oneOf(kinds), null)
  if (kind) {
    const { needed, optional }: { needed: readonly string[]; optional: readonly string[] } = takes[kind]
    for (const part of needed)
      if (!value(part)) fault(`${name(part)} is missing${asked ? `: ${name('AUTH')} is ${kind}` : ''}.`)
    // Calls would not send this setting, so the service would reject them.
    for (const part of parts)
      if (value(part) && ![...needed, ...optional].includes(part))
        fault(`${name(part)} is set, but ${name('AUTH')} is ${kind}.`)
  }
  return { credentials: credentialsOf(kind ?? 'none', value), tls: readClientTls(env, service, fault) }
}

function credentialsOf(kind: Kind, value: (part: string) => string): AccessConfig['credentials'] {
  if (kind === 'none') return { kind }
  if (kind === 'header') return { kind, header: value('API_KEY_HEADER') || null, key: value('API_KEY') }
  if (kind === 'basic') return { kind, user: value('USER'), password: value('PASSWORD') }
  return {
    kind,
    tokenUrl: value('TOKEN_URL'),
    clientId: value('CLIENT_ID'),
    clientSecret: value('CLIENT_SECRET'),
    clientAuth: value('CLIENT_AUTH') === 'post' ? 'post' : 'basic',
    scope: value('SCOPE') || null,
  }
}

const printable = matching(/^[\x20-\x7e]+$/, 'must contain only ASCII letters, digits and punctuation.')

export const accessSchemas = (service: AccessService): Record<string, v.GenericSchema<string>> => ({
  [`${service}_API_KEY`]: matching(
    /^[\x21-\x7e]+$/,
    'must contain only ASCII letters, digits and punctuation, without spaces.',
  ),
  [`${service}_API_KEY_HEADER`]: matching(/^[a-z][\w-]*$/i, 'must be a header name.'),
  [`${service}_USER`]: matching(
    /^[\x20-\x39\x3b-\x7e]+$/,
    'must contain only ASCII letters, digits and punctuation, without a colon.',
  ),
  [`${service}_PASSWORD`]: printable,
  [`${service}_TOKEN_URL`]: httpAddress,
  [`${service}_CLIENT_ID`]: printable,
  [`${service}_CLIENT_SECRET`]: printable,
  [`${service}_CLIENT_AUTH`]: v.picklist(['basic', 'post'], 'must be basic or post.'),
  [`${service}_SCOPE`]: matching(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/, 'must be scope names separated by spaces.'),
})
