import { transact } from '#kit/server/db.ts'
import type { JobDefinition } from '#kit/server/job-definitions.ts'
import type { Sweep } from '#kit/server/sweeps.ts'
import type { ChangeEmailDeps } from './change-email.deps.ts'
import { mailNewEmailJob } from './change-email.queue.ts'
import { findOwnersOfAged, isAnyAged, lockChange, nextAged } from './change-email.store.ts'
import { mailNewEmail } from './new-email.ts'

export const changeEmailJobs = (deps: ChangeEmailDeps): JobDefinition[] => [
  { name: mailNewEmailJob, run: ({ changeId }: { changeId: string }) => mailNewEmail(deps, changeId) },
]

/** PINs grow too old after ten minutes, unfinished requests lapse after a week. */
export const changeEmailSweeps = ({ db }: Pick<ChangeEmailDeps, 'db'>): Sweep[] => [
  {
    name: 'change-email.aged',
    isDue: isAnyAged,
    next: () => nextAged(db),
    async run(now) {
      for (let owners = await findOwnersOfAged(db, now); owners.length > 0; owners = await findOwnersOfAged(db, now)) {
        for (const userId of owners) await transact(db, (trx) => lockChange(trx, userId, now))
      }
    },
  },
]
