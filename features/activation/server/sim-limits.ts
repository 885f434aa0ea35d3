import { countedNetwork } from '#kit/server/address.ts'
import { knownDevice } from '#kit/server/known-device.ts'
import type { Limit } from '#kit/server/limits.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import type { Visit } from '#kit/server/visit.ts'

const hour = 3_600
const day = 24 * hour

/**
 * What wrong digits of a SIM's serial count against: lists of limits, of which the first that is not used up counts. Right
 * ones are taken back. While a number is guessed at, it still admits who has hardly guessed at it themselves, so that a
 * stranger's guesses do not keep out the holder of the pack; so many of those in a day and no more, so that a thousand
 * strangers do not find the four digits either (decision 0025 has the arithmetic).
 */
export function simLimits(secrets: Secrets, visit: Visit, number: string): Limit[][] {
  const { user } = visit
  // A customer in a browser of theirs has a count of their own, which others cannot use up.
  if (user && knownDevice(secrets, visit, user.id))
    return [
      [
        { key: `sim-serial:account:${user.id}`, times: 10, seconds: hour },
        { key: `sim-serial:account:${user.id}`, times: 30, seconds: day },
      ],
    ]
  const address = { key: `sim-serial:address:${visit.address}`, times: 60, seconds: hour }
  const own = (times: number) => ({
    key: `sim-serial:${number}:from:${countedNetwork(visit.address)}`,
    times,
    seconds: day,
  })
  return [
    [
      address,
      own(40),
      { key: `sim-serial:${number}`, times: 10, seconds: hour },
      { key: `sim-serial:${number}`, times: 40, seconds: day },
    ],
    [address, own(3), { key: `sim-serial:${number}:newcomers`, times: 300, seconds: day }],
  ]
}
