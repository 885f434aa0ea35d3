import { randomBytes } from 'node:crypto'
import type { AccessConfig } from '#kit/server/config/access.ts'

/** Copies access settings, but with an invalid secret. `null` if the provider requires no credentials. */
export function withInvalidSecret({ credentials, tls }: AccessConfig): AccessConfig | null {
  const secret = randomBytes(16).toString('hex')
  switch (credentials.kind) {
    case 'none':
      return null
    case 'header':
      return { credentials: { ...credentials, key: secret }, tls }
    case 'basic':
      return { credentials: { ...credentials, password: secret }, tls }
    case 'oauth2':
      return { credentials: { ...credentials, clientSecret: secret }, tls }
  }
}
