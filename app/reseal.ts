import { resealRows } from '#kit/server/reseal.ts'
import { mailResetLinkJob, resealResetLink } from '#features/auth/server/password-reset.queue.ts'
import { messageSeals } from '#features/messages/server/messages.store.ts'
import { attemptSeals } from '#features/orders/server/payments.store.ts'
import { cardUpdateSeals } from '#features/payment-method/server/card-updates.store.ts'
import type { Deps } from './deps.ts'

/** Every column that is sealed under the configuration's secret. */
const sealed = [messageSeals, attemptSeals, cardUpdateSeals]

/** Seals all that waits anew under the present secret, after a change of it, so that the one before can be given up. */
export async function resealAll({
  db,
  secrets,
  jobs,
  log,
}: Pick<Deps, 'db' | 'secrets' | 'jobs' | 'log'>): Promise<void> {
  if (!secrets.hasPrevious) return
  let count = await jobs.rewrite(mailResetLinkJob, (data) => resealResetLink(data, secrets.reseal))
  for (const seals of sealed) count += await resealRows(db, secrets, seals)
  if (count > 0) log.info({ count }, 'sealed anew under the present SECRET_KEY')
}
