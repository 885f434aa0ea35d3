import type { BrowserContext, Locator, Page } from 'playwright-core'
import type { Customer } from '#quality/support/customer.ts'
import { until } from '#quality/support/until.ts'
import { cookieNameAt } from '#quality/support/visitor.ts'
import type { World } from '#quality/support/world.ts'
import type { ContextOptions, Portal, Size } from './portal.ts'
import { heading } from './wizard.ts'

/** Any field, including password fields. */
export const labelled = (page: Page, name: string) => page.getByLabel(name, { exact: true })
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
export const link = (page: Page | Locator, name: string | RegExp) => page.getByRole('link', { name, exact: true })

export const reads = (page: Page, text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor()

export const dashboard = (page: Page, name = 'Ana'): Promise<void> => heading(page, `Welcome, ${name}`)

/** Fills a field and leaves it, which triggers its check. */
export async function enter(page: Page, name: string, text: string): Promise<void> {
  await labelled(page, name).fill(text)
  await labelled(page, name).blur()
}

export const arriveAt = (page: Page, place: string): Promise<void> =>
  page.waitForURL((url) => url.pathname + url.search === place)

/** Sends the login form once it is open. The page before it may have an email field as well. */
export async function logIn(page: Page, { email, password }: Pick<Customer, 'email' | 'password'>): Promise<void> {
  await button(page, 'LOG IN').waitFor()
  await labelled(page, 'Email').fill(email)
  await labelled(page, 'Password').fill(password)
  await button(page, 'LOG IN').click()
}

export async function signIn(
  context: BrowserContext,
  { visitor }: Pick<Customer, 'visitor'>,
  url: string,
): Promise<void> {
  await context.addCookies(
    ['fantail', 'csrftoken'].map((name) => ({ name: cookieNameAt(url, name), value: visitor.cookie(name) ?? '', url })),
  )
}

export async function openAs(
  portal: Portal,
  size: Size,
  customer: Pick<Customer, 'visitor'>,
  options: ContextOptions = {},
): Promise<Page> {
  const page = await portal.open(size, options)
  await signIn(page.context(), customer, portal.world().url)
  return page
}

export const mailedLink = (world: World, email: string, path: string, known: string[] = []): Promise<string> =>
  until(async () =>
    (await world.mailTo(email)).flatMap(({ links }) => links).find((url) => url.includes(path) && !known.includes(url)),
  )
