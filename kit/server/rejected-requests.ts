import { hashIp } from './ip-hash.ts'
import { audit } from './audit.ts'
import type { Clock } from './clock.ts'
import type { Db } from './db.ts'
import { tryCountLimitUse } from './limits.ts'
import { HttpError } from './http-error.ts'
import type { Secrets } from './secrets.ts'
import type { RequestContext } from './request-context.ts'

const secondsPerHour = 3_600

/**
 * Adds a rejection that may indicate an attack to the audit trail. To keep rejections from filling the table, it adds one per hour for each
 * route and customer or address, and at most a thousand per hour for each event.
 */
export async function auditRejectedRequest(
  { db, clock, secrets }: { db: Db; clock: Clock; secrets: Secrets },
  error: unknown,
  visit: RequestContext | undefined,
  route: string,
): Promise<void> {
  if (!(error instanceof HttpError) || !error.event || !visit) return
  const { event } = error
  const hashedIp = hashIp(secrets, visit.clientIp)
  const key = `audit:${event}`
  const isFirstRejectionThisHour = await tryCountLimitUse(db, [
    { key, times: 1_000, seconds: secondsPerHour },
    { key: `${key}:${route}:${visit.user?.id ?? hashedIp}`, times: 1, seconds: secondsPerHour },
  ])
  if (isFirstRejectionThisHour)
    await audit(db, clock, {
      event,
      userId: visit.user?.id ?? null,
      sessionId: visit.session.id,
      details: { route, address: hashedIp },
    })
}
