import type { JobDefinition } from '#kit/server/jobs.ts'
import { retryUpkeep } from '#kit/server/retries.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'
import { isOver } from '../porting.states.ts'
import { followCancel } from './cancel-port.ts'
import type { PortingDeps } from './porting.deps.ts'
import { followPortJob } from './porting.queue.ts'
import { findPortByExternalId, portRetries } from './porting.store.ts'
import { submitOrPollPort } from './porting.ts'

export const portingJobs = (deps: PortingDeps): JobDefinition[] => [
  {
    name: followPortJob,
    async run({ externalId }: { externalId: string }) {
      const port = await findPortByExternalId(deps.db, externalId)
      if (!port || isOver(port.status)) return
      if (port.status === 'CANCELLING') await followCancel(deps, port)
      else await submitOrPollPort(deps, port)
    },
  },
]

/** Events may be lost: what is under way is asked about, too. */
export const portingUpkeep = (deps: PortingDeps): Upkeep =>
  retryUpkeep(deps, portRetries, 1_000, (externalId) => [followPortJob, { externalId }])

/** News of the network about one of our transfers: ask how it stands. */
export async function promptPort(deps: PortingDeps, externalId: string): Promise<void> {
  if (await findPortByExternalId(deps.db, externalId)) await deps.jobs.send(deps.db, followPortJob, { externalId })
}
