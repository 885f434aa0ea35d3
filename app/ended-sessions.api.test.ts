/* @module-tag slow */
import { expect, test } from 'vitest'
import { makeSubscriber } from '#quality/support/customer.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld({ pages: 'built' })

type Customer = Awaited<ReturnType<typeof makeSubscriber>>

function holderOf({ visitor, service }: Customer) {
  const cookie = visitor
    .cookies()
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
  const look = (path: string) => fetch(world().url + path, { headers: { cookie }, redirect: 'manual' })
  return {
    async everything() {
      const paths = [
        '/api/account/',
        '/api/services/',
        `/api/services/alerts/${service.id}/`,
        `/api/account/invoices/${service.id}/`,
        '/',
        `/services/${service.id}/`,
      ]
      const answers = await Promise.all(paths.map(look))
      return Promise.all(answers.map(async (answer) => ({ status: answer.status, text: await answer.text() })))
    },
  }
}

test('a copied session cookie stops working once its customer signs out, even if it has been used before', async () => {
  const ana = await makeSubscriber(world())
  const holder = holderOf(ana)
  for (let look = 0; look < 2; look++) {
    const before = await holder.everything()
    expect(before.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    for (const { text } of [before[1]!, before[4]!, before[5]!]) expect(text).toContain(ana.service.id)
  }
  expect((await ana.visitor.post('/api/account/logout/', {})).status).toBe(200)
  for (let look = 0; look < 2; look++) {
    const after = await holder.everything()
    expect(after.map(({ status }) => status)).toEqual([200, 401, 401, 401, 302, 302])
    for (const { text } of after) expect(text).not.toContain(ana.service.id)
    expect(JSON.parse(after[0]!.text)).toEqual({ authenticated: false, user: null })
  }
})

test('a customer who was blocked after logging in gets 401 and sees none of their data', async () => {
  const ana = await makeSubscriber(world())
  const holder = holderOf(ana)
  await holder.everything()
  await world().deps.db.updateTable('users').set({ blocked_at: new Date() }).where('id', '=', ana.id).execute()
  const after = await holder.everything()
  expect(after.map(({ status }) => status)).toEqual([200, 401, 401, 401, 302, 302])
  for (const { text } of after) expect(text).not.toContain(ana.service.id)
})

test('customers who load their data at the same moment each see only their own data', async () => {
  const customers = await Promise.all(Array.from({ length: 3 }, () => makeSubscriber(world())))
  for (let look = 0; look < 3; look++) {
    const all = await Promise.all(customers.map((each) => holderOf(each).everything()))
    const named = all.map((answers) => {
      const texts = answers.map(({ text }) => text)
      const naming = (each: Customer) => texts.filter((text) => text.includes(each.service.id)).length
      return customers.map((each) => naming(each) > 2)
    })
    expect(named).toEqual(customers.map((each) => customers.map((other) => other === each)))
    for (const [at, answers] of all.entries()) {
      const others = customers.filter((each) => each !== customers[at]).map(({ service }) => service.id)
      expect(others.filter((id) => answers.some(({ text }) => text.includes(id)))).toEqual([])
    }
  }
})
