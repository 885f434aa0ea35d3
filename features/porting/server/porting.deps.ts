import type { Help, Market } from '#kit/contract/bootstrap.ts'
import type { Colours } from '#kit/contract/brand.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Jobs } from '#kit/server/jobs.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import type { Thresholds } from '#kit/server/thresholds.ts'
import type { PortingStatus, PortStep } from '../porting.states.ts'
import type { MobileNetwork } from '#providers/network/network.port.ts'

export type PortingDeps = {
  db: Db
  clock: Clock
  jobs: Jobs
  secrets: Secrets
  network: MobileNetwork
  market: Market
  /** Maps the network's sub-states to our internal statuses. The mapping is configurable, because carriers differ. */
  statusOfPortAnswer(answer: { state: 'running' | 'completed' | 'failed'; subState: string | null }): PortingStatus
  failureOfPort(code: string | null): 'donor_mismatch' | 'no_reply' | 'said_no' | null
  stepOfPort(subState: string | null): PortStep | null
  thresholds: Pick<Thresholds, 'lookMs' | 'stillPortHours'>
  brandName: string
  brandShortName: string
  colours: Colours
  help: Help
  publicUrl: string
}
