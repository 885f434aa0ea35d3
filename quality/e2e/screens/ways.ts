import type { Page } from 'playwright-core'
import type { Customer, CustomersService } from '#quality/support/customer.ts'
import { go, untilQuiet } from './calls.ts'
import { noCustomer, voucher } from './people.ts'
import type { Screen, Stage } from './screen.ts'

// Ways to reach a screen. In a path, the segment U stands for the owner's service, R for its schedule, and V for a valid voucher.

export type Owner = (Pick<Customer, 'visitor'> & { service?: CustomersService }) | null
export type OwnerOf<T extends Owner> = (stage: Stage) => Promise<T>
type PageAction<T extends Owner> = (page: Page, owner: T, stage: Stage) => Promise<unknown>

export const opened = <T extends Owner>(name: string, path: string, ownerOf: OwnerOf<T>, act?: PageAction<T>): Screen =>
  followed(name, placeOf(path), ownerOf, { link: (owner, stage) => addressOf(path, owner, stage), act })

export const fresh = (name: string, path: string, act?: PageAction<null>): Screen => opened(name, path, noCustomer, act)

export const followed = <T extends Owner>(
  name: string,
  at: string,
  ownerOf: OwnerOf<T>,
  { link, act }: { link: (owner: T, stage: Stage) => Promise<string>; act?: PageAction<T> | undefined },
): Screen =>
  arrived(name, at, ownerOf, { arrive: async (owner, stage) => stage.visit(await link(owner, stage), owner), act })

type Prepared<T extends Owner> = { prepare: PageAction<T>; act?: PageAction<T> }

export const prepared = <T extends Owner>(
  name: string,
  path: string,
  ownerOf: OwnerOf<T>,
  { prepare, act }: Prepared<T>,
): Screen =>
  arrived(name, placeOf(path), ownerOf, {
    async arrive(owner, stage) {
      const page = await stage.enter(owner)
      await prepare(page, owner, stage)
      await page.goto(await addressOf(path, owner, stage))
      await untilQuiet(page)
      return page
    },
    act,
  })

/** Reached from a page that loads little, so that data which the server would put into this page can be changed as well. */
export const reached = <T extends Owner>(
  name: string,
  path: string,
  ownerOf: OwnerOf<T>,
  { prepare, act }: Prepared<T>,
): Screen =>
  arrived(name, placeOf(path), ownerOf, {
    async arrive(owner, stage) {
      const page = await stage.visit(owner ? '/account/change-password/' : '/login/', owner)
      await prepare(page, owner, stage)
      await go(page, await addressOf(path, owner, stage))
      await untilQuiet(page)
      return page
    },
    act,
  })

const arrived = <T extends Owner>(
  name: string,
  at: string,
  ownerOf: OwnerOf<T>,
  { arrive, act }: { arrive: (owner: T, stage: Stage) => Promise<Page>; act: PageAction<T> | undefined },
): Screen => ({
  name,
  at,
  async open(stage) {
    const owner = await ownerOf(stage)
    const page = await arrive(owner, stage)
    await act?.(page, owner, stage)
    return page
  },
})

/** The path by which the table of pages knows it. A schedule begins with a digit there. */
const placeOf = (path: string): string => path.replace(/\?.*/, '').replace('/R/', '/1R/')

async function addressOf(path: string, owner: Owner, stage: Stage): Promise<string> {
  const { id = 'U', shortId = 'R' } = owner?.service ?? {}
  const code = path.includes('/V/') ? await voucher(stage) : 'V'
  return path.replace('/U/', `/${id}/`).replace('/R/', `/${shortId}/`).replace('/V/', `/${code}/`)
}
