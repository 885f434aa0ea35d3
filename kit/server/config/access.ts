import { type ClientTls, readClientTls } from './client-tls.ts'
import { anHttpAddress, type Shape } from './shape.ts'

/** How calls to an outside service are authenticated. */
export type AccessConfig = {
  credentials:
    | { kind: 'none' }
    /** `header` null: the key goes as `Authorization: Bearer …`. */
    | { kind: 'header'; header: string | null; key: string }
    | { kind: 'basic'; user: string; password: string }
    | {
        kind: 'oauth2'
        tokenUrl: string
        clientId: string
        clientSecret: string
        /** How the client proves itself to the token server: in the `Authorization` header, or in the form. */
        clientAuth: 'basic' | 'post'
        scope: string | null
      }
  tls: ClientTls
}

/** Of a service that asks nobody who they are. */
export const withoutCredentials: AccessConfig = {
  credentials: { kind: 'none' },
  tls: { cert: null, key: null, ca: null },
}

/** Services whose calls can be authenticated; their settings begin with it. */
export type AccessService = 'NETWORK' | 'SMS'

type Environment = Readonly<Record<string, string | undefined>>
type Kind = AccessConfig['credentials']['kind']

/** What each way takes: what it can't do without, and what it may have. */
const takes = {
  none: { needed: [], optional: [] },
  header: { needed: ['API_KEY'], optional: ['API_KEY_HEADER'] },
  basic: { needed: ['USER', 'PASSWORD'], optional: [] },
  oauth2: { needed: ['TOKEN_URL', 'CLIENT_ID', 'CLIENT_SECRET'], optional: ['CLIENT_AUTH', 'SCOPE'] },
} as const satisfies Record<Kind, { needed: readonly string[]; optional: readonly string[] }>

const kinds = Object.keys(takes) as Kind[]
const parts = kinds.flatMap((kind) => [...takes[kind].needed, ...takes[kind].optional])

/** Whether anything is said of how this service is called. */
export const saysAccess = (env: Environment, service: AccessService): boolean =>
  ['AUTH', ...parts, 'TLS_CERT', 'TLS_KEY', 'TLS_CA'].some((part) => env[`${service}_${part}`])

/** Reads how a service is called, its certificates with it. What is wrong goes to `fault`, a line each. */
export function readAccess(
  env: Environment,
  service: AccessService,
  { otherwise, fault }: { otherwise: Kind; fault: (line: string) => void },
): AccessConfig {
  const name = (part: string): string => `${service}_${part}`
  const value = (part: string): string => env[name(part)] ?? ''
  const asked = value('AUTH')
  const kind = asked === '' ? otherwise : kinds.find((one) => one === asked)
  if (!kind) fault(`${name('AUTH')} is ${JSON.stringify(asked)}; it must be one of ${kinds.join(', ')}.`)
  else {
    const { needed, optional }: { needed: readonly string[]; optional: readonly string[] } = takes[kind]
    for (const part of needed)
      if (!value(part)) fault(`${name(part)} is missing${asked ? `: ${name('AUTH')} is ${kind}` : ''}.`)
    // It would be left out of every call, which then fails for want of it.
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

const printable = (value: string): boolean => /^[\x20-\x7e]+$/.test(value)

/** What the values must look like. */
export const accessShapes = (service: AccessService): Record<string, Shape> => ({
  [`${service}_API_KEY`]: {
    is: (value) => /^[\x21-\x7e]+$/.test(value),
    shape: 'in letters, digits and signs that a header can carry',
  },
  [`${service}_API_KEY_HEADER`]: { is: (value) => /^[a-z][\w-]*$/i.test(value), shape: 'the name of a header' },
  [`${service}_USER`]: {
    is: (value) => printable(value) && !value.includes(':'),
    shape: 'in letters, digits and signs, without a colon',
  },
  [`${service}_PASSWORD`]: { is: printable, shape: 'in letters, digits and signs' },
  [`${service}_TOKEN_URL`]: anHttpAddress,
  [`${service}_CLIENT_ID`]: { is: printable, shape: 'in letters, digits and signs' },
  [`${service}_CLIENT_SECRET`]: { is: printable, shape: 'in letters, digits and signs' },
  [`${service}_CLIENT_AUTH`]: { is: (value) => value === 'basic' || value === 'post', shape: 'basic or post' },
  [`${service}_SCOPE`]: {
    is: (value) => /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/.test(value),
    shape: 'names of scopes with spaces between',
  },
})
