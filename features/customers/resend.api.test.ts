/* @module-tag slow */
import { rmSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { exitCodes } from '#operator/command.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { createCustomerWithAllData } from '#quality/support/customer-with-all-data.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { runCommand } from '#quality/support/operator.ts'
import { buyAddOn } from '#quality/support/purchases.ts'
import { submitReset, requestResetLink, readResetLinks } from '#quality/support/reset-link.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { waitForVerifyTokens } from '#quality/support/verify-link.ts'
import { useWorld } from '#quality/support/world.ts'

const dataDir = createDataFolder('fantail-resend-')
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const world = useWorld({ env: { DATA_DIR: dataDir } })

const resend = (id: string) => runCommand(dataDir, ['customers', 'resend', id, '--as', 'Hine'])
const messageOf = (userId: string, kind: string) =>
  pollUntil(() =>
    world()
      .db.selectFrom('messages')
      .select(['id', 'subject'])
      .where('user_id', '=', userId)
      .where('kind', '=', kind)
      .where('sent_at', 'is not', null)
      .orderBy('created_at', 'desc')
      .executeTakeFirst(),
  )
const textsOf = async (email: string, subject: string) =>
  (await world().mailTo(email)).filter((mail) => mail.subject === subject).map(({ text }) => text)

describe('the command “customers resend”', () => {
  test('the command “customers resend” resends purchase, refund and transfer messages to the customer’s current address', async () => {
    const { id, email, visitor, second } = await createCustomerWithAllData(world())
    expect((await buyAddOn(world(), visitor, second, { saved: true })).status).toBe(200)
    const { order_code: code } = await world()
      .db.selectFrom('orders')
      .select('order_code')
      .where('user_id', '=', id)
      .where('kind', '=', 'addon')
      .executeTakeFirstOrThrow()
    // The purchase request returns before the order completes. A refund is rejected until then, so the test retries it.
    await pollUntil(
      async () => (await runCommand(dataDir, ['orders', 'refund', code, '--yes'])).exit !== exitCodes.refused,
    )
    for (const kind of ['activation', 'renewal', 'addon', 'port', 'refund']) {
      const message = await messageOf(id, kind)
      const [before] = await textsOf(email, message.subject)
      const count = (await textsOf(email, message.subject)).length
      expect(await resend(message.id)).toMatchObject({
        exit: exitCodes.done,
        said: [`The message is on its way to ${email}, with current details.`],
      })
      await pollUntil(async () => (await textsOf(email, message.subject)).length === count + 1)
      /*
       * The customer has two different activation mails, so their texts may differ. There is only one mail of every other kind, and the
       * resent mail must have the same text as the original.
       */
      const [after] = await textsOf(email, message.subject)
      expect(kind === 'activation' ? before : after).toBe(before)
    }
    const moved = `moved.${email}`
    await world().db.updateTable('users').set({ email: moved }).where('id', '=', id).execute()
    expect((await resend((await messageOf(id, 'refund')).id)).said[0]).toContain(moved)
    await pollUntil(async () => (await world().mailTo(moved)).length === 1)
    const acts = await world()
      .db.selectFrom('audit_events')
      .select(['actor', 'details'])
      .where('user_id', '=', id)
      .where('event', '=', 'message_resent')
      .execute()
    expect(acts).toHaveLength(6)
    expect(acts[0]).toMatchObject({ actor: 'operator:Hine', details: { kind: 'activation' } })
  })

  test('the command “customers resend” sends a new verification link, and the old link stops working', async () => {
    const { id, email, services } = await makeCustomer(world(), { services: 1, verified: false })
    expect(services).toHaveLength(1)
    const message = await messageOf(id, 'activation')
    const [old = ''] = await waitForVerifyTokens(world(), email)
    expect((await resend(message.id)).exit).toBe(exitCodes.done)
    const [fresh = ''] = await waitForVerifyTokens(world(), email, 2)
    const look = (token: string) => world().visitor().post('/api/account/verify_email/about/', { token })
    const [{ status: ofOld }, { status: ofFresh }] = [await look(old), await look(fresh)]
    expect([ofOld, ofFresh]).toEqual([400, 200])
  })

  test('the command “customers resend” sends a new password reset link, at most three times a day', async () => {
    const { id, email } = await makeCustomer(world())
    await requestResetLink(world(), email)
    const message = await messageOf(id, 'password-reset')
    for (let count = 2; count <= 4; count++) {
      expect((await resend(message.id)).exit).toBe(exitCodes.done)
      await pollUntil(async () => (await readResetLinks(world(), email)).length === count)
    }
    expect(await resend(message.id)).toMatchObject({
      exit: exitCodes.refused,
      complaints: ['This message was already resent 3 times in the last day. Try again tomorrow.'],
    })
    const [link] = await readResetLinks(world(), email)
    expect((await submitReset(link!, world().visitor(), 'another-one1')).status).toBe(200)
  })

  test('the command “customers resend” explains why it cannot send a message', async () => {
    const { id } = await createCustomerWithAllData(world())
    expect((await resend((await messageOf(id, 'card-saved')).id)).complaints).toEqual([
      'A message of this kind (card-saved) can’t be sent again, because it describes a past event or contains a PIN. ' +
        'To get a new PIN, the customer has to request it themselves.',
    ])
    expect((await resend(crypto.randomUUID())).complaints).toEqual(['There is no message with this ID.'])
    expect((await resend('x')).complaints).toEqual(['There is no customer or message with this ID.'])
    const message = await messageOf(id, 'renewal')
    await world().db.insertInto('mail_stops').values({ user_id: id, stopped_at: new Date() }).execute()
    expect((await resend(message.id)).complaints[0]).toMatch(/^The owner of this email address said/)
  })
})
