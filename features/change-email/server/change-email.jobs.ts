import { transact } from '#kit/server/db.ts'
import { type JobDefinition, createRowJob } from '#kit/server/jobs.ts'
import { pollDueRows } from '#kit/server/retry-queue.ts'
import type { Sweep, Upkeep } from '#kit/server/sweeps.ts'
import type { ChangeEmailDeps } from './change-email.deps.ts'
import {
  listUsersWithExpiredChange,
  hasExpired,
  lockEmailChange,
  findNextExpiry,
  linkMailQueue,
} from './change-email.store.ts'
import { sendRequestedLinkMail } from './new-email.ts'

export const changeEmailJobs = (deps: ChangeEmailDeps): JobDefinition[] => [
  createRowJob(linkMailQueue, ({ key: changeId }) => sendRequestedLinkMail(deps, changeId)),
]

export const changeEmailUpkeep = (deps: ChangeEmailDeps): Upkeep => pollDueRows(deps, linkMailQueue)

export const changeEmailSweeps = ({ db }: Pick<ChangeEmailDeps, 'db'>): Sweep[] => [
  {
    name: 'change-email.aged',
    isDue: hasExpired,
    next: () => findNextExpiry(db),
    async run(now) {
      for (
        let userIds = await listUsersWithExpiredChange(db, now);
        userIds.length > 0;
        userIds = await listUsersWithExpiredChange(db, now)
      ) {
        for (const userId of userIds) await transact(db, (trx) => lockEmailChange(trx, userId, now))
      }
    },
  },
]
