import { addEpochToLimitKey, type Limit } from '#kit/server/limits.ts'
import type { RequestContext } from '#kit/server/request-context.ts'

const windowSeconds = 900

type LimitedAccount = { id: string; limits_epoch: number }

/**
 * Returns the part of an email address's rate-limit keys that changes when staff reset the limits of any of its
 * accounts.
 */
export const sumLimitsEpochs = (accounts: LimitedAccount[]): number =>
  accounts.reduce((sum, { limits_epoch: epoch }) => sum + epoch, 0)

/** The login limit per IP address. It is high because many of a carrier's customers may share one IP address. */
export const loginsFromIpLimit = (visit: RequestContext): Limit => ({
  key: `login:address:${visit.clientIp}`,
  times: 200,
  seconds: windowSeconds,
})

/** How many logins in 15 minutes one IP address may attempt for an email address. */
export const maxLoginsPerIpAndEmail = 10

/**
 * The login limits for an email address, both per IP address and overall. They also apply when the address has no
 * account.
 */
export const loginsPerEmailLimits = (visit: RequestContext, email: string, accounts: LimitedAccount[]): Limit[] => [
  {
    key: addEpochToLimitKey(`login:account:${email}:from:${visit.clientIp}`, sumLimitsEpochs(accounts)),
    times: maxLoginsPerIpAndEmail,
    seconds: windowSeconds,
  },
  loginsPerEmailLimit(email, accounts),
]

/**
 * The login limit for an email address across all callers. It is strict: it applies to any period of 15 minutes, not
 * just to fixed windows.
 */
export const loginsPerEmailLimit = (email: string, accounts: LimitedAccount[]): Limit => ({
  key: addEpochToLimitKey(`login:account:${email}`, sumLimitsEpochs(accounts)),
  times: 100,
  seconds: windowSeconds,
  isStrict: true,
})

/** The login limits for a known browser, which may only try its own account's password. */
export const knownBrowserLimits = (deviceId: string, account: LimitedAccount): Limit[] => [
  { key: addEpochToLimitKey(`login:device:${deviceId}`, account.limits_epoch), times: 10, seconds: windowSeconds },
  allKnownBrowsersLimit(account),
]

export const allKnownBrowsersLimit = ({ id, limits_epoch: epoch }: LimitedAccount): Limit => ({
  key: addEpochToLimitKey(`login:devices-of:${id}`, epoch),
  times: 30,
  seconds: windowSeconds,
})
