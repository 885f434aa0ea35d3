import { limitKeyInEpoch, type Limit } from '#kit/server/limits.ts'
import type { RequestContext } from '#kit/server/request-context.ts'

const windowSeconds = 900

type LimitedAccount = { id: string; limits_epoch: number }

/** Part of the keys of an address's limits. Resetting the limits of any of its accounts starts a new count. */
export const limitsEpochOf = (accounts: LimitedAccount[]): number =>
  accounts.reduce((sum, { limits_epoch: epoch }) => sum + epoch, 0)

/** Per caller's IP address, which a whole carrier may share. */
export const loginsFromIpLimit = (visit: RequestContext): Limit => ({
  key: `login:address:${visit.clientIp}`,
  times: 200,
  seconds: windowSeconds,
})

/** Per email address and caller. An address without an account is limited in the same way. */
export const loginsToEmailLimits = (visit: RequestContext, email: string, accounts: LimitedAccount[]): Limit[] => [
  {
    key: limitKeyInEpoch(`login:account:${email}:from:${visit.clientIp}`, limitsEpochOf(accounts)),
    times: 10,
    seconds: windowSeconds,
  },
  loginsToEmailLimit(email, accounts),
]

/**
 * Per email address, over all callers. The strict limit holds in any 15 minutes, which bounds the guesses of strangers.
 */
export const loginsToEmailLimit = (email: string, accounts: LimitedAccount[]): Limit => ({
  key: limitKeyInEpoch(`login:account:${email}`, limitsEpochOf(accounts)),
  times: 100,
  seconds: windowSeconds,
  isStrict: true,
})

/** Per known browser. Such a browser may only try the password of its own account. */
export const knownBrowserLimits = (deviceId: string, account: LimitedAccount): Limit[] => [
  { key: limitKeyInEpoch(`login:device:${deviceId}`, account.limits_epoch), times: 10, seconds: windowSeconds },
  allKnownBrowsersLimit(account),
]

export const allKnownBrowsersLimit = ({ id, limits_epoch: epoch }: LimitedAccount): Limit => ({
  key: limitKeyInEpoch(`login:devices-of:${id}`, epoch),
  times: 30,
  seconds: windowSeconds,
})
