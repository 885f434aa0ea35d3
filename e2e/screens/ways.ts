import type { Page } from 'playwright-core'
import type { Customer, CustomersService } from '#testing/customer.ts'
import { go, untilQuiet } from './calls.ts'
import { noCustomer, voucher } from './people.ts'
import type { Screen, Stage } from './screen.ts'

// The ways to a screen. In a path the segment U stands for the service of the owner, R for that service's
// schedule and V for a voucher that is good.

export type Owner = (Pick<Customer, 'visitor'> & { service?: CustomersService }) | null
export type OwnerOf<T extends Owner> = (stage: Stage) => Promise<T>
type PageAction<T extends Owner> = (page: Page, owner: T, stage: Stage) => Promise<unknown>

/** Opened by its address. */
export const opened = <T extends Owner>(
  name: string,
  path: string,
  ownerOf: OwnerOf<T>,
  then?: PageAction<T>,
): Screen => followed(name, placeOf(path), ownerOf, (owner, stage) => addressOf(path, owner, stage), then)

/** The same of a new visitor. */
export const fresh = (name: string, path: string, then?: PageAction<null>): Screen =>
  opened(name, path, noCustomer, then)

/** Opened by a link that is made for it; `at` is as a screen has it. */
export const followed = <T extends Owner>(
  name: string,
  at: string,
  ownerOf: OwnerOf<T>,
  linkOf: (owner: T, stage: Stage) => Promise<string>,
  then?: PageAction<T>,
): Screen => arrived(name, at, ownerOf, async (owner, stage) => stage.visit(await linkOf(owner, stage), owner), then)

/** Opened by its address, with calls that something happens to before the page asks. */
export const prepared = <T extends Owner>(
  name: string,
  path: string,
  ownerOf: OwnerOf<T>,
  prepare: PageAction<T>,
  then?: PageAction<T>,
): Screen =>
  arrived(
    name,
    placeOf(path),
    ownerOf,
    async (owner, stage) => {
      const page = await stage.enter(owner)
      await prepare(page, owner, stage)
      await page.goto(await addressOf(path, owner, stage))
      await untilQuiet(page)
      return page
    },
    then,
  )

/** Reached from another page, which has asked for little: so what the server would have put into this one can be changed too. */
export const reached = <T extends Owner>(
  name: string,
  path: string,
  ownerOf: OwnerOf<T>,
  prepare: PageAction<T>,
  then?: PageAction<T>,
): Screen =>
  arrived(
    name,
    placeOf(path),
    ownerOf,
    async (owner, stage) => {
      const page = await stage.visit(owner ? '/account/change-password/' : '/login/', owner)
      await prepare(page, owner, stage)
      await go(page, await addressOf(path, owner, stage))
      await untilQuiet(page)
      return page
    },
    then,
  )

const arrived = <T extends Owner>(
  name: string,
  at: string,
  ownerOf: OwnerOf<T>,
  arrive: (owner: T, stage: Stage) => Promise<Page>,
  then?: PageAction<T>,
): Screen => ({
  name,
  at,
  async open(stage) {
    const owner = await ownerOf(stage)
    const page = await arrive(owner, stage)
    await then?.(page, owner, stage)
    return page
  },
})

/** What the table of pages knows it by: a schedule begins with a digit there. */
const placeOf = (path: string): string => path.replace(/\?.*/, '').replace('/R/', '/1R/')

async function addressOf(path: string, owner: Owner, stage: Stage): Promise<string> {
  const { id = 'U', shortId = 'R' } = owner?.service ?? {}
  const code = path.includes('/V/') ? await voucher(stage) : 'V'
  return path.replace('/U/', `/${id}/`).replace('/R/', `/${shortId}/`).replace('/V/', `/${code}/`)
}
