import { expect, test } from 'vitest'
import type { Db } from '#kit/server/db.ts'
import { readSession } from '#kit/server/session.ts'
import { findVisitor } from '#features/auth/server/visitor.store.ts'
import type { RequestContext } from '#kit/server/request-context.ts'
import { activate, advanceWizardTo, type WizardVisitor } from '#quality/support/activation-journey.ts'
import { useWorld } from '#quality/support/world.ts'
import { activationMessages } from './activation.contract.ts'
import { startActivationWithSim } from './server/steps.ts'

const world = useWorld()

/** Wraps the database so that the process using it freezes before its first transaction until `wake` is called. */
function freezing(db: Db): { db: Db; isFrozen: Promise<void>; wake(): void } {
  const frozen = Promise.withResolvers<void>()
  const woken = Promise.withResolvers<void>()
  const transaction = () => ({
    async execute(work: Parameters<ReturnType<Db['transaction']>['execute']>[0]) {
      frozen.resolve()
      await woken.promise
      return db.transaction().execute(work)
    },
  })
  const slow = new Proxy(db, {
    get: (target, name) => {
      if (name === 'transaction') return transaction
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { db: slow, isFrozen: frozen.promise, wake: woken.resolve }
}

async function frozenSimStep({ visitor }: WizardVisitor) {
  const { deps } = world()
  const { session } = await readSession(deps.db, deps.secrets, visitor.cookie('fantail'), findVisitor)
  const visit: RequestContext = { session, user: null, device: null, clientIp: '127.0.0.1', inProcess: false }
  const { db, isFrozen, wake } = freezing(deps.db)
  const { msisdn, sim_serial } = await world().newSim()
  const outcome = startActivationWithSim({ ...deps, db }, visit, { msisdn, sim_serial, setup_porting: false }).then(
    () => 'began anew',
    (error: unknown) => error,
  )
  await isFrozen
  return {
    wake() {
      wake()
      return outcome
    },
  }
}

test('a delayed submission of the SIM step does not replace an activation that has since succeeded', async () => {
  const traveller = await advanceWizardTo(world(), 'PAYMENT')
  const older = await frozenSimStep(traveller)
  expect((await traveller.pay()).status).toBe(200)
  const done = await traveller.arriveAt('SUCCESSFUL')
  expect(await older.wake()).toMatchObject({ status: 409, body: { __all__: [activationMessages.changed] } })
  expect(await traveller.look()).toMatchObject({ state: 'SUCCESSFUL', order_code: done.order_code })
})

test('a delayed submission of the SIM step does not replace an activation that has since succeeded on a retry', async () => {
  const traveller = await advanceWizardTo(world(), 'PAYMENT', { behaviour: 'fails_once' })
  await traveller.pay()
  await traveller.arriveAt('ERROR_CAN_RETRY')
  const older = await frozenSimStep(traveller)
  await traveller.visitor.post('/api/activate/activate/')
  await traveller.arriveAt('SUCCESSFUL')
  expect(await older.wake()).toMatchObject({ status: 409 })
  expect((await traveller.look()).state).toBe('SUCCESSFUL')
})

test('submitting the SIM step after a completed activation starts a second activation', async () => {
  const traveller = await activate(world())
  expect((await (await frozenSimStep(traveller)).wake()) as string).toBe('began anew')
  expect((await traveller.look()).state).toBe('CREATED')
})
