import { newToken, sameText, type Secrets } from './secrets.ts'
import type { Visit } from './visit.ts'

/**
 * The id of a browser that this user has signed in with before, or null. Such a browser has a count of its own at login,
 * so that guesses from elsewhere do not lock an owner out.
 */
export function knownDevice(secrets: Secrets, visit: Visit, userId: string): string | null {
  const [id, signature] = visit.device?.split('.') ?? []
  return id && signature && sameText(signature, sign(secrets, id, userId)) ? id : null
}

/** What the browser shows from now on, to be known for this user in place of the one who signed in with it before. */
export function rememberedDevice(secrets: Secrets, visit: Visit, userId: string): string {
  if (visit.device && knownDevice(secrets, visit, userId)) return visit.device
  const id = newToken()
  return `${id}.${sign(secrets, id, userId)}`
}

const sign = (secrets: Secrets, id: string, userId: string): string =>
  secrets.hash('device', `${id}|${userId}`).slice(0, 32)
