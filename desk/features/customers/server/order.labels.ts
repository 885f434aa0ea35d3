import type { Tone } from '../customer-history.contract.ts'

type OrderSummary = { kind: string; state: string; auto_renewal: boolean }
type OrderTypeName = { noun: string; done: string }

const orderTypeNames: Readonly<Record<string, OrderTypeName>> = {
  activation: { noun: 'Activation', done: 'SIM activated' },
  recharge: { noun: 'Renewal', done: 'Plan renewed' },
  addon: { noun: 'Add-On', done: 'Add-On bought' },
}
const autoRenewalName: OrderTypeName = { noun: 'Auto-renewal', done: 'Plan renewed automatically' }

type OrderLabel = { title: string; tone: Tone }

const labelsByState: Readonly<Record<string, (names: OrderTypeName) => OrderLabel>> = {
  paying: ({ noun }) => ({ title: `${noun}: payment in progress`, tone: 'plain' }),
  payment_unknown: ({ noun }) => ({ title: `${noun}: payment outcome not known yet`, tone: 'warn' }),
  refused: ({ noun }) => ({ title: `${noun}: payment refused`, tone: 'bad' }),
  authorised: ({ noun }) => ({ title: `${noun}: paid, waiting to be processed`, tone: 'plain' }),
  activating_sim: ({ noun }) => ({ title: `${noun}: the network is activating the SIM`, tone: 'plain' }),
  adding_plan: ({ noun }) => ({ title: `${noun}: the network is adding the plan`, tone: 'plain' }),
  adding_addon: ({ noun }) => ({ title: `${noun}: the network is adding it`, tone: 'plain' }),
  capturing: ({ noun }) => ({ title: `${noun}: delivered, payment being taken`, tone: 'plain' }),
  finishing: ({ done }) => ({ title: done, tone: 'good' }),
  completed: ({ done }) => ({ title: done, tone: 'good' }),
  held: ({ noun }) => ({ title: `${noun}: held because of a network failure`, tone: 'warn' }),
  undoing: ({ noun }) => ({ title: `${noun}: failed, being reversed`, tone: 'bad' }),
  undone: ({ noun }) => ({ title: `${noun}: failed and reversed`, tone: 'bad' }),
  cancelling: () => ({ title: 'Next plan: being cancelled', tone: 'plain' }),
  cancelled: () => ({ title: 'Next plan: cancelled', tone: 'plain' }),
}

export function orderLabel({ kind, state, auto_renewal: isAuto }: OrderSummary): OrderLabel {
  const name = (isAuto && kind === 'recharge' ? autoRenewalName : orderTypeNames[kind]) ?? {
    noun: 'Order',
    done: 'Order completed',
  }
  return labelsByState[state]?.(name) ?? { title: `${name.noun}: in progress`, tone: 'plain' }
}
