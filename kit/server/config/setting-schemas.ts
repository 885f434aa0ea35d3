import * as v from 'valibot'
import { buildAccessSchemas } from './access.ts'
import { httpUrl, textMatching, urlWithScheme } from './setting.ts'

const hex = /^(?:[\da-f]{2})+$/i
const pathSecretPattern = /^[\w-]{16,}$/

export const isHex = (value: string): boolean => hex.test(value)

export const isPathSecret = (value: string): boolean => pathSecretPattern.test(value)

/** Whether a URL uses plain http to a different machine. Anyone in between could read the keys and forge responses. */
export const isUnencryptedHttp = (value = ''): boolean =>
  URL.canParse(value) && new URL(value).protocol === 'http:' && !isLocalhost(new URL(value).hostname)

const isLocalhost = (hostname: string): boolean => /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)

function isErrorServiceDsn(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, username, password, pathname, search, hash } = new URL(value)
  // A DSN contains a key, so it must not be sent over plain http.
  const isEncrypted = protocol === 'https:' || (protocol === 'http:' && !isUnencryptedHttp(value))
  return (
    isEncrypted && /^[\w-]+$/.test(username) && password + search + hash === '' && /^(?:\/[\w-]+)*\/\d+$/.test(pathname)
  )
}

export const settingSchemas: Readonly<Record<string, v.GenericSchema<string>>> = {
  CARD_URL: httpUrl,
  CARD_HMAC_KEY: textMatching(hex, 'must be in hexadecimal.'),
  CARD_HMAC_KEY_PREVIOUS: textMatching(hex, 'must be in hexadecimal.'),
  CARD_PUBLIC_KEY: textMatching(
    /^[\da-f]+\|[\da-f]+$/i,
    'must be an exponent and a modulus in hexadecimal, separated by a bar.',
  ),
  NETWORK_URL: httpUrl,
  NETWORK_CALLBACK_SECRET: textMatching(
    pathSecretPattern,
    'must be at least 16 letters, digits, hyphens or underscores.',
  ),
  SMTP_URL: urlWithScheme(['smtp:', 'smtps:'], 'must be an address such as smtps://user:password@mail.example.nz.'),
  SMS_URL: httpUrl,
  ERROR_REPORTING_DSN: v.pipe(
    v.string(),
    v.check(isErrorServiceDsn, 'must be an address such as https://key@errors.example.nz/42.'),
  ),
  SMS_SENDER: textMatching(
    /^(?:\+?\d{3,15}|(?=.*[a-z])[\w .&-]{1,11})$/i,
    'must be a number, a short code, or a name of 11 characters at most.',
  ),
  ...buildAccessSchemas('NETWORK'),
  ...buildAccessSchemas('SMS'),
}
