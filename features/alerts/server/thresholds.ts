import type { Market } from '#kit/contract/bootstrap.ts'
import type { AlertChannel, UsageAlert } from '../alerts.contract.ts'

type Threshold = { percent: number; channel: AlertChannel }

const ofAll: Threshold = { percent: 100, channel: 'both' }
const ofHalf: Threshold = { percent: 50, channel: 'off' }

/**
 * Of which part of a cycle's data customers are told, and how, unless they have chosen otherwise. Australia's are those of its
 * industry code for who pays afterwards.
 */
export const marketThresholds: Record<Market['code'], Record<UsageAlert, Threshold>> = {
  NZ: { half: ofHalf, most: { percent: 80, channel: 'text' }, all: ofAll },
  AU: { half: ofHalf, most: { percent: 85, channel: 'text' }, all: ofAll },
}
