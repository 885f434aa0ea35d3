import { activationKind } from './activation.kind.ts'
import { addOnKind } from './addon.kind.ts'
import type { Kind } from './kind.ts'
import type { Order } from './orders.store.ts'
import { renewalKind } from './renewal.kind.ts'

export const kinds: Record<Order['kind'], Kind> = {
  activation: activationKind,
  recharge: renewalKind,
  addon: addOnKind,
}
