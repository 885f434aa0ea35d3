import { limitKeyInEpoch, type Limit } from '#kit/server/limits.ts'
import type { RequestContext } from '#kit/server/request-context.ts'

const windowSeconds = 900

type LimitedAccount = { id: string; limits_epoch: number }

/**
 * Returns the part of an email address's limit keys that changes when staff reset the limits of one of its accounts.
 */
export const limitsEpochOf = (accounts: LimitedAccount[]): number =>
  accounts.reduce((sum, { limits_epoch: epoch }) => sum + epoch, 0)

/** The login limit per IP address. Many customers of a carrier may share one IP address. */
export const loginsFromIpLimit = (visit: RequestContext): Limit => ({
  key: `login:address:${visit.clientIp}`,
  times: 200,
  seconds: windowSeconds,
})

/**
 * The login limits per email address and IP address, and per email address. They also apply to an address without an
 * account.
 */
export const loginsToEmailLimits = (visit: RequestContext, email: string, accounts: LimitedAccount[]): Limit[] => [
  {
    key: limitKeyInEpoch(`login:account:${email}:from:${visit.clientIp}`, limitsEpochOf(accounts)),
    times: 10,
    seconds: windowSeconds,
  },
  loginsToEmailLimit(email, accounts),
]

/**
 * The login limit per email address, for all callers together. The limit is strict: it applies to any period of 15
 * minutes, not only to fixed windows.
 */
export const loginsToEmailLimit = (email: string, accounts: LimitedAccount[]): Limit => ({
  key: limitKeyInEpoch(`login:account:${email}`, limitsEpochOf(accounts)),
  times: 100,
  seconds: windowSeconds,
  isStrict: true,
})

/** The login limits of a known browser, which may only try the password of its own account. */
export const knownBrowserLimits = (deviceId: string, account: LimitedAccount): Limit[] => [
  { key: limitKeyInEpoch(`login:device:${deviceId}`, account.limits_epoch), times: 10, seconds: windowSeconds },
  allKnownBrowsersLimit(account),
]

export const allKnownBrowsersLimit = ({ id, limits_epoch: epoch }: LimitedAccount): Limit => ({
  key: limitKeyInEpoch(`login:devices-of:${id}`, epoch),
  times: 30,
  seconds: windowSeconds,
})
