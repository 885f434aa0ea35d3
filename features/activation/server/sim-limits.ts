import { countedNetwork } from '#kit/server/client-ip.ts'
import { knownDevice } from '#kit/server/known-device.ts'
import type { Limit } from '#kit/server/limits.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import type { Visit } from '#kit/server/visit.ts'

const hour = 3_600
const day = 24 * hour

/** A start without cookies creates a session, so starts are limited. A whole carrier may share one IP address. */
export const startLimit = ({ clientIp }: Visit): Limit => ({
  key: `sim-start:address:${clientIp}`,
  times: 2_000,
  seconds: hour,
})

/**
 * The limits for wrong guesses of the last digits of a SIM serial. The first list that is not used up counts the guess.
 * A correct guess is taken off the count afterwards. The second list admits visitors with few guesses of their own, so that a
 * stranger's guesses cannot lock out the holder of the pack. Its daily limit keeps many strangers from finding the four
 * digits together (decision 0025 has the arithmetic).
 */
export function simLimits(secrets: Secrets, visit: Visit, number: string): Limit[][] {
  const { user } = visit
  // A customer in a known browser has a separate count, which other visitors cannot use up.
  if (user && knownDevice(secrets, visit, user))
    return [
      [
        { key: `sim-serial:account:${user.id}`, times: 10, seconds: hour },
        { key: `sim-serial:account:${user.id}`, times: 30, seconds: day },
      ],
    ]
  const byIp = { key: `sim-serial:address:${visit.clientIp}`, times: 60, seconds: hour }
  const own = (times: number) => ({
    key: `sim-serial:${number}:from:${countedNetwork(visit.clientIp)}`,
    times,
    seconds: day,
  })
  return [
    [
      byIp,
      own(40),
      { key: `sim-serial:${number}`, times: 10, seconds: hour },
      { key: `sim-serial:${number}`, times: 40, seconds: day },
    ],
    [byIp, own(3), { key: `sim-serial:${number}:newcomers`, times: 300, seconds: day }],
  ]
}
