import { password, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { newEmail, newVisitor } from '#quality/support/visitor.ts'
import type { Pack } from '../activations/actions.ts'
import type { Round } from '../load-figures.ts'
import { buildAddress } from '../world/addresses.ts'
import { answerParentProcess } from '../world/child-process.ts'
import { readCpuMs } from '../world/cpu-time.ts'
import type { PeerName, Site } from './peer.ts'
import { peers } from './peers.ts'

export type SignUpRequest = {
  who: { peer: PeerName } | { packs: readonly Pack[] }
  site: Site
  pid: number | null
  count: number
  atOnce: number
}
/** `worked` is the processor time, in milliseconds, that the measured server used during the sign-ups. */
export type SignUpResult = Round & { worked: number | null }

type SignUp = () => Promise<void>

let met = 0

// This code runs in a separate process and signs people up. Earlier steps of the sign-ups are completed before the measurement begins.
answerParentProcess(async (wish: SignUpRequest): Promise<SignUpResult> => {
  const { site, pid, count, atOnce } = wish
  const preparedSignUps: SignUp[] = []
  if ('packs' in wish.who) {
    for (const pack of wish.who.packs) preparedSignUps.push(await prepareSignUp(site, pack))
  } else {
    const peer = peers[wish.who.peer]
    for (let nth = 0; nth < count; nth++) preparedSignUps.push(() => peer.signUp(site, newEmail()))
  }
  const times: number[] = []
  const [before, start] = [readCpuMs(pid), performance.now()]
  async function goOn(): Promise<void> {
    for (let signUp = preparedSignUps.pop(); signUp; signUp = preparedSignUps.pop()) {
      const began = performance.now()
      await signUp()
      times.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, goOn))
  const [seconds, after] = [(performance.now() - start) / 1_000, readCpuMs(pid)]
  return {
    times: Float64Array.from(times),
    seconds,
    worked: before === null || after === null ? null : after - before,
  }
})

async function prepareSignUp({ origin }: Site, pack: Pack): Promise<SignUp> {
  const { visitor } = await advanceWizardTo(
    {
      visitor: () => newVisitor(origin, '/api/account/', { 'x-forwarded-for': buildAddress('100.98', met++) }),
      newSim: async () => pack,
      card: () => '',
    },
    'CREATED',
  )
  return async () => {
    const details = { full_name: 'Ana Rewi', email: newEmail(), password, marketing_consent: true }
    const { status, body } = await visitor.post('/api/activate/signup/', details)
    if (status !== 200) throw new Error(`the sign-up answered ${status}: ${JSON.stringify(body)}`)
  }
}
