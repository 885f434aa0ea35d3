import type { MenuItem } from '#kit/contract/bootstrap.ts'

/** The signed-in customer; `null` or `undefined` for a visitor. */
export type MenuUser = { email_verified: boolean } | null | undefined

/** Leaves out the menu's links that would only redirect this customer to another page. A visitor sees all of them. */
export const listReachableItems = (items: readonly MenuItem[], user: MenuUser): MenuItem[] =>
  items.filter(({ url }) => isReachable(url, user))

const isReachable = (url: string, user: MenuUser): boolean =>
  !user ||
  !(user.email_verified ? /^\/(login|forgot-password)\// : /^\/(login|forgot-password|account|services)\//).test(url)
