import type { Tone } from '../happened.contract.ts'

type Ordered = { kind: string; state: string; auto_renewal: boolean }
type Names = { noun: string; done: string }

const names: Readonly<Record<string, Names>> = {
  activation: { noun: 'Activation', done: 'SIM activated' },
  recharge: { noun: 'Renewal', done: 'Plan renewed' },
  addon: { noun: 'Add-On', done: 'Add-On bought' },
}
const byItself: Names = { noun: 'Auto-renewal', done: 'Plan renewed by itself' }

type Words = { title: string; tone: Tone }

const states: Readonly<Record<string, (names: Names) => Words>> = {
  paying: ({ noun }) => ({ title: `${noun}: the payment is on its way`, tone: 'plain' }),
  payment_unknown: ({ noun }) => ({ title: `${noun}: what became of the payment is not known yet`, tone: 'warn' }),
  refused: ({ noun }) => ({ title: `${noun}: the payment was refused`, tone: 'bad' }),
  authorised: ({ noun }) => ({ title: `${noun}: paid for, and waits for its turn`, tone: 'plain' }),
  activating_sim: ({ noun }) => ({ title: `${noun}: the network activates the SIM`, tone: 'plain' }),
  adding_plan: ({ noun }) => ({ title: `${noun}: the network adds the plan`, tone: 'plain' }),
  adding_addon: ({ noun }) => ({ title: `${noun}: the network adds it`, tone: 'plain' }),
  capturing: ({ noun }) => ({ title: `${noun}: delivered, and the money is being taken`, tone: 'plain' }),
  finishing: ({ done }) => ({ title: done, tone: 'good' }),
  completed: ({ done }) => ({ title: done, tone: 'good' }),
  held: ({ noun }) => ({ title: `${noun}: held, as the network failed`, tone: 'warn' }),
  undoing: ({ noun }) => ({ title: `${noun}: failed, and is being taken back`, tone: 'bad' }),
  undone: ({ noun }) => ({ title: `${noun}: failed, and was taken back`, tone: 'bad' }),
  cancelling: () => ({ title: 'Next plan: being cancelled', tone: 'plain' }),
  cancelled: () => ({ title: 'Next plan: cancelled', tone: 'plain' }),
}

export function orderWords({ kind, state, auto_renewal: isAuto }: Ordered): Words {
  const named = (isAuto && kind === 'recharge' ? byItself : names[kind]) ?? { noun: 'Order', done: 'Order completed' }
  return states[state]?.(named) ?? { title: `${named.noun}: on its way`, tone: 'plain' }
}
