import * as v from 'valibot'
import { type ClientTls, readClientTls } from './client-tls.ts'
import { type Environment, type ReportFault, httpUrl, textMatching, oneOf, readSetting } from './setting.ts'

export type AccessConfig = {
  credentials:
    | { kind: 'none' }
    /** If `header` is `null`, the key is sent as `Authorization: Bearer …`. */
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

export const noCredentials: AccessConfig = {
  credentials: { kind: 'none' },
  tls: { cert: null, key: null, ca: null },
}

export type AccessService = 'NETWORK' | 'SMS'

type CredentialKind = AccessConfig['credentials']['kind']

const settingsByKind = {
  none: { needed: [], optional: [] },
  header: { needed: ['API_KEY'], optional: ['API_KEY_HEADER'] },
  basic: { needed: ['USER', 'PASSWORD'], optional: [] },
  oauth2: { needed: ['TOKEN_URL', 'CLIENT_ID', 'CLIENT_SECRET'], optional: ['CLIENT_AUTH', 'SCOPE'] },
} as const satisfies Record<CredentialKind, { needed: readonly string[]; optional: readonly string[] }>

const credentialKinds = Object.keys(settingsByKind) as CredentialKind[]
const settingSuffixes = credentialKinds.flatMap((kind) => [
  ...settingsByKind[kind].needed,
  ...settingsByKind[kind].optional,
])

export const hasAccessSettings = (env: Environment, service: AccessService): boolean =>
  ['AUTH', ...settingSuffixes, 'TLS_CERT', 'TLS_KEY', 'TLS_CA'].some((part) => env[`${service}_${part}`])

export function readAccessConfig(
  env: Environment,
  service: AccessService,
  { otherwise, fault }: { otherwise: CredentialKind; fault: ReportFault },
): AccessConfig {
  const name = (part: string): string => `${service}_${part}`
  const value = (part: string): string => env[name(part)] ?? ''
  const authSetting = value('AUTH')
  const kind = authSetting === '' ? otherwise : readSetting({ env, fault }, name('AUTH'), oneOf(credentialKinds), null)
  if (kind) {
    const { needed, optional }: { needed: readonly string[]; optional: readonly string[] } = settingsByKind[kind]
    for (const part of needed)
      if (!value(part)) fault(`${name(part)} is missing${authSetting ? `: ${name('AUTH')} is ${kind}` : ''}.`)
    // Settings for a different authentication method are faults: requests would not include them, so the service would reject the requests.
    for (const part of settingSuffixes)
      if (value(part) && ![...needed, ...optional].includes(part))
        fault(`${name(part)} is set, but ${name('AUTH')} is ${kind}.`)
  }
  return { credentials: readCredentialsOfKind(kind ?? 'none', value), tls: readClientTls(env, service, fault) }
}

function readCredentialsOfKind(kind: CredentialKind, value: (part: string) => string): AccessConfig['credentials'] {
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

const printableText = textMatching(/^[\x20-\x7e]+$/, 'must contain only ASCII letters, digits and punctuation.')

export const buildAccessSchemas = (service: AccessService): Record<string, v.GenericSchema<string>> => ({
  [`${service}_API_KEY`]: textMatching(
    /^[\x21-\x7e]+$/,
    'must contain only ASCII letters, digits and punctuation, without spaces.',
  ),
  [`${service}_API_KEY_HEADER`]: textMatching(/^[a-z][\w-]*$/i, 'must be a header name.'),
  [`${service}_USER`]: textMatching(
    /^[\x20-\x39\x3b-\x7e]+$/,
    'must contain only ASCII letters, digits and punctuation, without a colon.',
  ),
  [`${service}_PASSWORD`]: printableText,
  [`${service}_TOKEN_URL`]: httpUrl,
  [`${service}_CLIENT_ID`]: printableText,
  [`${service}_CLIENT_SECRET`]: printableText,
  [`${service}_CLIENT_AUTH`]: v.picklist(['basic', 'post'], 'must be basic or post.'),
  [`${service}_SCOPE`]: textMatching(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/, 'must be scope names separated by spaces.'),
})
