import { type JobDefinition, createRowJob } from '#kit/server/jobs.ts'
import { pollDueRows } from '#kit/server/retry-queue.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'
import { syncTasks } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { isTransferOver } from '../porting.states.ts'
import { requestNetworkCancel } from './cancel-port.ts'
import type { PortingDeps } from './porting.deps.ts'
import { listStalledPorts } from './porting-events.store.ts'
import { findPortByExternalId, portQueue } from './porting.store.ts'
import { submitOrPollPort } from './porting.ts'

export const portingJobs = (deps: PortingDeps): JobDefinition[] => [
  createRowJob(portQueue, async ({ key: externalId }) => {
    const port = await findPortByExternalId(deps.db, externalId)
    if (!port || isTransferOver(port.status)) return
    if (port.status === 'CANCELLING') await requestNetworkCancel(deps, port)
    else await submitOrPollPort(deps, port)
  }),
]

/** The network's events may get lost, so open transfers are polled as well. */
export const portingUpkeep = (deps: PortingDeps): Upkeep => pollDueRows(deps, portQueue)

const maxStalledPorts = 500

export const stalledPortsUpkeep = ({ db, clock, thresholds }: PortingDeps): Upkeep => ({
  name: 'ports.still',
  everyMs: thresholds.lookMs,
  async run() {
    const { stillPortHours: hours } = thresholds
    const stalledPorts = await listStalledPorts(db, clock.now().subtract({ hours }), maxStalledPorts)
    const reason = `the network has reported nothing new about this number transfer for ${hours} hours`
    await syncTasks(
      db,
      { kind: 'port' },
      stalledPorts.map((subject) => ({ kind: 'port', subject, reason })),
    )
  },
})

export async function retryPortNow(deps: PortingDeps, externalId: string): Promise<void> {
  if (await findPortByExternalId(deps.db, externalId)) await deps.jobs.send(deps.db, portQueue, externalId)
}
