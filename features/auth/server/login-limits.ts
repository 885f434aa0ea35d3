import { inEpoch, type Limit } from '#kit/server/limits.ts'
import type { Visit } from '#kit/server/visit.ts'

const seconds = 900

type Account = { id: string; limits_epoch: number }

/** Part of the keys of an address's limits. Resetting the limits of any of its accounts starts a new count. */
export const epochOf = (accounts: Account[]): number =>
  accounts.reduce((sum, { limits_epoch: epoch }) => sum + epoch, 0)

/** Per caller's IP address, which a whole carrier may share. */
export const loginsFrom = (visit: Visit): Limit => ({ key: `login:address:${visit.clientIp}`, times: 200, seconds })

/** Per email address and caller. An address without an account is limited in the same way. */
export const loginsTo = (visit: Visit, email: string, accounts: Account[]): Limit[] => [
  { key: inEpoch(`login:account:${email}:from:${visit.clientIp}`, epochOf(accounts)), times: 10, seconds },
  loginsOfAddress(email, accounts),
]

/**
 * Per email address, over all callers. The strict limit holds in any 15 minutes, which bounds the guesses of strangers.
 */
export const loginsOfAddress = (email: string, accounts: Account[]): Limit => ({
  key: inEpoch(`login:account:${email}`, epochOf(accounts)),
  times: 100,
  seconds,
  isStrict: true,
})

/** Per known browser. Such a browser may only try the password of its own account. */
export const loginsOfBrowser = (deviceId: string, account: Account): Limit[] => [
  { key: inEpoch(`login:device:${deviceId}`, account.limits_epoch), times: 10, seconds },
  loginsOfKnownBrowsers(account),
]

export const loginsOfKnownBrowsers = ({ id, limits_epoch: epoch }: Account): Limit => ({
  key: inEpoch(`login:devices-of:${id}`, epoch),
  times: 30,
  seconds,
})
