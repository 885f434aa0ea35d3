import { transact } from '#kit/server/db.ts'
import { type JobDefinition, rowJob } from '#kit/server/jobs.ts'
import { retryUpkeep } from '#kit/server/retries.ts'
import type { Sweep, Upkeep } from '#kit/server/sweeps.ts'
import type { ChangeEmailDeps } from './change-email.deps.ts'
import { findOwnersOfAged, isAnyAged, lockChange, nextAged, wantedLinkRetries } from './change-email.store.ts'
import { mailNewEmail } from './new-email.ts'

export const changeEmailJobs = (deps: ChangeEmailDeps): JobDefinition[] => [
  rowJob(wantedLinkRetries, ({ key: changeId }) => mailNewEmail(deps, changeId)),
]

export const changeEmailUpkeep = (deps: ChangeEmailDeps): Upkeep => retryUpkeep(deps, wantedLinkRetries)

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
