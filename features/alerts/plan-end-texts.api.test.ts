/* @module-tag slow */
import { expect, test } from 'vitest'
import { readEmails, createRenewingCustomer, type RenewingCustomer } from '#quality/support/auto-renewal.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()

const choose = ({ customer, service }: RenewingCustomer, before_end: 'email' | 'both') =>
  customer.visitor.post(`/api/services/alerts/${service.id}/`, { half: 'off', most: 'text', all: 'both', before_end })
const noticesTo = async (renewing: RenewingCustomer) => ({
  texts: (await world().smsTo(renewing.service.msisdn)).filter(({ text }) => text.includes('We charge')).length,
  mails: (await readEmails(world(), renewing)).filter(({ subject }) => subject.includes('renews on')).length,
})

test('a customer who opted out of texts gets only an email before a renewal', async () => {
  const [both, mailAlone] = [await createRenewingCustomer(world()), await createRenewingCustomer(world())]
  expect((await choose(both, 'both')).status).toBe(200)
  expect((await choose(mailAlone, 'email')).status).toBe(200)
  await world().advance('P5D')
  await pollUntil(async () => {
    const [one, other] = [await noticesTo(both), await noticesTo(mailAlone)]
    return one.texts > 0 && one.mails > 0 && other.mails > 0
  })
  expect([await noticesTo(both), await noticesTo(mailAlone)]).toEqual([
    { texts: 1, mails: 1 },
    { texts: 0, mails: 1 },
  ])
})

test('texts a customer about a renewal problem even if they chose email only', async () => {
  const renewing = await createRenewingCustomer(world())
  await choose(renewing, 'email')
  await world()
    .db.updateTable('saved_cards')
    .set({ expiry: '01/2026' })
    .where('user_id', '=', renewing.customer.id)
    .execute()
  await world().advance('P5D')
  const texts = await pollUntil(async () => {
    const found = (await world().smsTo(renewing.service.msisdn)).filter(({ text }) => text.includes('expired'))
    return found.length > 0 && found
  })
  expect(texts[0]?.text).toContain("can't renew")
})
