import { type JobDefinition, rowJob } from '#kit/server/jobs.ts'
import { retryUpkeep } from '#kit/server/retries.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'
import { setTasks } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { isOver } from '../porting.states.ts'
import { followCancel } from './cancel-port.ts'
import type { PortingDeps } from './porting.deps.ts'
import { listStillPorts } from './porting-events.store.ts'
import { findPortByExternalId, portRetries } from './porting.store.ts'
import { submitOrPollPort } from './porting.ts'

export const portingJobs = (deps: PortingDeps): JobDefinition[] => [
  rowJob(portRetries, async ({ key: externalId }) => {
    const port = await findPortByExternalId(deps.db, externalId)
    if (!port || isOver(port.status)) return
    if (port.status === 'CANCELLING') await followCancel(deps, port)
    else await submitOrPollPort(deps, port)
  }),
]

/** Events of the network may be lost, so open transfers are polled as well. */
export const portingUpkeep = (deps: PortingDeps): Upkeep => retryUpkeep(deps, portRetries)

const mostStillPorts = 500

export const stillPortsUpkeep = ({ db, clock, thresholds }: PortingDeps): Upkeep => ({
  name: 'ports.still',
  everyMs: thresholds.lookMs,
  async run() {
    const { stillPortHours: hours } = thresholds
    const ports = await listStillPorts(db, clock.now().subtract({ hours }), mostStillPorts)
    const reason = `the network has reported nothing new about this number transfer for ${hours} hours`
    await setTasks(
      db,
      { kind: 'port' },
      ports.map((subject) => ({ kind: 'port', subject, reason })),
    )
  },
})

export async function promptPort(deps: PortingDeps, externalId: string): Promise<void> {
  if (await findPortByExternalId(deps.db, externalId)) await deps.jobs.send(deps.db, portRetries, externalId)
}
