import { inEpoch, type Limit } from '#kit/server/limits.ts'
import type { Visit } from '#kit/server/visit.ts'

const seconds = 900

/** An account of the address. */
type Account = { id: string; limits_epoch: number }

/** What is counted for an address begins anew when the limits of one of its accounts are lifted. */
export const epochOf = (accounts: Account[]): number =>
  accounts.reduce((sum, { limits_epoch: epoch }) => sum + epoch, 0)

/** For one caller's address, which may be a whole carrier's. */
export const loginsFrom = (visit: Visit): Limit => ({ key: `login:address:${visit.clientIp}`, times: 200, seconds })

/** For the e-mail address that was typed. An address without an account is limited in the same way. */
export const loginsTo = (visit: Visit, email: string, accounts: Account[]): Limit[] => [
  { key: inEpoch(`login:account:${email}:from:${visit.clientIp}`, epochOf(accounts)), times: 10, seconds },
  loginsOfAddress(email, accounts),
]

/** For one e-mail address, wherever the callers are. No 15 minutes ever have more, so no stranger makes more guesses. */
export const loginsOfAddress = (email: string, accounts: Account[]): Limit => ({
  key: inEpoch(`login:account:${email}`, epochOf(accounts)),
  times: 100,
  seconds,
  isStrict: true,
})

/** For a known browser, which is compared with the password of its own account only. */
export const loginsOfBrowser = (deviceId: string, account: Account): Limit[] => [
  { key: inEpoch(`login:device:${deviceId}`, account.limits_epoch), times: 10, seconds },
  loginsOfKnownBrowsers(account),
]

/** For all known browsers of one account together. */
export const loginsOfKnownBrowsers = ({ id, limits_epoch: epoch }: Account): Limit => ({
  key: inEpoch(`login:devices-of:${id}`, epoch),
  times: 30,
  seconds,
})
