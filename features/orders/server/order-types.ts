import { activationOrder } from './activation.order-type.ts'
import { addOnOrder } from './addon.order-type.ts'
import type { OrderType } from './order-type.ts'
import type { Order } from './orders.store.ts'
import { renewalOrder } from './renewal.order-type.ts'

export const orderTypes: Record<Order['kind'], OrderType> = {
  activation: activationOrder,
  recharge: renewalOrder,
  addon: addOnOrder,
}
