import { resealRows } from '#kit/server/reseal.ts'
import { withTimeouts, bulkTimeouts } from '#kit/server/database-timeouts.ts'
import { sealedResetRequestColumns } from '#features/auth/server/password-reset-requests.store.ts'
import { sealedMessageColumn } from '#features/messages/server/messages.store.ts'
import { sealedAttemptColumn } from '#features/orders/server/payments.store.ts'
import { sealedCardUpdateColumn } from '#features/payment-method/server/card-updates.store.ts'
import type { Deps } from './deps.ts'

const sealedColumns = [...sealedResetRequestColumns, sealedMessageColumn, sealedAttemptColumn, sealedCardUpdateColumn]

export async function resealAllColumns({ db, secrets, log }: Pick<Deps, 'db' | 'secrets' | 'log'>): Promise<void> {
  if (!secrets.hasPrevious) return
  // This scan covers every payment ever made. With the usual timeout, it could fail and keep the application from starting.
  const count = await withTimeouts(bulkTimeouts, async () => {
    let done = 0
    for (const seals of sealedColumns) done += await resealRows(db, secrets, seals)
    return done
  })
  if (count > 0) log.info({ count }, 'stored values were encrypted again with the present SECRET_KEY')
}
