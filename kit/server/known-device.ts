import { generateToken, isEqualConstantTime, type Secrets } from './secrets.ts'
import type { RequestContext } from './request-context.ts'

type Account = { id: string; passwordEpoch: number }

/**
 * Returns the id of a browser that has signed in to this account since its password epoch last changed, or `null` otherwise. Such a browser
 * has its own login limits, so a stranger's guesses do not lock the owner out.
 */
export function findKnownDeviceId(
  secrets: Secrets,
  visit: Pick<RequestContext, 'device'>,
  account: Account,
): string | null {
  const [id, signature] = visit.device?.split('.') ?? []
  return id && signature && isEqualConstantTime(signature, sign(secrets, id, account)) ? id : null
}

export function createKnownDeviceCookie(
  secrets: Secrets,
  visit: Pick<RequestContext, 'device'>,
  account: Account,
): string {
  if (visit.device && findKnownDeviceId(secrets, visit, account)) return visit.device
  const id = generateToken()
  return `${id}.${sign(secrets, id, account)}`
}

const sign = (secrets: Secrets, id: string, { id: userId, passwordEpoch }: Account): string =>
  secrets.hash('device', `${id}|${userId}|${passwordEpoch}`).slice(0, 32)
