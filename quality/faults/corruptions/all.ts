import type { Corruption } from './corruption.ts'
import { ofDelivery } from './delivery.ts'
import { ofDocuments } from './documents.ts'
import { ofMessages } from './messages.ts'
import { ofMoney } from './money.ts'
import { ofNextPlans } from './next-plans.ts'
import { ofPromises } from './promises.ts'

export const corruptions: readonly Corruption[] = [
  ...ofMoney,
  ...ofDocuments,
  ...ofDelivery,
  ...ofPromises,
  ...ofMessages,
  ...ofNextPlans,
]
