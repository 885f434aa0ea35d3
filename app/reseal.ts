import { resealRows } from '#kit/server/reseal.ts'
import { withTimeouts, bulkTimeouts } from '#kit/server/database-timeouts.ts'
import { resetRequestSeals } from '#features/auth/server/password-reset-requests.store.ts'
import { messageSeals } from '#features/messages/server/messages.store.ts'
import { attemptSeals } from '#features/orders/server/payments.store.ts'
import { cardUpdateSeals } from '#features/payment-method/server/card-updates.store.ts'
import type { Deps } from './deps.ts'

const sealedColumns = [...resetRequestSeals, messageSeals, attemptSeals, cardUpdateSeals]

export async function resealAll({ db, secrets, log }: Pick<Deps, 'db' | 'secrets' | 'log'>): Promise<void> {
  if (!secrets.hasPrevious) return
  // A timeout here would prevent the start. The scan covers all payments ever made, although few of them have an encrypted value.
  const count = await withTimeouts(bulkTimeouts, async () => {
    let done = 0
    for (const seals of sealedColumns) done += await resealRows(db, secrets, seals)
    return done
  })
  if (count > 0) log.info({ count }, 'sealed anew under the present SECRET_KEY')
}
