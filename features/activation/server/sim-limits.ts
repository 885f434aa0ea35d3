import { countedNetwork } from '#kit/server/client-ip.ts'
import { knownDevice } from '#kit/server/known-device.ts'
import type { Limit } from '#kit/server/limits.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import type { Visit } from '#kit/server/visit.ts'

const hour = 3_600
const day = 24 * hour

/** Each start without cookies makes a session. The address of a carrier is shared by many. */
export const startLimit = ({ clientIp }: Visit): Limit => ({
  key: `sim-start:address:${clientIp}`,
  times: 2_000,
  seconds: hour,
})

/**
 * The limits that a wrong guess at the last digits of a SIM's serial counts against. They are lists of limits: the first list
 * that is not used up counts. A right guess is not counted in the end. The second list admits visitors with few guesses of
 * their own after the first is used up: otherwise a stranger's guesses would keep out the holder of the pack. It admits a
 * limited number in a day: otherwise a thousand strangers would find the four digits (decision 0025 has the arithmetic).
 */
export function simLimits(secrets: Secrets, visit: Visit, number: string): Limit[][] {
  const { user } = visit
  // A customer in a browser of theirs has a count of their own, which others cannot use up.
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
