import { sql } from 'kysely'
import { pages } from '#app/pages.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { activate, portAnswers, type Traveller, type WizardAnswers } from '#quality/support/journey.ts'
import { newPortableNumber } from '#quality/support/simulators.ts'
import { type Attempt, carryOut, untilQuiet } from '../attempt.ts'
import type { Expected } from '../judge.ts'
import type { Scene } from '../scene.ts'
import { headersOf } from '../send.ts'

export const detailsInFull = 'activation in full'
export const stillShown = 'activation after a day'

const full_name = 'Kahurangi Tuhiwai'
const accountNumber = 'ACC7731905'

type Finished = Traveller & { orderCode: string; numbers: string[] }

export async function onFinishedActivation(
  scene: Scene,
  isWanted: (path: string) => boolean = () => true,
): Promise<void> {
  const paths = addresses(scene).filter(isWanted)
  for (const finished of await finishedActivations(scene)) {
    const details = [finished.email, full_name, accountNumber, ...finished.numbers.flatMap(spellings)]
    await atAge(scene, finished, { minutes: 11 }, () =>
      readAll(scene, { finished, paths, kind: detailsInFull, unwanted: details }),
    )
    const traces = [...details, finished.orderCode, '•••••', 'SUCCESSFUL', 'PERMANENTLY_FAILED', 'Activate another SIM']
    await atAge(scene, finished, { minutes: 24 * 60 + 11 }, () =>
      readAll(scene, { finished, paths, kind: stillShown, unwanted: traces }),
    )
  }
}

async function finishedActivations(scene: Scene): Promise<Finished[]> {
  const { world } = scene
  const brought = await newPortableNumber(world)
  const port = { ...portAnswers(brought), billing_method: 2, account_number: accountNumber }
  const ways: WizardAnswers[] = [
    { full_name, port },
    { full_name, voucher: await world.newVoucher() },
  ]
  const finished: Finished[] = []
  for (const way of ways) {
    const traveller = await activate(world, way)
    finished.push({ ...traveller, numbers: [traveller.sim.msisdn, ...(way.port ? [brought] : [])] })
  }
  await untilQuiet(scene)
  return finished
}

const spellings = (number: string): string[] => {
  const national = formatNational(number)
  return [...new Set([number.replace('+', ''), national, national.replaceAll(' ', '')])]
}

/** Makes the activation older for a while. The clock does not move, because links that other attacks use would expire. */
async function atAge(
  { world: { db } }: Scene,
  { orderCode }: Finished,
  { minutes }: { minutes: number },
  look: () => Promise<void>,
): Promise<void> {
  const shift = (by: number) => sql`
    with aged as (
      update orders set created_at = created_at - ${by} * interval '1 minute',
        completed_at = completed_at - ${by} * interval '1 minute'
      where order_code = ${orderCode} returning id
    )
    update activations set started_at = started_at - ${by} * interval '1 minute',
      lapses_at = lapses_at - ${by} * interval '1 minute'
    where order_id in (select id from aged)`
  await shift(minutes).execute(db)
  await look()
  await shift(-minutes).execute(db)
}

type Reading = { finished: Finished; paths: string[]; kind: string; unwanted: string[] }

async function readAll(scene: Scene, { finished, paths, kind, unwanted }: Reading): Promise<void> {
  const attempts = paths.map((pattern): Attempt => {
    const path = pattern.replaceAll(/:\w+/g, finished.orderCode)
    return {
      what: pattern,
      request: { method: 'GET', path, headers: headersOf(finished.visitor) },
      expected: without(unwanted.filter((text) => !path.includes(text))),
    }
  })
  // The job that ends old activations may run at any time.
  await carryOut(scene, { kind, call: 'GET everything', attempts, mayChange: true })
}

const without =
  (unwanted: string[]): Expected =>
  ({ body }) => {
    const found = unwanted.find((text) => body.includes(text))
    return found === undefined ? null : `still shows ${found}`
  }

function addresses({ endpoints }: Scene): string[] {
  const calls = endpoints.filter(({ method }) => method === 'GET').map(({ path }) => path)
  const shown = pages.flatMap(({ path }) => (typeof path === 'string' ? [path] : []))
  return [...calls, ...shown, '/activate/elsewhere/', '/nowhere/']
}
