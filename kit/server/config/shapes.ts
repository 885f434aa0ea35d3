/** Where what is wrong with the environment is told, a line each. */
export type Fault = (line: string) => void

const isUrlOf =
  (schemes: RegExp) =>
  (value: string): boolean =>
    URL.canParse(value) && schemes.test(new URL(value).protocol)

export const anHttpAddress = { is: isUrlOf(/^https?:$/), shape: 'an http or https address' }

export const isHex = (value: string): boolean => /^(?:[\da-f]{2})+$/i.test(value)

export const isPathSecret = (value: string): boolean => /^[\w-]{16,}$/.test(value)

/** Plain http to another machine: a machine on the way could read the keys, and answer in the provider's place. */
export const isInClear = (value = ''): boolean =>
  URL.canParse(value) && new URL(value).protocol === 'http:' && !isThisMachine(new URL(value).hostname)

const isThisMachine = (hostname: string): boolean => /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)

function isErrorService(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, username, password, pathname, search, hash } = new URL(value)
  // The key is in it.
  const isPrivate = protocol === 'https:' || (protocol === 'http:' && !isInClear(value))
  return (
    isPrivate && /^[\w-]+$/.test(username) && password + search + hash === '' && /^(?:\/[\w-]+)*\/\d+$/.test(pathname)
  )
}

/** Values that would otherwise be noticed by the first customer who needs them. */
export const shapes: Record<string, { is(value: string): boolean; shape: string }> = {
  CARD_URL: anHttpAddress,
  CARD_HMAC_KEY: { is: isHex, shape: 'in hexadecimal' },
  CARD_HMAC_KEY_PREVIOUS: { is: isHex, shape: 'in hexadecimal' },
  CARD_PUBLIC_KEY: {
    is: (value) => /^[\da-f]+\|[\da-f]+$/i.test(value),
    shape: 'an exponent and a modulus in hexadecimal, with a bar between',
  },
  NETWORK_URL: anHttpAddress,
  NETWORK_CALLBACK_SECRET: { is: isPathSecret, shape: 'at least 16 letters, digits, hyphens or underscores' },
  SMTP_URL: { is: isUrlOf(/^smtps?:$/), shape: 'an address such as smtps://user:password@mail.example.nz' },
  SMS_URL: anHttpAddress,
  ERROR_REPORTING_DSN: { is: isErrorService, shape: 'an address such as https://key@errors.example.nz/42' },
  SMS_API_KEY: {
    is: (value) => /^[\x21-\x7e]+$/.test(value),
    shape: 'in letters, digits and signs that a header can carry',
  },
  SMS_API_KEY_HEADER: { is: (value) => /^[a-z][\w-]*$/i.test(value), shape: 'the name of a header' },
  SMS_SENDER: {
    is: (value) => /^(?:\+?\d{3,15}|(?=.*[a-z])[\w .&-]{1,11})$/i.test(value),
    shape: 'a number, a short code, or a name of 11 characters at most',
  },
}
