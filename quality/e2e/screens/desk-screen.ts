import type { Page } from 'playwright-core'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import type { World } from '#quality/support/world.ts'
import { expectFaults } from '../use-portal.ts'
import { mockResponse, go, waitUntilIdle } from './page-calls.ts'
import { once, type Screen, type Stage } from './screen.ts'

export type StaffName = keyof typeof demoStaff

export const staffVisitors: Record<StaffName, (stage: Pick<Stage, 'world'>) => Promise<Visitor>> = {
  support: once((world) => newStaffVisitor(getDeskUrl(world), demoStaff.support)),
  lead: once((world) => newStaffVisitor(getDeskUrl(world), demoStaff.lead)),
  admin: once((world) => newStaffVisitor(getDeskUrl(world), demoStaff.admin)),
  second: once((world) => newStaffVisitor(getDeskUrl(world), demoStaff.second)),
}

export const getDeskUrl = ({ deskUrl }: Pick<World, 'deskUrl'>): string => {
  if (!deskUrl) throw new Error('this world has no desk')
  return deskUrl
}

/** Sends a request as a staff member. @throws if the desk rejects the request, because the screen has then been set up incorrectly */
export async function post(who: Visitor, path: string, body: unknown = {}) {
  const { status, body: said } = await who.post(`/api/desk/${path}`, body)
  if (status !== 200) throw new Error(`${path} was answered ${status}: ${JSON.stringify(said)}`)
  return said
}

type Way<T> = {
  /** An address that matches the screen's entry in the desk's table of pages. */
  at: string
  /** The staff member who is signed in; `null` if nobody is. */
  as?: StaffName | null
  make?: (stage: Stage) => Promise<T>
  path?: (made: T) => string
  prepare?: (page: Page, made: T, stage: Stage) => Promise<unknown>
  act?: (page: Page, made: T, stage: Stage) => Promise<unknown>
}

export const deskScreen = <T = null>(name: string, way: Way<T>): Screen => ({
  name,
  at: way.at,
  async open(stage) {
    const made = (await way.make?.(stage)) as T
    const page = await openDeskPage(stage, way.as === undefined ? 'support' : way.as)
    await way.prepare?.(page, made, stage)
    await page.goto(getDeskUrl(stage.world) + (way.path?.(made) ?? way.at))
    await waitUntilIdle(page)
    await way.act?.(page, made, stage)
    return page
  },
})

/**
 * A desk page that is opened from another page while the given requests fail. They are rejected with a 4xx status: after a server error,
 * the page would retry the requests first and then show the same result.
 */
export const failedDeskScreen = <T = null>(name: string, calls: string, way: Way<T>): Screen => ({
  name,
  at: way.at,
  async open(stage) {
    const made = (await way.make?.(stage)) as T
    const page = await openDeskPage(stage, way.as ?? 'support')
    await page.goto(`${getDeskUrl(stage.world)}/nowhere/`)
    await waitUntilIdle(page)
    await mockResponse(page, calls, 409, { __all__: ['Sorry, there was an unexpected error.'] })
    await go(page, way.path?.(made) ?? way.at)
    await page.getByRole('button', { name: 'Try Again' }).first().waitFor()
    await waitUntilIdle(page)
    await way.act?.(page, made, stage)
    return page
  },
})

async function openDeskPage(stage: Stage, as: StaffName | null): Promise<Page> {
  const page = await stage.enter()
  const url = getDeskUrl(stage.world)
  if (as) {
    const cookies = (await staffVisitors[as](stage)).cookies()
    await page.context().addCookies(cookies.map(([name, value]) => ({ name, value, url })))
  }
  expectFaults(page, `${url}/nowhere/`)
  return page
}
