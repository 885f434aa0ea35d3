import { sql } from 'kysely'
import { pages } from '#app/pages.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { activate, portForm, type WizardVisitor, type WizardInputs } from '#quality/support/activation-journey.ts'
import { newPortableNumber } from '#quality/support/simulators.ts'
import { type Attempt, runAttempts, waitUntilIdle } from '../run-attempts.ts'
import type { AnswerCheck } from '../answer-checks.ts'
import type { AttackContext } from '../attack-context.ts'
import { headersOf } from '../send.ts'

export const fullDetailsAttackKind = 'activation in full'
export const dayOldActivationAttackKind = 'activation after a day'

const full_name = 'Kahurangi Tuhiwai'
const accountNumber = 'ACC7731905'

type FinishedActivation = WizardVisitor & { orderCode: string; numbers: string[] }

export async function attackFinishedActivation(
  scene: AttackContext,
  isWanted: (path: string) => boolean = () => true,
): Promise<void> {
  const paths = listReadablePaths(scene).filter(isWanted)
  for (const finished of await createFinishedActivations(scene)) {
    const details = [finished.email, full_name, accountNumber, ...finished.numbers.flatMap(listNumberVariants)]
    await atAge(scene, finished, { minutes: 11 }, () =>
      attemptReads(scene, { finished, paths, kind: fullDetailsAttackKind, unwanted: details }),
    )
    const forbiddenTexts = [
      ...details,
      finished.orderCode,
      '•••••',
      'SUCCESSFUL',
      'PERMANENTLY_FAILED',
      'Activate another SIM',
    ]
    await atAge(scene, finished, { minutes: 24 * 60 + 11 }, () =>
      attemptReads(scene, { finished, paths, kind: dayOldActivationAttackKind, unwanted: forbiddenTexts }),
    )
  }
}

async function createFinishedActivations(scene: AttackContext): Promise<FinishedActivation[]> {
  const { world } = scene
  const portedNumber = await newPortableNumber(world)
  const port = { ...portForm(portedNumber), billing_method: 2, account_number: accountNumber }
  const ways: WizardInputs[] = [
    { full_name, port },
    { full_name, voucher: await world.newVoucher() },
  ]
  const finishedActivations: FinishedActivation[] = []
  for (const way of ways) {
    const wizardVisitor = await activate(world, way)
    finishedActivations.push({
      ...wizardVisitor,
      numbers: [wizardVisitor.sim.msisdn, ...(way.port ? [portedNumber] : [])],
    })
  }
  await waitUntilIdle(scene)
  return finishedActivations
}

const listNumberVariants = (number: string): string[] => {
  const nationalNumber = formatNational(number)
  return [...new Set([number.replace('+', ''), nationalNumber, nationalNumber.replaceAll(' ', '')])]
}

/** Makes the activation look older while `look` runs. Moving the clock instead would expire links that other attacks use. */
async function atAge(
  { world: { db } }: AttackContext,
  { orderCode }: FinishedActivation,
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

type ReadAttempt = { finished: FinishedActivation; paths: string[]; kind: string; unwanted: string[] }

async function attemptReads(scene: AttackContext, { finished, paths, kind, unwanted }: ReadAttempt): Promise<void> {
  const attempts = paths.map((pattern): Attempt => {
    const path = pattern.replaceAll(/:\w+/g, finished.orderCode)
    return {
      what: pattern,
      request: { method: 'GET', path, headers: headersOf(finished.visitor) },
      expected: expectTextsAbsent(unwanted.filter((text) => !path.includes(text))),
    }
  })
  // Allow database changes, because the job that ends old activations may run while these reads are made.
  await runAttempts(scene, { kind, call: 'all GET endpoints', attempts, mayChange: true })
}

const expectTextsAbsent =
  (unwanted: string[]): AnswerCheck =>
  ({ body }) => {
    const found = unwanted.find((text) => body.includes(text))
    return found === undefined ? null : `still shows ${found}`
  }

function listReadablePaths({ endpoints }: AttackContext): string[] {
  const calls = endpoints.filter(({ method }) => method === 'GET').map(({ path }) => path)
  const shown = pages.flatMap(({ path }) => (typeof path === 'string' ? [path] : []))
  return [...calls, ...shown, '/activate/elsewhere/', '/nowhere/']
}
