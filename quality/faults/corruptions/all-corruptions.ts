import type { Corruption } from './corruption.ts'
import { deliveryCorruptions } from './delivery.ts'
import { documentCorruptions } from './documents.ts'
import { messageCorruptions } from './messages.ts'
import { moneyCorruptions } from './money.ts'
import { nextPlanCorruptions } from './next-plans.ts'
import { promiseCorruptions } from './promises.ts'

export const corruptions: readonly Corruption[] = [
  ...moneyCorruptions,
  ...documentCorruptions,
  ...deliveryCorruptions,
  ...promiseCorruptions,
  ...messageCorruptions,
  ...nextPlanCorruptions,
]
