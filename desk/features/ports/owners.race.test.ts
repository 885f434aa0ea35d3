import { expect, test } from 'vitest'
import { makeCustomer } from '#quality/support/customer.ts'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { portForm } from '#quality/support/activation-journey.ts'
import { newPortableNumber } from '#quality/support/simulators.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })

test('if two people take a number transfer at the same time, only one succeeds, and the other is told the owner’s name', async () => {
  const desk = world().deskUrl ?? ''
  const people = await Promise.all([demoStaff.support, demoStaff.second].map((email) => newStaffVisitor(desk, email)))
  const names = ['Hine Walker', 'Tom Reid']
  const { visitor, services } = await makeCustomer(world(), { services: 1 })
  const number = await newPortableNumber(world(), 'played')
  expect((await visitor.post(`/api/services/port/${services[0]!.id}/`, portForm(number))).status).toBe(200)
  const path = `/api/desk/ports/${services[0]!.id}-port-1/`
  for (let round = 0; round < 10; round += 1) {
    const answers = await Promise.all(people.map((who) => who.post(`${path}take/`)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const winner = answers.findIndex(({ status }) => status === 200)
    expect(answers[1 - winner]?.body).toEqual({ __all__: [`${names[winner]} has already taken this transfer.`] })
    expect((await people[winner]?.post(`${path}hand-back/`))?.status).toBe(200)
  }
})
