import { toNetworkPrefix } from '#kit/server/client-ip.ts'
import { findKnownDeviceId } from '#kit/server/known-device.ts'
import type { Limit } from '#kit/server/limits.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import type { RequestContext } from '#kit/server/request-context.ts'

const hourSeconds = 3_600
const daySeconds = 24 * hourSeconds

/**
 * Limits how many activations can be started, because each start without cookies creates a session. The limit is high,
 * because many of a carrier's customers may share one IP address.
 */
export const activationStartLimit = ({ clientIp }: RequestContext): Limit => ({
  key: `sim-start:address:${clientIp}`,
  times: 2_000,
  seconds: hourSeconds,
})

/**
 * Returns the limits on wrong guesses of a SIM number's last digits. All limits in a list apply together. A guess counts towards the first
 * list that still has room, and is removed from the count if it was correct. The second list is for visitors who have made few guesses
 * themselves, so that a stranger's guesses cannot lock out the person holding the pack. Its daily limit stops many strangers from finding
 * the four digits between them (decision 0025 has the calculation).
 */
export function simGuessLimits(secrets: Secrets, visit: RequestContext, number: string): Limit[][] {
  const { user } = visit
  // A signed-in customer in a known browser has limits of their own, which nobody else can use up.
  if (user && findKnownDeviceId(secrets, visit, user))
    return [
      [
        { key: `sim-serial:account:${user.id}`, times: 10, seconds: hourSeconds },
        { key: `sim-serial:account:${user.id}`, times: 30, seconds: daySeconds },
      ],
    ]
  const ipLimit = { key: `sim-serial:address:${visit.clientIp}`, times: 60, seconds: hourSeconds }
  const createNetworkLimit = (times: number) => ({
    key: `sim-serial:${number}:from:${toNetworkPrefix(visit.clientIp)}`,
    times,
    seconds: daySeconds,
  })
  return [
    [
      ipLimit,
      createNetworkLimit(40),
      { key: `sim-serial:${number}`, times: 10, seconds: hourSeconds },
      { key: `sim-serial:${number}`, times: 40, seconds: daySeconds },
    ],
    [ipLimit, createNetworkLimit(3), { key: `sim-serial:${number}:newcomers`, times: 300, seconds: daySeconds }],
  ]
}
