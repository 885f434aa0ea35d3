import type { Disturbance, FaultWorld, Injector } from '../injector.ts'
import type { Random } from '../random.ts'

type Door = keyof FaultWorld['provider']
type Kind = Disturbance['kind']

export const allProviders: readonly Door[] = ['gateway', 'network', 'mail', 'texts']

const slowResponseMs = 4_000

export function createProviderInjector(
  name: string,
  doors: readonly Door[],
  kinds: readonly Kind[],
  more: Pick<Injector, 'warrants'> = {},
): Injector {
  return {
    ...more,
    name,
    needs: [],
    settlesWithin: 120,
    lasts: 40,
    start(world, random) {
      for (const door of doors) {
        const choices = random.branch(door)
        world.provider[door].disturb = () => (choices.chance(0.1) ? createDisturbance(choices, kinds) : null)
      }
      world.log(`${name}: begins`)
      return {
        async stop() {
          for (const door of doors) world.provider[door].disturb = null
          world.log(`${name}: ends`)
        },
      }
    },
  }
}

function createDisturbance(random: Random, kinds: readonly Kind[]): Disturbance {
  const kind = random.pick(kinds)
  if (kind === 'error') return { kind, status: random.pick([500, 502, 503]) }
  if (kind === 'slow') return { kind, ms: random.between(500, slowResponseMs) }
  if (kind === 'garbled' || kind === 'wrong') return { kind, nth: random.between(0, 100) }
  if (kind === 'endless') return { kind, isSlow: random.chance(0.5) }
  return { kind }
}

const all: readonly Kind[] = ['error', 'hang up', 'lose answer', 'slow']

export const gatewayFaults = createProviderInjector('gateway', ['gateway'], all)
export const networkFaults = createProviderInjector('network', ['network'], all)
export const messageFaults = createProviderInjector('messages', ['mail', 'texts'], all)
export const errorFaults = createProviderInjector('errors', allProviders, ['error'])
export const lostResponseFaults = createProviderInjector('lost-answers', allProviders, ['lose answer'])
export const hangUpFaults = createProviderInjector('hang-ups', allProviders, ['hang up'])
export const slowResponseFaults = createProviderInjector('slow', allProviders, ['slow'])
